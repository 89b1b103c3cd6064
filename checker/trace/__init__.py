"""Traces: runs of a model as values, what changes in them, and their interchange form."""
