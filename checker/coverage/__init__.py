"""What a verdict rests on: what the search never put to the test, and what made it large."""
