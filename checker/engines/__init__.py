"""How a check runs: from a definition through an engine to a replayed report."""
