"""Native code of the index from states to their numbers: a hash table of numbers, with linear probing.

An entry is 28 bits of a state's hash and its number; for an equal tag all words are compared with the state of that
number, so two states are never confused. Lookups go in blocks: the hashes of a block first, then the states that their
entries name, then the comparisons, so that the waits for memory overlap.

Where it stops: at 2^36 - 1 states.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import cache

from checker.assembly import Operand, mask
from checker.search import build, emit, sift_native
from checker.search.emit import Code
from checker.search.sift_native import HASHED, difference, hash_of, row_at

INDEX_BITS = 36
"""Bits of an entry for the number of a state, from 1 on; 0 is an empty entry."""

SIGNATURES = {"enter": "pipi", "find": "pippip"}


def _home(code: Code, key: Operand, size: Operand) -> Operand:
    """Where the search for an entry begins: the upper bits of the hash decide."""
    return code.high_product(key, size)


def _after(code: Code, place: Operand, size: Operand) -> Operand:
    following = code.add(place, 1)
    return code.select(code.compare("eq", following, size), 0, following)


def _state_of(code: Code, entry: Operand, states: str, words: int) -> str:
    """The state that an entry names; for an empty one no valid address."""
    return row_at(code, states, code.sub(code.bit_and(entry, mask(INDEX_BITS)), 1), words)


def _hashed(code: Code, rows: str, entries: str, size: Operand, words: int) -> Iterator[tuple[Operand, Operand, str]]:
    """Blocks of rows: the first, the one behind the last, and where their hashes are; their entries are requested."""
    keys, begun, n = code.slot(HASHED), code.variable(0), code.args[1]
    for start in code.rounds(begun, lambda start: code.compare("slt", start, n)):
        stop = code.least(code.add(start, HASHED), n)
        for i in code.count(stop, start):
            key = hash_of(code, row_at(code, rows, i, words), words)
            code.store(key, keys, code.sub(i, start))
            code.prefetch(code.address(entries, _home(code, key, size)), near=True)
        yield start, stop, keys
        begun.set(stop)


def _emit_enter(words: int) -> str:
    """enter(states, n, entries, size) -> n. Enters all states, numbered from 0; there are more entries than states."""
    code = Code("enter", SIGNATURES["enter"])
    states, n, entries, size = code.args
    for start, stop, keys in _hashed(code, states, entries, size, words):
        for i in code.count(stop, start):
            key = code.load(keys, code.sub(i, start))
            place = code.variable(_home(code, key, size))
            for here in code.rounds(place, lambda here: code.not_zero(code.load(entries, here))):
                place.set(_after(code, here, size))
            code.store(code.bit_or(code.shl(key, INDEX_BITS), code.add(i, 1)), entries, place.get())
    return code.finish(n)


def _emit_find(words: int) -> str:
    """find(rows, n, states, entries, size, found) -> n. Writes the number of each row, -1 for a row that is none of the
    states."""
    code = Code("find", SIGNATURES["find"])
    rows, n, states, entries, size, _ = code.args
    for start, stop, keys in _hashed(code, rows, entries, size, words):
        for i in code.count(stop, start):
            key = code.load(keys, code.sub(i, start))
            code.prefetch(_state_of(code, code.load(entries, _home(code, key, size)), states, words), near=True)
        for i in code.count(stop, start):
            _search(code, i, code.load(keys, code.sub(i, start)), words)
    return code.finish(n)


def _search(code: Code, i: Operand, key: Operand, words: int) -> None:
    """Write the number of one row."""
    rows, _, states, entries, size, found = code.args
    row, tag = row_at(code, rows, i, words), code.shl(key, INDEX_BITS)
    code.store(-1, found, i)
    place = code.variable(_home(code, key, size))
    entry = code.variable(code.load(entries, place.get()))
    for this in code.rounds(entry, code.not_zero):
        place.set(_after(code, place.get(), size))
        entry.set(code.load(entries, place.get()))
        with code.when(code.compare("eq", code.bit_and(this, ~mask(INDEX_BITS)), tag)):
            with code.when(code.is_zero(difference(code, row, _state_of(code, this, states, words), words))):
                code.store(code.sub(code.bit_and(this, mask(INDEX_BITS)), 1), found, i)
                entry.set(0)


def _emit(words: int) -> str:
    return emit.module(_emit_enter(words), _emit_find(words))


@cache
def library(words: int, quick: bool = False) -> build.Library:
    """The functions for states of `words` words; built or loaded once per process.  quick: without optimisation."""
    return build.compiled(f"numbering_{words}", lambda: _emit(words), _VERSION, SIGNATURES, quick)


_VERSION = build.version_of(sys.modules[__name__], sift_native, emit, build)
