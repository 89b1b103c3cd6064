"""Native code of the second phase of a batch: candidates are looked up in the tables, and new ones entered.

Lines ahead are prefetched while a batch is inserted, so that the waits for memory overlap.

Whether a candidate is new cannot be predicted once candidates are sorted by owner, because neighbours are unrelated.
For states of one word only data depend on it: a key that is in the table already is written to an unused word.  (As a
branch, it cost a third of the phase.)  For wider states the comparison with a stored state comes first, and costs more
than a wrong prediction.
"""

from __future__ import annotations

from checker.assembly import Operand
from checker.search.emit import EMPTY, LANES, Code
from checker.search.sift_native import difference, row_at
from checker.search.tables_native import (
    BUFFERS,
    COUNT,
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


class Insert(Code):
    """insert(tables, table_bits, keys, ids, i, n, flags, states, buffers, buffer, store) -> next i.

    Inserts candidates keys[i:n] in order; flags[id] is set for each that was not in its table. Stops early, before a
    candidate that is new to a table at its limit: the caller grows that table and resumes. `states` are the words of
    the candidates, `buffers` the addresses of all buffers of the batch, `buffer` the number of this one.
    """

    def __init__(self, words: int) -> None:
        super().__init__("insert", SIGNATURES["insert"])
        self.words = words
        self.tables, self.bits, self.keys, self.ids, self.start, self.n, *others = self.args
        self.flags, self.states, self.buffers, self.number, self.stored = others
        self.position = self.variable(self.start)

    def emit(self) -> str:
        for i in self.count(self.least(self.add(self.start, AHEAD), self.n), self.start):
            self._ask(self.load(self.keys, i))
        for _ in self.rounds(self.position, lambda i: self.compare("ult", i, self.n)):
            self._ask(self._key_ahead(AHEAD))
            self._ask_further(self._key_ahead(NEAR))
            if self.words == 1:
                self._insert_word()
            else:
                self._insert_row()
            self.position.add(1)
        return self.finish(self.n)

    # ---- memory asked for in advance

    def _home(self, key: Operand) -> tuple[str, Operand, Operand]:
        return home_of(self, self.tables, key, self.bits, self.words)

    def _ahead(self, distance: int) -> Operand:
        """The candidate that many places ahead, or the current one if there is none."""
        here = self.position.get()
        index = self.add(here, distance)
        return self.select(self.compare("ult", index, self.n), index, here)

    def _key_ahead(self, distance: int) -> Operand:
        return self.load(self.keys, self._ahead(distance))

    def _ask(self, key: Operand) -> None:
        base, _, line = self._home(key)
        self.prefetch(self.entries(base, line), near=False)

    def _ask_further(self, key: Operand) -> None:
        """Prefetch what the home line of a key refers to."""
        base, _, home = self._home(key)
        line = self.load_line(base, home)
        matches = self._matching(line, key)
        settled = self.bit_or(matches, self.equal_lanes(line, EMPTY))
        target = self.entries(base, self.add(home, self.is_zero(settled)))
        if self.words > 1:  # the state an equal tag points to
            lane = self.lowest(self.bit_or(matches, 0x80))
            entry = self.load(base, self.add(self.mul(home, LANES), lane))
            state = row_at(self, self.stored, self.sub(self.bit_and(entry, PROVISIONAL - 1), 1), self.words)
            target = self.pick(self.not_zero(matches), state, target)
            identity = self.load(self.ids, self._ahead(NEAR), bits=32)
            self.prefetch(row_at(self, self.states, identity, self.words), near=True)
        self.prefetch(target, near=True)

    def _matching(self, line: str, key: Operand) -> Operand:
        """The lanes of a line that hold the key (one word) or its tag."""
        if self.words == 1:
            return self.equal_lanes(line, self.splat(key))
        tag = self.lshr(stem_of(self, key, self.bits, self.words), INDEX_BITS)
        tags = self.equal_lanes(self.shifted_lanes(line, INDEX_BITS), self.splat(tag))
        return self.bit_and(tags, self.bit_xor(self.equal_lanes(line, EMPTY), 0xFF))

    # ---- one word

    def _insert_word(self) -> None:
        position = self.position.get()
        key = self.load(self.keys, position)
        table = table_of(self, self.tables, key, self.bits)
        base, lines, home = self._home(key)
        here, line = self.variable(home), self.load_line(base, home)
        match, empty = self.variable(self._matching(line, key)), self.variable(self.equal_lanes(line, EMPTY))
        with self.loop(lambda: self.is_zero(self.bit_or(match.get(), empty.get()))):
            next_line(self, here, lines)
            line = self.load_line(base, here.get())
            match.set(self._matching(line, key))
            empty.set(self.equal_lanes(line, EMPTY))
        new = self.variable(self.is_zero(match.get()))
        count = self.load(table, COUNT)
        with self.when(self.compare("uge", count, self.load(table, LIMIT)), rare=True):
            with self.when(self.not_zero(new.get())):
                self.give(f"i64 {position}")
        lane = self.lowest(self.bit_or(empty.get(), 1 << LANES))
        place = self.address(base, self.add(self.mul(here.get(), LANES), lane))
        ignored = self.address(table, IGNORED)
        self.store(key, self.pick(self.not_zero(new.get()), place, ignored))
        self.store(self.add(count, new.get()), table, COUNT)
        with self.when(self.is_zero(key), rare=True):  # equal to an empty entry: whether it was seen is noted apart
            new.set(self.bit_xor(self.load(table, ZERO_SEEN), 1))
            self.store(1, table, ZERO_SEEN)
        self.store(new.get(), self.flags, self.load(self.ids, position, bits=32), bits=8)

    # ---- several words

    def _insert_row(self) -> None:
        position = self.position.get()
        key = self.load(self.keys, position)
        base, lines, home = self._home(key)
        identity = self.load(self.ids, position, bits=32)
        row = row_at(self, self.states, identity, self.words)
        here, searching = self.variable(home), self.variable(1)
        for _ in self.rounds(searching, self.not_zero):
            line = self.load_line(base, here.get())
            with self.either(self.not_zero(self._found(base, here.get(), line, key, row))) as unseen:
                searching.set(0)
                unseen()
                empty = self.equal_lanes(line, EMPTY)
                with self.either(self.not_zero(empty)) as full:
                    place = self.add(self.mul(here.get(), LANES), self.lowest(empty))
                    self._enter(key, identity, self.address(base, place))
                    searching.set(0)
                    full()
                    next_line(self, here, lines)

    def _found(self, base: str, here: Operand, line: str, key: Operand, row: str) -> Operand:
        """Whether an entry of a line stands for the state at `row`, as 0 or 1."""
        found, matches = self.variable(0), self.variable(self._matching(line, key))
        for left in self.rounds(matches, self.not_zero):
            entry = self.load(base, self.add(self.mul(here, LANES), self.lowest(left)))
            other = self._words_of(self.bit_and(entry, INDEX_MASK))
            matches.set(self.without_lowest(left))
            with self.when(self.is_zero(difference(self, row, other, self.words))):
                found.set(1)
                matches.set(0)
        return found.get()

    def _words_of(self, payload: Operand) -> str:
        """The words an entry stands for: a stored state, or a candidate of this batch."""
        provisional = self.not_zero(self.bit_and(payload, PROVISIONAL))
        number = self.bit_and(self.lshr(payload, PLACE_BITS), BUFFERS - 1)
        candidates = self.pointer(self.load(self.buffers, self.select(provisional, number, 0)))
        candidate = row_at(self, candidates, self.bit_and(payload, (1 << PLACE_BITS) - 1), self.words)
        stored = row_at(self, self.stored, self.sub(payload, 1), self.words)
        return self.pick(provisional, candidate, stored)

    def _enter(self, key: Operand, identity: Operand, place: str) -> None:
        """Enter a candidate as provisional, unless its table is at its limit."""
        table = table_of(self, self.tables, key, self.bits)
        count = self.load(table, COUNT)
        with self.when(self.compare("uge", count, self.load(table, LIMIT)), rare=True):
            self.give(f"i64 {self.position.get()}")
        candidate = self.bit_or(self.shl(self.number, PLACE_BITS), identity)
        stem = stem_of(self, key, self.bits, self.words)
        self.store(self.bit_or(stem, self.bit_or(candidate, PROVISIONAL)), place)
        self.store(self.add(count, 1), table, COUNT)
        self.store(1, self.flags, identity, bits=8)
