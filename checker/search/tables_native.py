"""The tables of the seen set: what an entry is, where it stands, and how a table grows.

A table is an array of cache lines of eight entries, read a line at a time as a vector. An entry stands in the first
line with room at or after its home line; the home is monotone in the entry's hash, so a table grows by one sequential
pass over the old and the new array, without a cache miss per entry.

One-word states: an entry is the state itself, sent through a bijection. Wider states: an entry is 28 bits of hash and
36 bits that say where the state is stored; an equal tag leads to a comparison of all words. Neither can take two
different states for one. A state accepted in the current batch is not stored yet: its entry then names the buffer and
place of the candidate (PROVISIONAL), and `collect` replaces that by the index once it is known.

Bounds: 2^35 stored states of more than one word, 2^22 candidates in a buffer, 2^13 buffers in a batch.
"""

from __future__ import annotations

from llvmlite import ir

from checker.search.emit import I8, LANES, LINE, POINTER, Code, Variable, const
from checker.search.sift_native import is_zero, not_zero

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

EMPTY = ir.Constant(LINE, [0] * LANES)

SIGNATURES = {"grow": "pipipipip", "place": "pipii"}


def stem_of(code: Code, key: ir.Value, table_bits: ir.Value, words: int) -> ir.Value:
    """What of a key decides the line within its table: for one word all bits but the table's, else the tag."""
    stem = code.builder.shl(key, table_bits)
    return stem if words == 1 else code.builder.and_(stem, const(~INDEX_MASK))


def table_of(code: Code, tables: ir.Value, key: ir.Value, table_bits: ir.Value) -> ir.Value:
    """The descriptor of the table that owns a key: its uppermost bits."""
    b = code.builder
    return code.at(tables, b.mul(b.lshr(key, b.sub(const(64), table_bits)), const(DESCRIPTOR)))


def home_of(
    code: Code, tables: ir.Value, key: ir.Value, table_bits: ir.Value, words: int
) -> tuple[ir.Value, ir.Value, ir.Value]:
    """Where a key's table begins, how many lines it has, and the line from which the key's entry is looked for."""
    table = table_of(code, tables, key, table_bits)
    lines = code.load(table, const(LINES))
    base = code.builder.inttoptr(code.load(table, const(BASE)), POINTER)
    return base, lines, code.high_product(stem_of(code, key, table_bits, words), lines)


def next_line(code: Code, line: Variable, lines: ir.Value) -> None:
    b = code.builder
    following = b.add(line.get(), const(1))
    line.set(b.select(b.icmp_unsigned("==", following, lines), const(0), following))


def emit_grow(module: ir.Module, words: int) -> None:
    """grow(old, line, new, new_lines, filled, table_bits, strays, capacity, count) -> lines left.

    Moves the entries of old lines [0, line), from the last line to the first, to a larger table, which may be the
    same memory: homes only move up, so what is written lies behind what is still to be read. The entries for which
    that fails (displaced far from a home near the start, or pushed past the end) are put on the list of strays, for
    `place` to insert at the end; count[0] is its length. Returns early, to be called again with a longer list, if
    another line might overflow it. `filled`, a byte per new line, counts entries and is zero at first: reading a line
    right after one of its entries was written would wait for the write.
    """
    code = Code(module, "grow", SIGNATURES["grow"])
    b = code.builder
    old, start, new, new_lines, filled, bits, strays, capacity, stray_count = code.args
    left = code.variable(start)
    with b.goto_entry_block():
        taken = b.alloca(LINE)
        taken.align = 64
    with code.loop(lambda: not_zero(code, left.get())):
        count = code.load(stray_count, const(0))
        with b.if_then(b.icmp_unsigned(">", b.add(count, const(LANES)), capacity), likely=False):
            b.ret(left.get())
        left.set(b.sub(left.get(), const(1)))
        b.store(code.line(old, left.get()), taken, align=64)
        b.store(EMPTY, code.at(old, b.mul(left.get(), const(LANES))), align=64)
        lane = code.variable(const(0))
        with code.loop(lambda: b.icmp_unsigned("<", lane.get(), const(LANES))):
            entry = code.load(taken, lane.get())
            lane.add(const(1))
            with b.if_else(is_zero(code, entry)) as (none, some):
                with none:  # lines fill from the front: this was the last one
                    lane.set(const(LANES))
                with some:
                    stem = stem_of(code, entry, bits if words == 1 else const(0), words)
                    home = code.high_product(stem, new_lines)
                    stray = b.icmp_unsigned("<", home, left.get())
                    here = code.variable(b.select(stray, new_lines, home))
                    with code.loop(lambda: _is_full(code, here, filled)):
                        here.add(const(1))
                    with b.if_else(b.icmp_unsigned("<", here.get(), new_lines), likely=True) as (fits, strays_away):
                        with fits:
                            place = code.load(filled, here.get(), I8)
                            code.store(b.add(place, const(1)), filled, here.get(), I8)
                            code.store(entry, new, b.add(b.mul(here.get(), const(LANES)), place))
                        with strays_away:
                            number = code.load(stray_count, const(0))
                            code.store(entry, strays, number)
                            code.store(b.add(number, const(1)), stray_count, const(0))
    b.ret(const(0))


def _is_full(code: Code, here: Variable, filled: ir.Value) -> ir.Value:
    """Whether a line of the table is full; `filled` has a zero byte for the place beyond the last line."""
    return code.builder.icmp_unsigned("==", code.load(filled, here.get(), I8), const(LANES))


def emit_place(module: ir.Module, words: int) -> None:
    """place(entries, n, table, lines, table_bits) -> n. Inserts entries known to be new."""
    code = Code(module, "place", SIGNATURES["place"])
    b = code.builder
    entries, n, table, lines, bits = code.args
    with code.count(const(0), n) as i:
        entry = code.load(entries, i)
        stem = stem_of(code, entry, bits if words == 1 else const(0), words)
        here = code.variable(code.high_product(stem, lines))
        empty = code.variable(const(0))
        with code.loop(lambda: is_zero(code, empty.get())):
            empty.set(code.equal_lanes(code.line(table, here.get()), EMPTY))
            with b.if_then(is_zero(code, empty.get())):
                next_line(code, here, lines)
        code.store(entry, table, b.add(b.mul(here.get(), const(LANES)), code.first_bit(empty.get())))
    b.ret(n)
