"""The native half of the seen set: functions over batches of candidates, emitted for a fixed number of words.

A table is an array of cache lines of eight entries, read a line at a time as a vector. An entry stands in the first
line with room at or after its home line; the home is monotone in the entry's hash, so a table grows by one sequential
pass over the old and the new array, without a cache miss per entry. Lines ahead are prefetched while a batch is
inserted, so that the waits for memory overlap.

One-word states: an entry is the state itself, sent through a bijection. Wider states: an entry is 28 bits of hash and
36 bits that say where the state is stored; an equal tag leads to a comparison of all words. Neither can take two
different states for one. A state accepted in the current batch is not stored yet: its entry then names the buffer and
place of the candidate (PROVISIONAL), and `collect` replaces that by the index once it is known.

Bounds: 2^35 stored states of more than one word, 2^22 candidates in a buffer, 2^13 buffers in a batch.
"""

from __future__ import annotations

import sys
from functools import cache

from llvmlite import ir

from checker.search import build, control, crew_native, emit, parts_native, ranges_native, sift_native
from checker.search.emit import I8, I32, I64, LANES, LINE, POINTER, Code, Variable, const
from checker.search.sift_native import copy_row, difference, hash_of, is_zero, not_zero, row_at

INDEX_BITS = 36
PROVISIONAL = 1 << (INDEX_BITS - 1)
PLACE_BITS = 22
BUFFERS = 1 << (INDEX_BITS - 1 - PLACE_BITS)

# A table's descriptor: 64 bytes, so that tables of different threads share no cache line.
DESCRIPTOR = 8
LINES, COUNT, LIMIT, ZERO_SEEN = 1, 2, 3, 4
BASE = 0

AHEAD, NEAR = 48, 12
"""How many candidates ahead of the one in hand its table line is requested, and what it leads to: the next line if
this one is full, the stored state if a tag is equal."""

GROUPS_AHEAD = 4
"""The same for the entries of new candidates that get their index, in groups of eight candidates."""

_INDEX_MASK = (1 << INDEX_BITS) - 1

SIGNATURES = {
    **sift_native.SIGNATURES,
    **parts_native.SIGNATURES,
    **ranges_native.SIGNATURES,
    **crew_native.SIGNATURES,
    "insert": "pippiipppip",
    "collect": "pippippipii",
    "grow": "pipipipip",
    "place": "pipii",
}


def _stem(code: Code, key: ir.Value, table_bits: ir.Value, words: int) -> ir.Value:
    """What of a key decides the line within its table: for one word all bits but the table's, else the tag."""
    stem = code.builder.shl(key, table_bits)
    return stem if words == 1 else code.builder.and_(stem, const(~_INDEX_MASK))


def _table(code: Code, tables: ir.Value, key: ir.Value, table_bits: ir.Value) -> ir.Value:
    """The descriptor of the table that owns a key: its uppermost bits."""
    b = code.builder
    return code.at(tables, b.mul(b.lshr(key, b.sub(const(64), table_bits)), const(DESCRIPTOR)))


def _home(code: Code, tables: ir.Value, key: ir.Value, table_bits: ir.Value, words: int) -> tuple[ir.Value, ir.Value, ir.Value]:
    """Where a key's table begins, how many lines it has, and the line from which the key's entry is looked for."""
    table = _table(code, tables, key, table_bits)
    lines = code.load(table, const(LINES))
    base = code.builder.inttoptr(code.load(table, const(BASE)), POINTER)
    return base, lines, code.high_product(_stem(code, key, table_bits, words), lines)


def _next_line(code: Code, line: Variable, lines: ir.Value) -> None:
    b = code.builder
    following = b.add(line.get(), const(1))
    line.set(b.select(b.icmp_unsigned("==", following, lines), const(0), following))


