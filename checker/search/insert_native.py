"""Native code of the second phase of a batch: candidates are looked up in the tables, and those not met before entered.

Lines ahead are prefetched while a batch is inserted, so that the waits for memory overlap.

Whether a candidate is new cannot be predicted once candidates are sorted by owner: neighbours have nothing to do with
each other. For one word nothing depends on it but data: a key that is there already is written to a word that nobody
reads.  (As a branch, it cost a third of the phase.)  For wider states the comparison with a stored state comes first,
and costs more than a wrong guess.
"""

from __future__ import annotations

from llvmlite import ir

from checker.search.emit import I8, I32, I64, LANES, POINTER, Code, const
from checker.search.sift_native import difference, is_zero, not_zero, row_at
from checker.search.tables_native import (
    BUFFERS,
    COUNT,
    EMPTY,
    IGNORED,
    INDEX_BITS,
    INDEX_MASK,
    LIMIT,
    PLACE_BITS,
    PROVISIONAL,
    ZERO_SEEN,
    home_of,
    next_line,
    stem_of,
    table_of,
)

AHEAD, NEAR = 48, 12
"""How many candidates ahead of the one in hand its table line is requested, and what it leads to: the next line if
this one is full, the stored state if a tag is equal."""

SIGNATURES = {"insert": "pippiipppip"}


def emit_insert(module: ir.Module, words: int) -> None:
    """insert(tables, table_bits, keys, ids, i, n, flags, states, buffers, buffer, store) -> next i.

    Inserts candidates keys[i:n] in order; flags[id] says for each whether it was not in its table. Stops early, before
    a candidate that is new to a table at its limit: the caller grows that table and resumes. `states` are the words of
    the candidates, `buffers` the addresses of all buffers of the batch, `buffer` the number of this one.
    """
    _Insert(module, words).emit()


