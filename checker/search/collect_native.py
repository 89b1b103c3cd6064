"""Native code of the third phase of a batch: new states are copied to the store, and entries that named a candidate are
made to name the state.

For one word no branch depends on whether a candidate is new, since no processor can guess that.
"""

from __future__ import annotations

from llvmlite import ir

from checker.search.emit import I8, I32, LANES, Code, Variable, const
from checker.search.sift_native import copy_row, hash_of, is_zero, not_zero, row_at
from checker.search.tables_native import PLACE_BITS, PROVISIONAL, home_of, next_line, stem_of

GROUPS_AHEAD = 4
"""How many groups of eight candidates ahead the entries of new ones are requested."""

SIGNATURES = {"collect": "pippippipii"}


def emit_collect(module: ir.Module, words: int) -> None:
    """collect(flags, n, states, parents, parent_base, states_out, parents_out, first, tables, table_bits, buffer) -> k.

    Copies the flagged candidates of a buffer, in order, to the store, with the index of their parent (32 bits of
    it), and clears the flags, of which there are n rounded up to a multiple of 8. `first` is the index of the first
    one; the entries of wider states are made to name the index instead of the candidate.
    """
    code = Code(module, "collect", SIGNATURES["collect"])
    b = code.builder
    n = code.args[1]
    count = code.variable(const(0))
    groups = b.lshr(b.add(n, const(7)), const(3))
    if words == 1:
        _collect_words(code, groups, count)
    else:
        _collect_rows(code, groups, count, words)
    b.ret(count.get())


def _collect_words(code: Code, groups: ir.Value, count: Variable) -> None:
    """Copy every candidate, each over the one before if that was not flagged."""
    b = code.builder
    flags, _, states, parents, base, states_out, parents_out, _, _, _, _ = code.args
    wanted = code.variable(const(0))
    with code.count(const(0), groups) as group:
        wanted.add(code.set_bits(code.load(flags, group)))
    place = code.variable(const(0))
    # not to write behind the last, where another thread writes
    with code.loop(lambda: b.icmp_unsigned("<", count.get(), wanted.get())):
        code.store(code.load(states, place.get()), states_out, count.get())
        code.store(b.add(base, code.load(parents, place.get(), I32)), parents_out, count.get(), I32)
        count.add(code.load(flags, place.get(), I8))
        place.add(const(1))
    with code.count(const(0), groups) as group:
        code.store(const(0), flags, group)


def _collect_rows(code: Code, groups: ir.Value, count: Variable, words: int) -> None:
    """Copy the flagged candidates, and have their entries name them as stored."""
    b = code.builder
    flags, _, states, parents, parent_base, states_out, parents_out, first, tables, bits, buffer = code.args
    with code.count(const(0), groups) as group:
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
                _settle(code, row, place, b.add(first, count.get()), tables, bits, buffer, words)
                count.add(const(1))


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
        base, _, line = home_of(code, tables, hash_of(code, row_at(code, states, place, words), words), bits, words)
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
    base, lines, home = home_of(code, tables, key, bits, words)
    stem = stem_of(code, key, bits, words)
    provisional = b.or_(b.or_(stem, const(PROVISIONAL)), b.or_(b.shl(buffer, const(PLACE_BITS)), place))
    here = code.variable(home)
    match = code.variable(const(0))
    with code.loop(lambda: is_zero(code, match.get())):
        match.set(code.equal_lanes(code.line(base, here.get()), code.splat(provisional)))
        with b.if_else(is_zero(code, match.get())) as (absent, present):
            with absent:
                next_line(code, here, lines)
            with present:
                lane = b.add(b.mul(here.get(), const(LANES)), code.first_bit(match.get()))
                code.store(b.or_(stem, b.add(index, const(1))), base, lane)
