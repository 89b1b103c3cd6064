"""Native code of the first phase of a batch: a thread takes ranges of states and turns them into candidates, in one
call.

A range needs a call to the source for each buffer of successors, one to `sift` for each piece of those, one to
`distribute` for each buffer of candidates.  From Python each of these calls releases Python's lock and must acquire it
again, which with two threads took half as long again as the work itself.  Here threads share two counters, of ranges
and of buffers taken, and return to Python only for memory: room for more successors, or a buffer.

The source is called through the address of its `expand` (see `source`).  Which thread takes which range and buffer is
arbitrary; a buffer records its range, and the buffers of one range are taken in order, so sorting them by range,
stably, gives the order of the rows.
"""

from __future__ import annotations

from checker.assembly import Operand
from checker.search import control as word
from checker.search.control import DONE, FILL, FINISHED, IN_HAND, NONE, PART, ROW, WIDEN, WRITTEN, ThreadCode
from checker.search.emit import Code
from checker.search.parts_native import (
    BASE,
    CAPACITY,
    IDS,
    KEPT,
    KEYS,
    OFFSETS,
    PARENTS,
    RANGE,
    STATES,
    column_of,
    place_of,
)

START, STOP, ADDED = range(3)
"""Columns of the table of ranges: rows [START, STOP) of the states, and what is added to the parents of their
successors."""
RANGE_COLUMNS = 3

SIGNATURES = {"expand_ranges": "pp", "given": "piippipppp"}


def emit_given(words: int) -> str:
    """given(...): an `expand` by which each state is its own successor, with parent 0; so that states can be offered as
    they are."""
    code = Code("given", SIGNATURES["given"])
    states, n, start, successors, parents, capacity, _, _, _, written = code.args
    taken = code.least(code.sub(n, start), capacity)
    source = code.address(states, code.mul(start, words))
    for i in code.count(code.mul(taken, words)):
        code.store(code.load(source, i), successors, i)
    for i in code.count(taken):
        code.store(0, parents, i, bits=32)
    code.store(taken, written)
    return code.finish(code.add(start, taken))


