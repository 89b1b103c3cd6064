"""Findings of two searches are joined by the fewer steps."""

from __future__ import annotations

from checker.search.checkpoint import least


def test_of_a_finding_that_two_searches_made_the_one_with_fewer_steps_counts() -> None:
    """Whichever comes first."""
    assert least({1: 3, 2: 5}, {1: 2}, {3: 0}) == least({3: 0}, {1: 2}, {1: 3, 2: 5}) == {1: 2, 2: 5, 3: 0}