def _emit_insert(module: ir.Module, words: int) -> None:
    """insert(tables, table_bits, keys, ids, i, n, flags, states, buffers, buffer, store) -> next i.

    Inserts candidates keys[i:n] in order; flags[id] = 1 for each that was not in its table. Stops early, before a
    candidate that is new to a table at its limit: the caller grows that table and resumes. `states` are the words of
    the candidates, `buffers` the addresses of all buffers of the batch, `buffer` the number of this one.
    """
    code = Code(module, "insert", SIGNATURES["insert"])
    b = code.builder
    tables, bits, keys, ids, start, n, flags, states, buffers, buffer, store = code.args
    position = code.variable(start)

    def home(key: ir.Value) -> tuple[ir.Value, ir.Value, ir.Value]:
        return _home(code, tables, key, bits, words)

    def ahead(distance: int) -> ir.Value:
        index = b.add(position.get(), const(distance))
        return code.load(keys, b.select(b.icmp_unsigned("<", index, n), index, position.get()))

    def stored(payload: ir.Value) -> ir.Value:
        """The words an entry stands for: a stored state, or a candidate of this batch."""
        provisional = not_zero(code, b.and_(payload, const(PROVISIONAL)))
        number = b.and_(b.lshr(payload, const(PLACE_BITS)), const(BUFFERS - 1))
        number = b.select(provisional, number, const(0))
        candidates = b.inttoptr(code.load(buffers, number), POINTER)
        place = b.and_(payload, const((1 << PLACE_BITS) - 1))
        return b.select(
            provisional,
            row_at(code, candidates, place, words),
            row_at(code, store, b.sub(payload, const(1)), words),
        )

    def matching(line: ir.Value, key: ir.Value) -> ir.Value:
        """The lanes of a line that hold the key (one word) or its tag."""
        if words == 1:
            return code.equal_lanes(line, code.splat(key))
        tag = b.lshr(_stem(code, key, bits, words), const(INDEX_BITS))
        tags = code.equal_lanes(b.lshr(line, code.splat(const(INDEX_BITS))), code.splat(tag))
        empty = code.equal_lanes(line, ir.Constant(LINE, [0] * LANES))
        return b.and_(tags, b.xor(empty, const(0xFF)))

    def ask(key: ir.Value) -> None:
        base, _, line = home(key)
        code.prefetch(code.at(base, b.mul(line, const(LANES))), near=False)

    begun = b.add(start, const(AHEAD))
    with code.count(start, b.select(b.icmp_unsigned("<", begun, n), begun, n)) as i:
        ask(code.load(keys, i))
    with code.loop(lambda: b.icmp_unsigned("<", position.get(), n)):
        ask(ahead(AHEAD))
        key = ahead(NEAR)
        base, _, home_line = home(key)
        line = code.line(base, home_line)
        matches = matching(line, key)
        settled = b.or_(matches, code.equal_lanes(line, ir.Constant(LINE, [0] * LANES)))
        following = b.add(home_line, b.zext(is_zero(code, settled), I64))
        target = code.at(base, b.mul(following, const(LANES)))
        if words > 1:  # the state an equal tag points to
            lane = code.first_bit(b.or_(matches, const(0x80)))
            entry = code.load(base, b.add(b.mul(home_line, const(LANES)), lane))
            state = row_at(code, store, b.sub(b.and_(entry, const(PROVISIONAL - 1)), const(1)), words)
            target = b.select(not_zero(code, matches), state, target)
            index = b.add(position.get(), const(NEAR))
            near_id = code.load(ids, b.select(b.icmp_unsigned("<", index, n), index, position.get()), I32)
            code.prefetch(row_at(code, states, near_id, words), near=True)
        code.prefetch(target, near=True)

        key = code.load(keys, position.get())
        table = _table(code, tables, key, bits)
        base, lines, first = home(key)
        stem = _stem(code, key, bits, words)
        identity = code.load(ids, position.get(), I32)
        here = code.variable(first)
        searching = code.variable(const(1))
        with code.loop(lambda: not_zero(code, searching.get())):
            line = code.line(base, here.get())
            found = code.variable(const(0))
            if words == 1:
                found.set(matching(line, key))
                zero = b.and_(not_zero(code, found.get()), is_zero(code, key))
                with b.if_then(zero, likely=False):  # equal to an empty entry: whether it was seen is noted apart
                    unseen = b.xor(code.load(table, const(ZERO_SEEN)), const(1))
                    code.store(b.or_(code.load(flags, identity, I8), unseen), flags, identity, I8)
                    code.store(const(1), table, const(ZERO_SEEN))
            else:
                row = row_at(code, states, identity, words)
                matches = code.variable(matching(line, key))
                with code.loop(lambda: not_zero(code, matches.get())):
                    lane = code.first_bit(matches.get())
                    entry = code.load(base, b.add(b.mul(here.get(), const(LANES)), lane))
                    other = stored(b.and_(entry, const(_INDEX_MASK)))
                    matches.set(b.and_(matches.get(), b.sub(matches.get(), const(1))))
                    with b.if_then(is_zero(code, difference(code, row, other, words))):
                        found.set(const(1))
                        matches.set(const(0))
            with b.if_else(not_zero(code, found.get())) as (seen, unseen):
                with seen:
                    searching.set(const(0))
                with unseen:
                    empty = code.equal_lanes(line, ir.Constant(LINE, [0] * LANES))
                    with b.if_else(not_zero(code, empty)) as (room, full):
                        with room:
                            count = code.load(table, const(COUNT))
                            at_limit = b.icmp_unsigned(">=", count, code.load(table, const(LIMIT)))
                            with b.if_then(at_limit, likely=False):
                                b.ret(position.get())
                            entry = key
                            if words > 1:
                                place = b.or_(b.shl(buffer, const(PLACE_BITS)), identity)
                                entry = b.or_(stem, b.or_(place, const(PROVISIONAL)))
                            lane = code.first_bit(empty)
                            code.store(entry, base, b.add(b.mul(here.get(), const(LANES)), lane))
                            code.store(b.add(count, const(1)), table, const(COUNT))
                            code.store(const(1), flags, identity, I8)
                            searching.set(const(0))
                        with full:
                            _next_line(code, here, lines)
        position.add(const(1))
    b.ret(n)


