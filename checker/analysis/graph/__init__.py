"""The explored graph as tables, and questions about it."""
