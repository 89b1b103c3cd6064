"""A protocol against an edited one: what the edit changed, and from which step on."""