class ExpandRanges(ThreadCode):
    """expand_ranges(control, cursor) -> FINISHED, WIDEN or FILL; after WIDEN and FILL the caller provides memory and
    calls again.

    For each range taken: its candidates, in order, in buffers of the pool, each with KEPT, BASE and RANGE; counters of
    the thread; `first` of the range; the rows' quiescence.
    """

    def __init__(self, words: int) -> None:
        super().__init__("expand_ranges")
        self.words = words

    def range(self, column: int) -> str:
        """A number of the range in hand."""
        place = self.add(self.mul(self.own(IN_HAND), RANGE_COLUMNS), column)
        return self.load(self.shared_pointer(word.RANGES), place)

    def part(self, column: int) -> str:
        """A number of the buffer in hand."""
        return column_of(self, self.shared_pointer(word.POOL), self.own(PART), column)

    def part_pointer(self, column: int) -> str:
        return self.pointer(self.part(column))

    def set_part(self, column: int, value: Operand) -> None:
        self.store(value, self.shared_pointer(word.POOL), place_of(self, self.own(PART), column))

    def emit(self) -> str:
        with self.forever():
            with self.either(self.compare("slt", self.own(DONE), self.own(WRITTEN))) as nothing_in_hand:
                self._sift()
                nothing_in_hand()
                with self.when(self.compare("sge", self.own(IN_HAND), 0)):
                    rows = self.sub(self.range(STOP), self.range(START))
                    with self.either(self.compare("slt", self.own(ROW), rows)) as end:
                        self._expand()
                        end()
                        self._close()
                        self.set(IN_HAND, NONE)
                        self.add_shared(word.RANGES_DONE, 1)
                with self.when(self.compare("slt", self.own(IN_HAND), 0)):
                    number = self.next(word.NEXT_RANGE)
                    with self.when(self.compare("sge", number, self.shared(word.RANGE_COUNT))):
                        self.give(f"i64 {FINISHED}")
                    self.set(IN_HAND, number)
                    self.set(ROW, 0)
        return self.text()

    def _expand(self) -> None:
        """Let the source write the successors of the next rows."""
        start, row = self.range(START), self.own(ROW)
        origin = self.load(self.shared_pointer(word.RANGES), START)
        first = self.mul(self.own(IN_HAND), self.shared(word.FIRST_WIDTH))
        reached = self.call(
            self.shared_pointer(word.EXPAND),
            self.address(self.shared_pointer(word.ROWS), self.mul(start, self.words)),
            self.sub(self.range(STOP), start),
            row,
            self.own_pointer(word.SUCCESSORS),
            self.own_pointer(word.ORIGINS),
            self.own(word.ROOM),
            self.own_pointer(word.COUNTERS),
            self.address(self.shared_pointer(word.FIRST), first),
            self.address(self.shared_pointer(word.QUIESCENT), self.sub(start, origin), bits=8),
            self.address(self.cursor, WRITTEN),
        )
        self.set(DONE, 0)
        with self.when(self.compare("eq", reached, row), rare=True):
            self.set(WRITTEN, 0)
            self.give(f"i64 {WIDEN}")
        self.set(ROW, reached)

    def _sift(self) -> None:
        """Put successors into the current buffer, except known duplicates."""
        self._find_room()
        done, kept = self.own(DONE), self.part(KEPT)
        taken = self.least(self.sub(self.own(WRITTEN), done), self.sub(self.part(CAPACITY), kept))
        alone = self.compare("eq", self.shared(word.OWNERS), 1)
        keys = self.pointer(self.select(alone, self.part(KEYS), self.own(word.UNSORTED)))
        sifted = self.call(
            "@sift",
            self.address(self.own_pointer(word.SUCCESSORS), self.mul(done, self.words)),
            self.address(self.own_pointer(word.ORIGINS), done, bits=32),
            taken,
            self.own_pointer(word.RECENT),
            self.own(word.MASK),
            self.address(keys, kept),
            self.address(self.part_pointer(STATES), self.mul(kept, self.words)),
            self.address(self.part_pointer(PARENTS), kept, bits=32),
        )
        self.set_part(KEPT, self.add(kept, sifted))
        self.set(DONE, self.add(done, taken))

    def _find_room(self) -> None:
        """Take another buffer if there is none or it is nearly full: a buffer is neither begun nor split for a few
        candidates.
        """
        needed = self.variable(1)
        with self.when(self.compare("sge", self.own(PART), 0)):
            capacity, left = self.part(CAPACITY), self.sub(self.own(WRITTEN), self.own(DONE))
            room = self.sub(capacity, self.part(KEPT))
            wanted = self.least(left, self.lshr(capacity, 1))
            needed.set(self.bit_or(self.is_zero(room), self.compare("slt", room, wanted)))
        with self.when(needed.get()):
            self._close()
            self.set(PART, self.next(word.NEXT_BUFFER))
            self.set_part(KEPT, 0)
            self.set_part(BASE, self.range(ADDED))
            self.set_part(RANGE, self.own(IN_HAND))
            with self.when(self.compare("sge", self.own(PART), self.shared(word.READY)), rare=True):
                self.give(f"i64 {FILL}")

    def _close(self) -> None:
        """Sort the candidates of the current buffer, if any, by owner, and finish the buffer."""
        with self.when(self.compare("sge", self.own(PART), 0)):
            offsets, kept, owners = self.part_pointer(OFFSETS), self.part(KEPT), self.shared(word.OWNERS)
            with self.either(self.compare("eq", owners, 1)) as several:
                self.store(kept, offsets, 1)
                several()
                for owner in self.count(self.add(owners, 1)):
                    self.store(0, offsets, owner)
                unsorted, bits = self.own_pointer(word.UNSORTED), self.shared(word.OWNER_BITS)
                keys, ids = self.part_pointer(KEYS), self.part_pointer(IDS)
                self.call("@distribute", unsorted, kept, bits, owners, keys, ids, offsets)
            self.set(PART, NONE)
