"""Invariants proved for runs of every length by k-induction."""
