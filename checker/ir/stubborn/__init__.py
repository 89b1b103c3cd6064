"""Which instances of a state's actions a search may take alone."""
