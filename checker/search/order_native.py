"""Native code that sorts states as whole rows, word by word, each word an unsigned number.

A radix sort (Knuth, *The Art of Computer Programming* 3, 5.2.5): the rows are distributed by the digits of the first
word from the lowest to the highest, where a digit is BITS bits of those that differ at all. Rows whose first words are
equal are then sorted by the next word, and so on. A few rows are sorted by insertion. The number of moves is bounded by
the number of bits of a row, whatever the rows are.

A sort that compares rows predicts half of its branches wrongly, and one by vectors needs instructions that some
processors execute slowly: numpy's takes four times as long on such a one.
"""

from __future__ import annotations

import sys
from functools import cache

import numpy as np

from checker.assembly import Operand, mask
from checker.contract import States
from checker.search import build, emit, sift_native
from checker.search.emit import Code
from checker.search.sift_native import copy_row, row_at

BITS = 9
"""Bits of a digit: a cache line for each value of it fits the first-level cache."""
FEW = 32
"""Rows that are sorted by insertion: to count digits costs as much as some 30 rows."""

SIGNATURES = {"order": "pippi", "insert": "pii"}


def _word_at(code: Code, rows: str, i: Operand, words: int, word: Operand) -> Operand:
    return code.load(rows, code.add(code.mul(i, words), word))


def emit_order(words: int) -> str:
    """order(rows, n, spare, counts, word) -> n. Sorts rows that agree in the words before `word`.

    `spare` has room for as many rows, `counts` a word for each value of a digit. It calls itself once for a word.
    """
    code = Code("order", SIGNATURES["order"])
    rows, n, spare, counts, word = code.args
    with code.when(code.compare("sle", n, FEW)):
        code.call("@insert", rows, n, word)
        code.give(f"i64 {n}")
    first, differing, moved = code.load(rows, word), code.variable(0), code.variable(0)
    for i in code.count(n):
        bits = code.bit_xor(_word_at(code, rows, i, words, word), first)
        differing.set(code.bit_or(differing.get(), bits))
    for bits in code.rounds(differing, code.not_zero):
        there, shift = moved.get(), code.lowest(bits)
        source, target = code.pick(there, spare, rows), code.pick(there, rows, spare)
        _distribute(code, source, target, word, shift, words)
        differing.set(code.bit_and(bits, code.invert(code.shl(mask(BITS), shift))))
        moved.set(code.negate(there))
    with code.when(moved.get()):
        size = code.mul(n, 8 * words)
        code.line(f"call void @llvm.memcpy.p0.p0.i64(ptr align 8 {rows}, ptr align 8 {spare}, i64 {size}, i1 false)")
    if words > 1:
        with code.when(code.compare("slt", word, words - 1)):
            _order_equal(code, words)
    return code.finish(n)


def _distribute(code: Code, source: str, target: str, word: Operand, shift: Operand, words: int) -> None:
    """Move all rows, ordered by one digit of a word; rows with equal digits keep their order."""
    n, counts = code.args[1], code.args[3]

    def digit(i: Operand) -> Operand:
        return code.bit_and(code.lshr(_word_at(code, source, i, words, word), shift), mask(BITS))

    code.clear(counts, 1 << BITS)
    for i in code.count(n):
        value = digit(i)
        code.store(code.add(code.load(counts, value), 1), counts, value)
    total = code.variable(0)
    for value in code.count(1 << BITS):  # counts become starts
        size = code.load(counts, value)
        code.store(total.get(), counts, value)
        total.add(size)
    for i in code.count(n):
        value = digit(i)
        place = code.load(counts, value)
        code.store(code.add(place, 1), counts, value)
        copy_row(code, row_at(code, source, i, words), row_at(code, target, place, words), words)


def _order_equal(code: Code, words: int) -> None:
    """Sort each group of rows whose words are equal by the next word."""
    rows, n, spare, counts, word = code.args
    begun = code.variable(0)
    for start in code.rounds(begun, lambda start: code.compare("slt", start, n)):
        end = _end_of_equal(code, start, words)
        size = code.sub(end, start)
        with code.when(code.compare("sgt", size, 1)):
            group, room = row_at(code, rows, start, words), row_at(code, spare, start, words)
            code.call("@order", group, size, room, counts, code.add(word, 1))
        begun.set(end)


def _end_of_equal(code: Code, start: Operand, words: int) -> Operand:
    """The place behind the rows from `start` on whose words are equal."""
    rows, n, _, _, word = code.args
    value, last = _word_at(code, rows, start, words, word), code.sub(n, 1)

    def equal(i: Operand) -> Operand:
        same = code.compare("eq", _word_at(code, rows, code.least(i, last), words, word), value)
        return code.bit_and(code.compare("slt", i, n), same)

    end = code.variable(code.add(start, 1))
    for i in code.rounds(end, equal):
        end.set(code.add(i, 1))
    return end.get()


def emit_insert(words: int) -> str:
    """insert(rows, n, word) -> n. As `order`, for few rows."""
    code = Code("insert", SIGNATURES["insert"])
    rows, n, word = code.args
    held = code.slot(words)

    def above(place: Operand) -> Operand:
        """Whether a row is before this place and above the one in hand."""
        inside = code.compare("sgt", place, 0)
        row, at = row_at(code, rows, code.select(inside, code.sub(place, 1), 0), words), code.variable(word)
        if words > 1:
            for k in code.rounds(at, lambda k: _equal_and_not_last(code, row, held, k, words)):
                at.set(code.add(k, 1))
        k = at.get()
        return code.bit_and(inside, code.compare("ugt", code.load(row, k), code.load(held, k)))

    for i in code.count(n, 1):
        copy_row(code, row_at(code, rows, i, words), held, words)
        hole = code.variable(i)
        for place in code.rounds(hole, above):
            before = code.sub(place, 1)
            copy_row(code, row_at(code, rows, before, words), row_at(code, rows, place, words), words)
            hole.set(before)
        copy_row(code, held, row_at(code, rows, hole.get(), words), words)
    return code.finish(n)


def _equal_and_not_last(code: Code, left: str, right: str, k: Operand, words: int) -> Operand:
    return code.bit_and(code.compare("slt", k, words - 1), code.compare("eq", code.load(left, k), code.load(right, k)))


@cache
def _library(words: int) -> build.Library:
    def text() -> str:
        return emit.module(emit_order(words), emit_insert(words))

    return build.compiled(f"order_{words}", text, _VERSION, SIGNATURES)


def order(states: States) -> None:
    """Sort states (n, words), contiguous, in place. It takes as much memory again."""
    n, words = states.shape
    if n > 1:
        spare, counts = np.empty_like(states), np.empty(1 << BITS, dtype=np.uint64)
        _library(words)["order"](states.ctypes.data, n, spare.ctypes.data, counts.ctypes.data, 0)


_VERSION = build.version_of(sys.modules[__name__], sift_native, emit, build)