def _emit_collect(module: ir.Module, words: int) -> None:
    """collect(flags, n, states, parents, parent_base, states_out, parents_out, first, tables, table_bits, buffer) -> k.

    Copies the flagged candidates of a buffer, in order, to the store, with the index of their parent (32 bits of
    it), and clears the flags, of which there are n rounded up to a multiple of 8. `first` is the index of the first
    one; the entries of wider states are made to name the index instead of the candidate.
    """
    code = Code(module, "collect", SIGNATURES["collect"])
    b = code.builder
    flags, n, states, parents, parent_base, states_out, parents_out, first, tables, bits, buffer = code.args
    count = code.variable(const(0))
    groups = b.lshr(b.add(n, const(7)), const(3))
    with code.count(const(0), groups) as group:
        if words > 1:
            _ask_for_entries(code, group, groups, words)
        marks = code.variable(code.load(flags, group))
        with b.if_then(not_zero(code, marks.get())):
            code.store(const(0), flags, group)
            with code.loop(lambda: not_zero(code, marks.get())):
                place = b.add(b.mul(group, const(8)), b.lshr(code.first_bit(marks.get()), const(3)))
                marks.set(b.and_(marks.get(), b.sub(marks.get(), const(1))))
                row = row_at(code, states, place, words)
                copy_row(code, row, row_at(code, states_out, count.get(), words), words)
                parent = b.add(parent_base, code.load(parents, place, I32))
                code.store(parent, parents_out, count.get(), I32)
                if words > 1:
                    index = b.add(first, count.get())
                    _settle(code, row, place, index, tables, bits, buffer, words)
                count.add(const(1))
    b.ret(count.get())


def _ask_for_entries(code: Code, group: ir.Value, groups: ir.Value, words: int) -> None:
    """Prefetch the lines of the entries of the flagged candidates some groups ahead."""
    b = code.builder
    flags, _, states, _, _, _, _, _, tables, bits, _ = code.args
    ahead = b.add(group, const(GROUPS_AHEAD))
    ahead = b.select(b.icmp_unsigned("<", ahead, groups), ahead, group)
    marks = code.variable(code.load(flags, ahead))
    with code.loop(lambda: not_zero(code, marks.get())):
        place = b.add(b.mul(ahead, const(8)), b.lshr(code.first_bit(marks.get()), const(3)))
        marks.set(b.and_(marks.get(), b.sub(marks.get(), const(1))))
        base, _, line = _home(code, tables, hash_of(code, row_at(code, states, place, words), words), bits, words)
        code.prefetch(code.at(base, b.mul(line, const(LANES))), near=True)


