"""Facts of the index from states to their numbers."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest

from checker.assembly import Operand
from checker.search import build, numbering_native
from checker.search import numbering as index
from checker.search.emit import Code
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
    """The answer rests on whole states: with two hashes for all states, both at the end of the table, where the search
    goes on at its beginning, nothing changes."""

    def two(code: Code, row: str, words: int) -> Operand:
        return code.bit_or(code.bit_and(code.load(row), 1), ~1)

    monkeypatch.setattr(numbering_native, "hash_of", two)
    text = numbering_native._emit(2)
    version = hashlib.sha256(text.encode()).hexdigest()
    code = build.compiled("numbering_of_two_hashes", lambda: text, version, numbering_native.SIGNATURES)
    monkeypatch.setattr(index, "library", lambda words, quick: code)
    states = np.arange(400, dtype=np.uint64).reshape(200, 2)
    states[1::2, 0] += np.uint64(1)
    known = numbering(states)
    assert np.array_equal(known.numbers(states[::-1]), np.arange(200)[::-1])
    assert known.find(np.array([[2, 99], [4, 5], [3, 5]], dtype=np.uint64)).tolist() == [-1, 2, -1]
    with pytest.raises(LookupError):
        known.numbers(np.array([[2, 99]], dtype=np.uint64))


@pytest.mark.parametrize("quick", [True, False])
def test_a_view_of_states_is_numbered(quick: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the states nor those asked for need be contiguous; by code with and without optimisation."""
    monkeypatch.setattr(index, "FEW", 1 << 16 if quick else 0)
    states = np.arange(3000, dtype=np.uint64).reshape(500, 6)
    known = numbering(states[::2, 1:4])
    assert known.find(states[::5, 1:4]).tolist() == [n // 2 if n % 2 == 0 else -1 for n in range(0, 500, 5)]
    assert known.find(states[:0, 1:4]).tolist() == []


@pytest.mark.parametrize("row", [0, 5, 1 << 60])
def test_what_was_not_found_has_no_number(row: int) -> None:
    """A row below, between or above all states."""
    with pytest.raises(LookupError):
        numbering(np.array([[3], [9]], dtype=np.uint64)).numbers(np.array([[row]], dtype=np.uint64))
