"""The tests of clamp.py, run by the tests of the mutation script; the first does not look at the bounds themselves."""

from __future__ import annotations

from tests.mutation.toy.clamp import clamp, crash, halvings


def test_a_number_beyond_a_bound_becomes_the_bound() -> None:
    """On both sides."""
    assert [clamp(n, 2, 5) for n in (0, 3, 9)] == [2, 3, 5]


def test_numbers_are_halved_until_one_is_left() -> None:
    """Eight, three times."""
    assert halvings(8) == 3


def test_a_small_number_crashes_nothing() -> None:
    """One."""
    assert crash(1) == 1
