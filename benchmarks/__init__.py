"""Benchmarks: reference models with known state counts, and what measures on them."""
