"""Facts of the index from states to their numbers."""

from __future__ import annotations

import numpy as np
import pytest

from checker.search import numbering as index
from checker.search.numbering import numbering


@pytest.mark.parametrize("words", [1, 2, 5])
def test_every_state_has_its_number(words: int) -> None:
    """Asked in any order, and more than once, a state is found at its place."""
    random = np.random.default_rng(words)
    states = np.unique(random.integers(0, 9, (3000, words), dtype=np.uint64), axis=0)
    states = states[random.permutation(len(states))]
    asked = random.integers(0, len(states), 5000)
    assert np.array_equal(numbering(states).numbers(states[asked]), asked)


def test_states_with_the_same_hash_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """The answer rests on whole states: a hash that maps everything to two values changes nothing."""
    monkeypatch.setattr(index, "_keys", lambda rows: rows[:, 0] % np.uint64(2))
    states = np.arange(40, dtype=np.uint64).reshape(20, 2)
    known = numbering(states)
    assert np.array_equal(known.numbers(states[::-1]), np.arange(20)[::-1])
    assert known.find(np.array([[2, 99], [4, 5], [3, 3]], dtype=np.uint64)).tolist() == [-1, 2, -1]
    with pytest.raises(LookupError):
        known.numbers(np.array([[2, 99]], dtype=np.uint64))


@pytest.mark.parametrize("row", [0, 5, 1 << 60])
def test_what_was_not_found_has_no_number(row: int) -> None:
    """A row below, between or above all states."""
    with pytest.raises(LookupError):
        numbering(np.array([[3], [9]], dtype=np.uint64)).numbers(np.array([[row]], dtype=np.uint64))