class _Insert:
    """The emission of `insert`."""

    def __init__(self, module: ir.Module, words: int) -> None:
        self.code = code = Code(module, "insert", SIGNATURES["insert"])
        self.words = words
        (
            self.tables,
            self.bits,
            self.keys,
            self.ids,
            self.start,
            self.n,
            self.flags,
            self.states,
            self.buffers,
            self.buffer,
            self.store,
        ) = code.args
        self.position = code.variable(self.start)

    def emit(self) -> None:
        code, b = self.code, self.code.builder
        begun = b.add(self.start, const(AHEAD))
        with code.count(self.start, b.select(b.icmp_unsigned("<", begun, self.n), begun, self.n)) as i:
            self._ask(code.load(self.keys, i))
        with code.loop(lambda: b.icmp_unsigned("<", self.position.get(), self.n)):
            self._ask(self._key_ahead(AHEAD))
            self._ask_further(self._key_ahead(NEAR))
            if self.words == 1:
                self._insert_word()
            else:
                self._insert_row()
            self.position.add(const(1))
        b.ret(self.n)

    # ---- memory asked for in advance

    def _home(self, key: ir.Value) -> tuple[ir.Value, ir.Value, ir.Value]:
        return home_of(self.code, self.tables, key, self.bits, self.words)

    def _ahead(self, distance: int) -> ir.Value:
        """The place of a candidate so far ahead, or of the one in hand if there is none."""
        b = self.code.builder
        index = b.add(self.position.get(), const(distance))
        return b.select(b.icmp_unsigned("<", index, self.n), index, self.position.get())

    def _key_ahead(self, distance: int) -> ir.Value:
        return self.code.load(self.keys, self._ahead(distance))

    def _ask(self, key: ir.Value) -> None:
        base, _, line = self._home(key)
        self.code.prefetch(self.code.at(base, self.code.builder.mul(line, const(LANES))), near=False)

    def _ask_further(self, key: ir.Value) -> None:
        """Ask for what the home line of a key leads to."""
        code, b = self.code, self.code.builder
        base, _, home = self._home(key)
        line = code.line(base, home)
        matches = self._matching(line, key)
        settled = b.or_(matches, code.equal_lanes(line, EMPTY))
        following = b.add(home, b.zext(is_zero(code, settled), I64))
        target = code.at(base, b.mul(following, const(LANES)))
        if self.words > 1:  # the state an equal tag points to
            lane = code.first_bit(b.or_(matches, const(0x80)))
            entry = code.load(base, b.add(b.mul(home, const(LANES)), lane))
            state = row_at(code, self.store, b.sub(b.and_(entry, const(PROVISIONAL - 1)), const(1)), self.words)
            target = b.select(not_zero(code, matches), state, target)
            identity = code.load(self.ids, self._ahead(NEAR), I32)
            code.prefetch(row_at(code, self.states, identity, self.words), near=True)
        code.prefetch(target, near=True)

    def _matching(self, line: ir.Value, key: ir.Value) -> ir.Value:
        """The lanes of a line that hold the key (one word) or its tag."""
        code, b = self.code, self.code.builder
        if self.words == 1:
            return code.equal_lanes(line, code.splat(key))
        tag = b.lshr(stem_of(code, key, self.bits, self.words), const(INDEX_BITS))
        tags = code.equal_lanes(b.lshr(line, code.splat(const(INDEX_BITS))), code.splat(tag))
        return b.and_(tags, b.xor(code.equal_lanes(line, EMPTY), const(0xFF)))

    # ---- one word

    def _insert_word(self) -> None:
        code, b = self.code, self.code.builder
        key = code.load(self.keys, self.position.get())
        table = table_of(code, self.tables, key, self.bits)
        base, lines, home = self._home(key)
        here, line = code.variable(home), code.line(base, home)
        match, empty = code.variable(self._matching(line, key)), code.variable(code.equal_lanes(line, EMPTY))
        with code.loop(lambda: is_zero(code, b.or_(match.get(), empty.get()))):
            next_line(code, here, lines)
            line = code.line(base, here.get())
            match.set(self._matching(line, key))
            empty.set(code.equal_lanes(line, EMPTY))
        new = code.variable(b.zext(is_zero(code, match.get()), I64))
        count = code.load(table, const(COUNT))
        with b.if_then(b.icmp_unsigned(">=", count, code.load(table, const(LIMIT))), likely=False):
            with b.if_then(not_zero(code, new.get())):
                b.ret(self.position.get())
        lane = code.first_bit(b.or_(empty.get(), const(1 << LANES)))
        place = code.at(base, b.add(b.mul(here.get(), const(LANES)), lane))
        b.store(key, b.select(not_zero(code, new.get()), place, code.at(table, const(IGNORED))))
        code.store(b.add(count, new.get()), table, const(COUNT))
        with b.if_then(is_zero(code, key), likely=False):  # equal to an empty entry: whether it was seen is noted apart
            new.set(b.xor(code.load(table, const(ZERO_SEEN)), const(1)))
            code.store(const(1), table, const(ZERO_SEEN))
        code.store(new.get(), self.flags, code.load(self.ids, self.position.get(), I32), I8)

    # ---- several words

    def _insert_row(self) -> None:
        code, b = self.code, self.code.builder
        key = code.load(self.keys, self.position.get())
        base, lines, home = self._home(key)
        identity = code.load(self.ids, self.position.get(), I32)
        row = row_at(code, self.states, identity, self.words)
        here, searching = code.variable(home), code.variable(const(1))
        with code.loop(lambda: not_zero(code, searching.get())):
            line = code.line(base, here.get())
            with b.if_else(not_zero(code, self._found(base, here.get(), line, key, row))) as (seen, unseen):
                with seen:
                    searching.set(const(0))
                with unseen:
                    empty = code.equal_lanes(line, EMPTY)
                    with b.if_else(not_zero(code, empty)) as (room, full):
                        with room:
                            self._enter(
                                key,
                                identity,
                                code.at(base, b.add(b.mul(here.get(), const(LANES)), code.first_bit(empty))),
                            )
                            searching.set(const(0))
                        with full:
                            next_line(code, here, lines)

    def _found(self, base: ir.Value, here: ir.Value, line: ir.Value, key: ir.Value, row: ir.Value) -> ir.Value:
        """Whether an entry of a line stands for the state at `row`, as 0 or 1."""
        code, b = self.code, self.code.builder
        found, matches = code.variable(const(0)), code.variable(self._matching(line, key))
        with code.loop(lambda: not_zero(code, matches.get())):
            lane = code.first_bit(matches.get())
            entry = code.load(base, b.add(b.mul(here, const(LANES)), lane))
            other = self._words_of(b.and_(entry, const(INDEX_MASK)))
            matches.set(b.and_(matches.get(), b.sub(matches.get(), const(1))))
            with b.if_then(is_zero(code, difference(code, row, other, self.words))):
                found.set(const(1))
                matches.set(const(0))
        return found.get()

    def _words_of(self, payload: ir.Value) -> ir.Value:
        """The words an entry stands for: a stored state, or a candidate of this batch."""
        code, b = self.code, self.code.builder
        provisional = not_zero(code, b.and_(payload, const(PROVISIONAL)))
        number = b.and_(b.lshr(payload, const(PLACE_BITS)), const(BUFFERS - 1))
        candidates = b.inttoptr(code.load(self.buffers, b.select(provisional, number, const(0))), POINTER)
        return b.select(
            provisional,
            row_at(code, candidates, b.and_(payload, const((1 << PLACE_BITS) - 1)), self.words),
            row_at(code, self.store, b.sub(payload, const(1)), self.words),
        )

    def _enter(self, key: ir.Value, identity: ir.Value, place: ir.Value) -> None:
        """Enter a candidate as provisional, unless its table is at its limit."""
        code, b = self.code, self.code.builder
        table = table_of(code, self.tables, key, self.bits)
        count = code.load(table, const(COUNT))
        with b.if_then(b.icmp_unsigned(">=", count, code.load(table, const(LIMIT))), likely=False):
            b.ret(self.position.get())
        candidate = b.or_(b.shl(self.buffer, const(PLACE_BITS)), identity)
        b.store(b.or_(stem_of(code, key, self.bits, self.words), b.or_(candidate, const(PROVISIONAL))), place)
        code.store(b.add(count, const(1)), table, const(COUNT))
        code.store(const(1), self.flags, identity, I8)
