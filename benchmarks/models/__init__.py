"""Reference models whose state counts independent tools agree on."""
