"""Native code for states on disk: compression of rows, and a filter that shows of most rows that they are not there.

A row is written as its difference from the row before: the first word subtracted, because sorted rows have small
differences there, the others xored; of each word the low bytes up to the last non-zero one. Their number, 0 to 8, is
stored separately. Any rows can be written in this way; sorted ones need the fewest bytes.

The filter is Bloom's (1970) in blocks of one word (Putze, Sanders and Singler, 2007, section 3): a row sets HASHES bits
of one word, so a lookup is one cache miss. It never excludes a row that was added.
"""

from __future__ import annotations

import sys
from functools import cache

from checker.assembly import Operand
from checker.search import build, emit, sift_native
from checker.search.emit import Code
from checker.search.sift_native import hash_of, row_at

HASHES = 5
"""The number of bits that a row sets in a word; 6 bits of its hash choose each bit, from below, and the upper ones
choose the word.
"""

AHEAD = 16
"""Rows."""

SIGNATURES = {"encode": "pipp", "decode": "pipp", "remember": "pipi", "suspect": "pipip"}


def _byte_address(code: Code, base: str, place: Operand) -> str:
    return code.address(base, place, bits=8)


def emit_encode(words: int) -> str:
    """encode(rows, n, sizes, out) -> bytes written. `sizes` has a byte for each word; `out` room for 8 n words + 8."""
    code = Code("encode", SIGNATURES["encode"])
    rows, n, sizes, out = code.args
    before, written = code.slot(words), code.variable(0)
    for word in code.repeat(words):
        code.store(0, before, word)
    for i in code.count(n):
        row = row_at(code, rows, i, words)
        for word in code.repeat(words):
            value = code.load(row, word)
            old = code.load(before, word)
            first = code.compare("eq", word, 0)
            change = code.select(first, code.sub(value, old), code.bit_xor(value, old))
            code.store(value, before, word)
            zeros = code.register(f"call i64 @llvm.ctlz.i64(i64 {change}, i1 false)")
            size = code.lshr(code.sub(71, zeros), 3)
            code.line(f"store i64 {change}, ptr {_byte_address(code, out, written.get())}, align 1")
            code.store(size, sizes, code.add(code.mul(i, words), word), bits=8)
            written.add(size)
    return code.finish(written.get())


def emit_decode(words: int) -> str:
    """decode(data, n, sizes, rows) -> bytes read. `data` can be read 8 bytes beyond its end; sizes are at most 8."""
    code = Code("decode", SIGNATURES["decode"])
    data, n, sizes, rows = code.args
    before, taken = code.slot(words), code.variable(0)
    for word in code.repeat(words):
        code.store(0, before, word)
    for i in code.count(n):
        row = row_at(code, rows, i, words)
        for word in code.repeat(words):
            size = code.load(sizes, code.add(code.mul(i, words), word), bits=8)
            raw = code.register(f"load i64, ptr {_byte_address(code, data, taken.get())}, align 1")
            beyond = code.bit_and(code.sub(64, code.mul(size, 8)), 63)
            change = code.select(code.is_zero(size), 0, code.bit_and(raw, code.lshr(-1, beyond)))
            old = code.load(before, word)
            first = code.compare("eq", word, 0)
            value = code.select(first, code.add(old, change), code.bit_xor(old, change))
            code.store(value, before, word)
            code.store(value, row, word)
            taken.add(size)
    return code.finish(taken.get())


def _bits(code: Code, key: Operand) -> Operand:
    """The bits that a hash sets in its word of the filter."""
    bits: Operand = 0
    for i in range(HASHES):
        bits = code.bit_or(bits, code.shl(1, code.bit_and(code.lshr(key, 6 * i), 63)))
    return bits


def _ahead(code: Code, rows: str, i: Operand, n: Operand, words: int, table: str, size: Operand) -> None:
    """Prefetch the word of a later row, so that the waits for memory overlap."""
    later = code.least(code.add(i, AHEAD), code.sub(n, 1))
    key = hash_of(code, row_at(code, rows, later, words), words)
    code.prefetch(code.address(table, code.high_product(key, size)), near=True)


def emit_remember(words: int) -> str:
    """remember(rows, n, filter, size) -> n. Sets the bits of rows in a filter of `size` words."""
    code = Code("remember", SIGNATURES["remember"])
    rows, n, table, size = code.args
    for i in code.count(n):
        key = hash_of(code, row_at(code, rows, i, words), words)
        place = code.high_product(key, size)
        code.store(code.bit_or(code.load(table, place), _bits(code, key)), table, place)
        _ahead(code, rows, i, n, words, table, size)
    return code.finish(n)


def emit_suspect(words: int) -> str:
    """suspect(rows, n, filter, size, flags) -> n. A byte for each row: 0 if it was never added."""
    code = Code("suspect", SIGNATURES["suspect"])
    rows, n, table, size, flags = code.args
    for i in code.count(n):
        key = hash_of(code, row_at(code, rows, i, words), words)
        bits, found = _bits(code, key), code.load(table, code.high_product(key, size))
        code.store(code.compare("eq", code.bit_and(bits, found), bits), flags, i, bits=8)
        _ahead(code, rows, i, n, words, table, size)
    return code.finish(n)


def _emit(words: int) -> str:
    parts = (emit_encode, emit_decode, emit_remember, emit_suspect)
    return emit.module("declare i64 @llvm.ctlz.i64(i64, i1)\n", *(part(words) for part in parts))


@cache
def library(words: int) -> build.Library:
    """The functions for rows of `words` words; built or loaded once per process."""
    return build.compiled(f"runs_{words}", lambda: _emit(words), _VERSION, SIGNATURES)


_VERSION = build.version_of(sys.modules[__name__], sift_native, emit, build)
