"""The sorting of states: whole rows, word by word, each word an unsigned number."""

from __future__ import annotations

import numpy as np
import pytest

from checker.contract import States
from checker.search.order_native import BITS, FEW, order
from checker.search.runs import ordered, states_of

SIZES = (0, 1, 2, FEW, FEW + 1, 400, 3000)


def rows(kind: str, n: int, words: int) -> States:
    """States whose words are anything; or few values, so that many states agree in their first words; or one bit."""
    rng = np.random.default_rng(n + words)
    if kind == "anything":
        return rng.integers(0, 1 << 64, (n, words), dtype=np.uint64)
    if kind == "few":
        return rng.integers(0, 3, (n, words), dtype=np.uint64) << np.uint64(62)
    return np.uint64(1) << rng.integers(0, 64, (n, words), dtype=np.uint64)


@pytest.mark.parametrize("words", [1, 2, 5, 40])
@pytest.mark.parametrize("kind", ["anything", "few", "bit"])
def test_states_are_sorted_word_by_word(kind: str, words: int) -> None:
    """As Python sorts them; equal states stay, as often as they are there."""
    for n in SIZES:
        states = rows(kind, n, words)
        expected = sorted(map(tuple, states.tolist()))
        order(states)
        assert list(map(tuple, states.tolist())) == expected


@pytest.mark.parametrize("words", [2, 5])
def test_states_that_differ_in_a_late_word_only_are_sorted(words: int) -> None:
    """More of them than are sorted by insertion, with a digit that crosses the highest bit."""
    states = np.zeros((4 * FEW, words), dtype=np.uint64)
    states[:, -1] = np.arange(4 * FEW, dtype=np.uint64)[::-1] << np.uint64(64 - BITS)
    order(states)
    assert (states[:, -1] == np.arange(4 * FEW, dtype=np.uint64) << np.uint64(64 - BITS)).all()
    assert not states[:, :-1].any()


def test_a_sorted_copy_leaves_the_states_as_they_are() -> None:
    """Also of states that are not contiguous."""
    states = rows("anything", 500, 6)
    some, before = states[::2, 1:4], states.copy()
    assert states_of(ordered(some), 3).tolist() == sorted(some.tolist())
    assert (states == before).all()
