"""States whose keys are equal are told apart by all their words, and findings of two searches are joined by the fewer
steps."""

from __future__ import annotations

import numpy as np

from checker.search.checkpoint import least
from checker.search.sorted_states import among


def test_a_state_with_the_key_of_another_is_not_among_them() -> None:
    """Two states have one key; the third word of the question differs."""
    keys = np.array([3, 7, 7, 9], np.uint64)
    states = np.array([[1, 1, 1], [2, 2, 2], [2, 2, 3], [4, 4, 4]], np.uint64)
    asked = np.array([[2, 2, 3], [2, 2, 4], [1, 1, 1], [4, 4, 4], [5, 5, 5]], np.uint64)
    assert among(keys, states, np.array([7, 7, 3, 9, 8], np.uint64), asked).tolist() == [True, False, True, True, False]


def test_where_the_key_is_the_state_keys_are_enough() -> None:
    """One word."""
    keys = np.array([3, 7, 9], np.uint64)
    assert among(keys, None, np.array([7, 8, 9, 10], np.uint64), np.zeros((4, 1), np.uint64)).tolist() == [
        True,
        False,
        True,
        False,
    ]


def test_of_a_finding_that_two_searches_made_the_one_with_fewer_steps_counts() -> None:
    """Whichever comes first."""
    assert least({1: 3, 2: 5}, {1: 2}, {3: 0}) == least({3: 0}, {1: 2}, {1: 3, 2: 5}) == {1: 2, 2: 5, 3: 0}