def _settle(
    code: Code,
    row: ir.Value,
    place: ir.Value,
    index: ir.Value,
    tables: ir.Value,
    bits: ir.Value,
    buffer: ir.Value,
    words: int,
) -> None:
    """Find the provisional entry of a candidate, which is unique, and let it name a stored state."""
    b = code.builder
    key = hash_of(code, row, words)
    base, lines, home = _home(code, tables, key, bits, words)
    stem = _stem(code, key, bits, words)
    provisional = b.or_(b.or_(stem, const(PROVISIONAL)), b.or_(b.shl(buffer, const(PLACE_BITS)), place))
    here = code.variable(home)
    match = code.variable(const(0))
    with code.loop(lambda: is_zero(code, match.get())):
        match.set(code.equal_lanes(code.line(base, here.get()), code.splat(provisional)))
        with b.if_else(is_zero(code, match.get())) as (absent, present):
            with absent:
                _next_line(code, here, lines)
            with present:
                lane = b.add(b.mul(here.get(), const(LANES)), code.first_bit(match.get()))
                code.store(b.or_(stem, b.add(index, const(1))), base, lane)


def _emit_grow(module: ir.Module, words: int) -> None:
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
        b.store(ir.Constant(LINE, [0] * LANES), code.at(old, b.mul(left.get(), const(LANES))), align=64)
        lane = code.variable(const(0))
        with code.loop(lambda: b.icmp_unsigned("<", lane.get(), const(LANES))):
            entry = code.load(taken, lane.get())
            lane.add(const(1))
            with b.if_else(is_zero(code, entry)) as (none, some):
                with none:  # lines fill from the front: this was the last one
                    lane.set(const(LANES))
                with some:
                    stem = _stem(code, entry, bits if words == 1 else const(0), words)
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


def _emit_place(module: ir.Module, words: int) -> None:
    """place(entries, n, table, lines, table_bits) -> n. Inserts entries known to be new."""
    code = Code(module, "place", SIGNATURES["place"])
    b = code.builder
    entries, n, table, lines, bits = code.args
    with code.count(const(0), n) as i:
        entry = code.load(entries, i)
        stem = _stem(code, entry, bits if words == 1 else const(0), words)
        here = code.variable(code.high_product(stem, lines))
        empty = code.variable(const(0))
        with code.loop(lambda: is_zero(code, empty.get())):
            empty.set(code.equal_lanes(code.line(table, here.get()), ir.Constant(LINE, [0] * LANES)))
            with b.if_then(is_zero(code, empty.get())):
                _next_line(code, here, lines)
        code.store(entry, table, b.add(b.mul(here.get(), const(LANES)), code.first_bit(empty.get())))
    b.ret(n)


def _emit(words: int) -> ir.Module:
    module = ir.Module(name=f"seen_set_{words}")
    sift_native.emit_sift(module, words)
    sift_native.emit_distribute(module)
    _emit_insert(module, words)
    _emit_collect(module, words)
    ranges_native.emit_given(module, words)
    ranges_native.emit_expand_ranges(module, words)
    parts_native.emit_order_parts(module)
    parts_native.emit_insert_parts(module)
    parts_native.emit_count_parts(module)
    parts_native.emit_cut_parts(module)
    parts_native.emit_collect_parts(module, words)
    crew_native.emit_insert_owners(module)
    crew_native.emit_collect_pieces(module, words)
    crew_native.emit_lead(module)
    crew_native.emit_follow(module)
    _emit_grow(module, words)
    _emit_place(module, words)
    return module


@cache
def library(words: int) -> build.Library:
    """The functions for states of `words` words; built or loaded once per process."""
    return build.compiled(f"seen_set_{words}", lambda: _emit(words), _VERSION, SIGNATURES)


_VERSION = build.version_of(sys.modules[__name__], sift_native, parts_native, ranges_native, control, crew_native, emit, build)
