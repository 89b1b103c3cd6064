"""Results as pure data, between whoever finds them and whoever prints them."""
