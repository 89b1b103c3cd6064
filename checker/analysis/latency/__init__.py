"""Delays and messages over all runs."""
