"""Native code over all the parts of a batch at once, so that a phase is one call for each thread.

A call from Python gives its lock up and must get it back. With several threads that is a wait for another thread, tens
of microseconds each time: a call for every part and owner spent a fifth of a search that way. The parts are given as a
table, a row of COLUMNS numbers each; `insert_native` and `collect_native` do the work.
"""

from __future__ import annotations

from llvmlite import ir

from checker.search.emit import POINTER, Code, const

COLUMNS = 12
KEYS, IDS, OFFSETS, FLAGS, STATES, PARENTS, CAPACITY, KEPT, BASE, RANGE, BUFFER, FIRST = range(COLUMNS)
"""Addresses of a part's arrays (OFFSETS: where each owner's candidates begin and end in keys and ids); how many
candidates it has room for and has; what is added to their parents; the range they come from; the number of its buffer;
the index of its first new state."""

CURSOR = 3
"""Words of a cursor: the part and the candidate to go on from (at first a part not begun: NOT_BEGUN), and the key that
found its table full."""
NOT_BEGUN = -1

SIGNATURES = {
    "order_parts": "pipip",
    "insert_parts": "pippiipp",
    "count_parts": "pii",
    "cut_parts": "piiipi",
    "collect_parts": "piipppi",
}


def _column(code: Code, parts: ir.Value, part: ir.Value, column: int) -> ir.Value:
    return code.load(parts, code.builder.add(code.builder.mul(part, const(COLUMNS)), const(column)))


def _pointer(code: Code, parts: ir.Value, part: ir.Value, column: int) -> ir.Value:
    return code.builder.inttoptr(_column(code, parts, part, column), POINTER)


def emit_order_parts(module: ir.Module) -> None:
    """order_parts(pool, taken, parts, ranges, addresses) -> taken.

    Copies the first rows of the table of buffers to that of the parts, those of one range after those of the ranges
    before it; the address of each part's states is noted apart as well.
    """
    code = Code(module, "order_parts", SIGNATURES["order_parts"])
    b = code.builder
    pool, taken, parts, ranges, addresses = code.args
    part = code.variable(const(0))
    with code.count(const(0), ranges) as wanted:
        with code.count(const(0), taken) as row:
            given = b.icmp_signed("==", _column(code, pool, row, RANGE), wanted)
            with b.if_then(given):
                for column in range(COLUMNS):
                    value = row if column == BUFFER else _column(code, pool, row, column)
                    code.store(value, parts, b.add(b.mul(part.get(), const(COLUMNS)), const(column)))
                code.store(_column(code, pool, row, STATES), addresses, part.get())
                part.add(const(1))
    b.ret(part.get())


def emit_insert_parts(module: ir.Module) -> None:
    """insert_parts(tables, table_bits, cursor, parts, n, owner, buffers, store) -> 1 if done, else 0.

    Inserts an owner's candidates of all n parts in order, from the cursor on. Stops early if a table is full: the
    cursor then says where to go on and which key it was, and the caller grows that key's table and calls again.
    """
    code = Code(module, "insert_parts", SIGNATURES["insert_parts"])
    b = code.builder
    tables, bits, cursor, parts, n, owner, buffers, store = code.args
    part = code.variable(code.load(cursor, const(0)))
    with code.loop(lambda: b.icmp_unsigned("<", part.get(), n)):
        keys = _pointer(code, parts, part.get(), KEYS)
        offsets = _pointer(code, parts, part.get(), OFFSETS)
        stop = code.load(offsets, b.add(owner, const(1)))
        begun = code.load(cursor, const(1))
        start = b.select(b.icmp_signed("<", begun, const(0)), code.load(offsets, owner), begun)
        reached = b.call(
            module.globals["insert"],
            [
                tables,
                bits,
                keys,
                _pointer(code, parts, part.get(), IDS),
                start,
                stop,
                _pointer(code, parts, part.get(), FLAGS),
                _pointer(code, parts, part.get(), STATES),
                buffers,
                part.get(),
                store,
            ],
        )
        with b.if_then(b.icmp_unsigned("<", reached, stop), likely=False):
            code.store(part.get(), cursor, const(0))
            code.store(reached, cursor, const(1))
            code.store(code.load(keys, reached), cursor, const(2))
            b.ret(const(0))
        code.store(const(NOT_BEGUN), cursor, const(1))
        part.add(const(1))
    b.ret(const(1))


def emit_count_parts(module: ir.Module) -> None:
    """count_parts(parts, n, first) -> the number of flagged candidates of all parts; fills the column FIRST, from
    `first` on."""
    code = Code(module, "count_parts", SIGNATURES["count_parts"])
    b = code.builder
    parts, n, first = code.args
    index = code.variable(first)
    with code.count(const(0), n) as part:
        code.store(index.get(), parts, b.add(b.mul(part, const(COLUMNS)), const(FIRST)))
        flags = _pointer(code, parts, part, FLAGS)
        groups = b.lshr(b.add(_column(code, parts, part, KEPT), const(7)), const(3))
        with code.count(const(0), groups) as group:
            index.add(code.set_bits(code.load(flags, group)))
    b.ret(b.sub(index.get(), first))


def emit_cut_parts(module: ir.Module) -> None:
    """cut_parts(parts, n, first, new, cuts, pieces) -> n.

    Cuts the n parts, whose new states have the indices first .. first + new - 1, into pieces [cuts[k], cuts[k + 1]) of
    about as many new states each; a piece may be empty.
    """
    code = Code(module, "cut_parts", SIGNATURES["cut_parts"])
    b = code.builder
    parts, n, first, new, cuts, pieces = code.args
    place = code.variable(const(0))
    with code.count(const(0), pieces) as piece:
        wanted = b.add(first, b.udiv(b.mul(new, piece), pieces))

        def before(wanted: ir.Value = wanted) -> ir.Value:
            inside = b.icmp_unsigned("<", place.get(), n)
            here = b.select(inside, place.get(), const(0))
            return b.and_(inside, b.icmp_unsigned("<", _column(code, parts, here, FIRST), wanted))

        with code.loop(before):
            place.add(const(1))
        code.store(place.get(), cuts, piece)
    code.store(n, cuts, pieces)
    b.ret(n)


def emit_collect_parts(module: ir.Module, words: int) -> None:
    """collect_parts(parts, start, stop, states, parents, tables, table_bits) -> stop.

    Copies the flagged candidates of the parts [start, stop) to their places, of which `states` and `parents` are the
    whole arrays.
    """
    code = Code(module, "collect_parts", SIGNATURES["collect_parts"])
    b = code.builder
    parts, start, stop, states, parents, tables, bits = code.args
    with code.count(start, stop) as part:
        first = _column(code, parts, part, FIRST)
        b.call(
            module.globals["collect"],
            [
                _pointer(code, parts, part, FLAGS),
                _column(code, parts, part, KEPT),
                _pointer(code, parts, part, STATES),
                _pointer(code, parts, part, PARENTS),
                _column(code, parts, part, BASE),
                code.at(states, b.mul(first, const(words))),
                b.gep(parents, [first], source_etype=ir.IntType(32)),
                first,
                tables,
                bits,
                part,
            ],
        )
    b.ret(stop)
