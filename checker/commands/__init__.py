"""What the command line offers, one module a command, and what they print."""
