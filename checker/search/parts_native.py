"""Native code over all the parts of a batch at once, so that a phase is one call for each thread.

A call from Python releases its lock and must acquire it again. With several threads that is a wait for another thread,
tens of microseconds each time: a call for every part and owner took a fifth of a search. The parts are given as a
table, a row of COLUMNS numbers each; `insert_native` and `collect_native` do the work.
"""

from __future__ import annotations

from functools import partial

from checker.assembly import Operand
from checker.search.emit import Code

COLUMNS = 12
KEYS, IDS, OFFSETS, FLAGS, STATES, PARENTS, CAPACITY, KEPT, BASE, RANGE, BUFFER, FIRST = range(COLUMNS)
"""Addresses of a part's arrays (OFFSETS: where each owner's candidates begin and end in keys and ids); how many
candidates it has room for and has; what is added to their parents; the range they come from; the number of its buffer;
the index of its first new state."""

CURSOR = 3
"""Words of a cursor: the part and the candidate to continue from (at first a part not begun: NOT_BEGUN), and the key
whose table was full.
"""
NOT_BEGUN = -1

SIGNATURES = {
    "order_parts": "pipip",
    "insert_parts": "pippiipp",
    "count_parts": "pii",
    "cut_parts": "piiipi",
    "collect_parts": "piipppi",
}


def place_of(code: Code, part: Operand, column: int) -> Operand:
    """Where a number of a part stands in a table of parts."""
    return code.add(code.mul(part, COLUMNS), column)


def column_of(code: Code, parts: str, part: Operand, column: int) -> str:
    return code.load(parts, place_of(code, part, column))


def _pointer(code: Code, parts: str, part: Operand, column: int) -> str:
    return code.pointer(column_of(code, parts, part, column))


def emit_order_parts() -> str:
    """order_parts(pool, taken, parts, ranges, addresses) -> taken.

    Copies the first rows of the table of buffers to that of the parts, those of one range after those of the ranges
    before it; the address of each part's states is noted apart as well.
    """
    code = Code("order_parts", SIGNATURES["order_parts"])
    pool, taken, parts, ranges, addresses = code.args
    ordered = code.variable(0)
    for wanted in code.count(ranges):
        for row in code.count(taken):
            with code.when(code.compare("eq", column_of(code, pool, row, RANGE), wanted)):
                part = ordered.get()
                for column in range(COLUMNS):
                    value = row if column == BUFFER else column_of(code, pool, row, column)
                    code.store(value, parts, place_of(code, part, column))
                code.store(column_of(code, pool, row, STATES), addresses, part)
                ordered.add(1)
    return code.finish(ordered.get())


def emit_insert_parts() -> str:
    """insert_parts(tables, table_bits, cursor, parts, n, owner, buffers, store) -> 1 if done, else 0.

    Inserts an owner's candidates of all n parts in order, from the cursor on. Stops early if a table is full: the
    cursor then has the place to continue from and the key, and the caller grows that key's table and calls again.
    """
    code = Code("insert_parts", SIGNATURES["insert_parts"])
    tables, bits, cursor, parts, n, owner, buffers, store = code.args
    here = code.variable(code.load(cursor))
    for part in code.rounds(here, lambda part: code.compare("ult", part, n)):
        keys, ids, offsets, flags, states = (
            _pointer(code, parts, part, column) for column in (KEYS, IDS, OFFSETS, FLAGS, STATES)
        )
        stop, begun = code.load(offsets, code.add(owner, 1)), code.load(cursor, 1)
        start = code.select(code.compare("slt", begun, 0), code.load(offsets, owner), begun)
        reached = code.call("@insert", tables, bits, keys, ids, start, stop, flags, states, buffers, part, store)
        with code.when(code.compare("ult", reached, stop), rare=True):
            for i, value in enumerate((part, reached, code.load(keys, reached))):
                code.store(value, cursor, i)
            code.give("i64 0")
        code.store(NOT_BEGUN, cursor, 1)
        here.add(1)
    return code.finish(1)


def emit_count_parts() -> str:
    """count_parts(parts, n, first) -> the number of flagged candidates of all parts; fills the column FIRST, from
    `first` on."""
    code = Code("count_parts", SIGNATURES["count_parts"])
    parts, n, first = code.args
    index = code.variable(first)
    for part in code.count(n):
        code.store(index.get(), parts, place_of(code, part, FIRST))
        flags = _pointer(code, parts, part, FLAGS)
        for group in code.count(code.lshr(code.add(column_of(code, parts, part, KEPT), 7), 3)):
            index.add(code.population(code.load(flags, group)))
    return code.finish(code.sub(index.get(), first))


def emit_cut_parts() -> str:
    """cut_parts(parts, n, first, new, cuts, pieces) -> n.

    Cuts the n parts, whose new states have the indices first .. first + new - 1, into pieces [cuts[k], cuts[k + 1]) of
    about as many new states each; a piece may be empty.
    """
    code = Code("cut_parts", SIGNATURES["cut_parts"])
    parts, n, first, new, cuts, pieces = code.args
    place = code.variable(0)

    def before(part: Operand, wanted: Operand) -> Operand:
        inside = code.compare("ult", part, n)
        here = column_of(code, parts, code.select(inside, part, 0), FIRST)
        return code.bit_and(inside, code.compare("ult", here, wanted))

    for piece in code.count(pieces):
        wanted = code.add(first, code.udiv(code.mul(new, piece), pieces))
        for part in code.rounds(place, partial(before, wanted=wanted)):
            place.set(code.add(part, 1))
        code.store(place.get(), cuts, piece)
    code.store(n, cuts, pieces)
    return code.finish(n)


def emit_collect_parts(words: int) -> str:
    """collect_parts(parts, start, stop, states, parents, tables, table_bits) -> stop.

    Copies the flagged candidates of the parts [start, stop) to their places, of which `states` and `parents` are the
    whole arrays.
    """
    code = Code("collect_parts", SIGNATURES["collect_parts"])
    parts, start, stop, states, parents, tables, bits = code.args
    for part in code.count(stop, start):
        first, kept, base = (column_of(code, parts, part, column) for column in (FIRST, KEPT, BASE))
        flags, own_states, own_parents = (_pointer(code, parts, part, c) for c in (FLAGS, STATES, PARENTS))
        states_out, parents_out = code.address(states, code.mul(first, words)), code.address(parents, first, bits=32)
        code.call(
            *("@collect", flags, kept, own_states, own_parents, base),
            *(states_out, parents_out, first, tables, bits, part),
        )
    return code.finish(stop)
