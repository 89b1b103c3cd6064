"""The tables of the seen set: the entries, their places, and how a table grows.

A table is an array of cache lines of eight entries, read a line at a time as a vector. An entry is in the first line
with room at or after its home line; the home is monotone in the entry's hash, so a table grows in one sequential pass.

One-word states: an entry is the image of the state under a bijection. Wider states: an entry is 28 bits of hash and 36
bits with the place of the stored state; for an equal tag all words are compared. Neither can confuse two different
states. A state accepted in the current batch is not stored yet: its entry then names the buffer and place of the
candidate (PROVISIONAL), and `collect` replaces this by the index.

Bounds: 2^35 stored states of more than one word, 2^22 candidates in a buffer, 2^13 buffers in a batch.
"""

from __future__ import annotations

from checker.assembly import Operand, Variable
from checker.search.emit import EMPTY, LANES, Code

INDEX_BITS = 36
INDEX_MASK = (1 << INDEX_BITS) - 1
PROVISIONAL = 1 << (INDEX_BITS - 1)
PLACE_BITS = 22
BUFFERS = 1 << (INDEX_BITS - 1 - PLACE_BITS)

DESCRIPTOR = 8
"""Words of a table's descriptor, 64 bytes, so that tables of different threads share no cache line."""
BASE, LINES, COUNT, LIMIT, ZERO_SEEN, IGNORED = range(6)
"""Where the lines are and how many; how many entries there are, and from how many on the table is to grow; whether the
state whose entry would be 0 was seen; a word that is written and never read."""

SIGNATURES = {"grow": "pipipipip", "place": "pipii"}


def stem_of(code: Code, key: Operand, table_bits: Operand, words: int) -> Operand:
    """The bits of a key that determine its line within its table: for one word all except the table's, else the tag."""
    stem = code.shl(key, table_bits)
    return stem if words == 1 else code.bit_and(stem, ~INDEX_MASK)


def table_of(code: Code, tables: str, key: Operand, table_bits: Operand) -> str:
    """The descriptor of the table that owns a key, chosen by its uppermost bits."""
    return code.address(tables, code.mul(code.lshr(key, code.sub(64, table_bits)), DESCRIPTOR))


def home_of(code: Code, tables: str, key: Operand, table_bits: Operand, words: int) -> tuple[str, Operand, Operand]:
    """Where a key's table begins, how many lines it has, and the line at which the search for the key's entry
    begins."""
    table = table_of(code, tables, key, table_bits)
    lines = code.load(table, LINES)
    base = code.pointer(code.load(table, BASE))
    return base, lines, code.high_product(stem_of(code, key, table_bits, words), lines)


def next_line(code: Code, line: Variable, lines: Operand) -> None:
    following = code.add(line.get(), 1)
    line.set(code.select(code.compare("eq", following, lines), 0, following))


def emit_grow(words: int) -> str:
    """grow(old, line, new, new_lines, filled, table_bits, strays, capacity, count) -> lines left.

    Moves the entries of old lines [0, line), from the last line to the first, to a larger table, which may be the
    same memory: homes only move up, so what is written lies behind what is still to be read. The entries for which
    that fails (displaced far from a home near the start, or pushed past the end) are put on the list of strays, for
    `place` to insert at the end; count[0] is its length. Returns early, to be called again with a longer list, if
    another line might overflow it. `filled`, a byte per new line, counts entries and is zero at first: reading a line
    right after one of its entries was written would wait for the write.
    """
    code = Code("grow", SIGNATURES["grow"])
    old, start, new, new_lines, filled, bits, strays, capacity, stray_count = code.args
    left, taken = code.variable(start), code.slot(LANES, align=64)
    for _ in code.rounds(left, code.not_zero):
        with code.when(code.compare("ugt", code.add(code.load(stray_count), LANES), capacity), rare=True):
            code.give(f"i64 {left.get()}")
        left.set(code.sub(left.get(), 1))
        code.store_line(code.load_line(old, left.get()), taken)
        code.store_line(EMPTY, code.entries(old, left.get()))
        lane = code.variable(0)
        for number in code.rounds(lane, lambda number: code.compare("ult", number, LANES)):
            entry = code.load(taken, number)
            lane.add(1)
            with code.either(code.is_zero(entry)) as otherwise:
                lane.set(LANES)  # lines fill from the front: this was the last one
                otherwise()
                stem = stem_of(code, entry, bits if words == 1 else 0, words)
                home = code.high_product(stem, new_lines)
                stray = code.compare("ult", home, left.get())
                here = code.variable(code.select(stray, new_lines, home))
                # `filled` has a zero byte for the place beyond the last line
                for at in code.rounds(here, lambda at: code.compare("eq", code.load(filled, at, bits=8), LANES)):
                    here.set(code.add(at, 1))
                line = here.get()
                with code.either(code.compare("uge", line, new_lines), rare=True) as fits:
                    number = code.load(stray_count)
                    code.store(entry, strays, number)
                    code.store(code.add(number, 1), stray_count)
                    fits()
                    place = code.load(filled, line, bits=8)
                    code.store(code.add(place, 1), filled, line, bits=8)
                    code.store(entry, new, code.add(code.mul(line, LANES), place))
    return code.finish(0)


def emit_place(words: int) -> str:
    """place(entries, n, table, lines, table_bits) -> n. Inserts entries known to be new."""
    code = Code("place", SIGNATURES["place"])
    entries, n, table, lines, bits = code.args
    for i in code.count(n):
        entry = code.load(entries, i)
        stem = stem_of(code, entry, bits if words == 1 else 0, words)
        here, empty = code.variable(code.high_product(stem, lines)), code.variable(0)
        for _ in code.rounds(empty, code.is_zero):
            empty.set(code.equal_lanes(code.load_line(table, here.get()), EMPTY))
            with code.when(code.is_zero(empty.get())):
                next_line(code, here, lines)
        code.store(entry, table, code.add(code.mul(here.get(), LANES), code.lowest(empty.get())))
    return code.finish(n)
