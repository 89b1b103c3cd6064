"""Native code of the first phase of a batch: a thread takes ranges of states and turns them into candidates, in one
call.

A range costs a call to the source for each buffer of successors, one to `sift` for each piece of those, one to
`distribute` for each buffer of candidates.  Made from Python each of these gives Python's lock up and must get it back,
which with two threads took half as long again as the work itself.  Here threads share two counters, of ranges and of
buffers taken, and come back to Python only for what needs memory: room for more successors, or a buffer.

The source is called through the address of its `expand` (see `source`).  Which thread takes which range and buffer is
left open; a buffer notes its range, and the buffers of one range are taken in order, so sorting them by range, stably,
gives the order of the rows.
"""

from __future__ import annotations

from llvmlite import ir

from checker.search import control as word
from checker.search.control import DONE, FILL, FINISHED, IN_HAND, NONE, PART, ROW, WIDEN, WRITTEN, ThreadCode
from checker.search.emit import I8, I32, I64, POINTER, Code, const
from checker.search.parts_native import BASE, CAPACITY, COLUMNS, IDS, KEPT, KEYS, OFFSETS, PARENTS, RANGE, STATES
from checker.search.sift_native import is_zero

START, STOP, ADDED = range(3)
"""Columns of the table of ranges: rows [START, STOP) of the states, and what is added to the parents of their
successors."""
RANGE_COLUMNS = 3

SIGNATURES = {"expand_ranges": "pp", "given": "piippipppp"}
_EXPAND = ir.FunctionType(I64, [I64 if letter == "i" else POINTER for letter in SIGNATURES["given"]])


def emit_given(module: ir.Module, words: int) -> None:
    """given(...): an `expand` by which each state is its own successor, with parent 0; so that states can be offered as
    they are."""
    code = Code(module, "given", SIGNATURES["given"])
    b = code.builder
    states, n, start, successors, parents, capacity, _, _, _, written = code.args
    left = b.sub(n, start)
    taken = b.select(b.icmp_signed("<", left, capacity), left, capacity)
    source = code.at(states, b.mul(start, const(words)))
    with code.count(const(0), b.mul(taken, const(words))) as i:
        code.store(code.load(source, i), successors, i)
    with code.count(const(0), taken) as i:
        code.store(const(0), parents, i, I32)
    code.store(taken, written, const(0))
    b.ret(b.add(start, taken))


class _Ranges:
    """The emission of `expand_ranges`."""

    def __init__(self, module: ir.Module, words: int) -> None:
        self.code = code = ThreadCode(module, "expand_ranges")
        self.module, self.words = module, words
        self.control, self.cursor = code.args
        self.shared, self.own, self.set, self.pointer = code.shared, code.own, code.set, code.pointer

    def range(self, column: int) -> ir.Value:
        """A number of the range in hand."""
        b = self.code.builder
        place = b.add(b.mul(self.own(IN_HAND), const(RANGE_COLUMNS)), const(column))
        return self.code.load(self.pointer(self.shared(word.RANGES)), place)

    def cell(self, column: int) -> tuple[ir.Value, ir.Value]:
        """Where a number of the buffer in hand stands: base and index."""
        b = self.code.builder
        return self.pointer(self.shared(word.POOL)), b.add(b.mul(self.own(PART), const(COLUMNS)), const(column))

    def part(self, column: int) -> ir.Value:
        return self.code.load(*self.cell(column))

    def emit(self) -> None:
        code, b = self.code, self.code.builder
        with code.loop(lambda: const(1, ir.IntType(1))):
            in_hand = b.icmp_signed("<", self.own(DONE), self.own(WRITTEN))
            with b.if_else(in_hand) as (candidates, none):
                with candidates:
                    self._sift()
                with none:
                    begun = b.icmp_signed(">=", self.own(IN_HAND), const(0))
                    with b.if_then(begun):
                        more = b.icmp_signed("<", self.own(ROW), b.sub(self.range(STOP), self.range(START)))
                        with b.if_else(more) as (rows, end):
                            with rows:
                                self._expand()
                            with end:
                                self._close()
                                self.set(IN_HAND, const(NONE))
                                code.add(word.RANGES_DONE, 1)
                    with b.if_then(b.icmp_signed("<", self.own(IN_HAND), const(0))):
                        self._take_range()
        b.unreachable()

    def _take_range(self) -> None:
        b = self.code.builder
        number = self.code.next(word.NEXT_RANGE)
        with b.if_then(b.icmp_signed(">=", number, self.shared(word.RANGE_COUNT))):
            b.ret(const(FINISHED))
        self.set(IN_HAND, number)
        self.set(ROW, const(0))

    def _expand(self) -> None:
        """Let the source write the successors of the next rows."""
        code, b = self.code, self.code.builder
        start, stop = self.range(START), self.range(STOP)
        origin = code.load(self.pointer(self.shared(word.RANGES)), const(START))
        row = self.own(ROW)
        expand = b.inttoptr(self.shared(word.EXPAND), _EXPAND.as_pointer())
        reached = b.call(
            expand,
            [
                code.at(self.pointer(self.shared(word.ROWS)), b.mul(start, const(self.words))),
                b.sub(stop, start),
                row,
                self.pointer(self.own(word.SUCCESSORS)),
                self.pointer(self.own(word.ORIGINS)),
                self.own(word.ROOM),
                self.pointer(self.own(word.COUNTERS)),
                code.at(self.pointer(self.shared(word.FIRST)), b.mul(self.own(IN_HAND), self.shared(word.FIRST_WIDTH))),
                code.at(self.pointer(self.shared(word.QUIESCENT)), b.sub(start, origin), I8),
                code.at(self.cursor, const(WRITTEN)),
            ],
        )
        self.set(DONE, const(0))
        with b.if_then(b.icmp_signed("==", reached, row), likely=False):
            self.set(WRITTEN, const(0))
            b.ret(const(WIDEN))
        self.set(ROW, reached)

    def _sift(self) -> None:
        """Put successors into the buffer in hand, as far as they are not known as duplicates."""
        code, b = self.code, self.code.builder
        self._find_room()
        done, kept = self.own(DONE), self.part(KEPT)
        left, room = b.sub(self.own(WRITTEN), done), b.sub(self.part(CAPACITY), kept)
        taken = b.select(b.icmp_signed("<", left, room), left, room)
        alone = b.icmp_signed("==", self.shared(word.OWNERS), const(1))
        keys = b.select(alone, self.part(KEYS), self.own(word.UNSORTED))
        sifted = b.call(
            self.module.globals["sift"],
            [
                code.at(self.pointer(self.own(word.SUCCESSORS)), b.mul(done, const(self.words))),
                code.at(self.pointer(self.own(word.ORIGINS)), done, I32),
                taken,
                self.pointer(self.own(word.RECENT)),
                self.own(word.MASK),
                code.at(self.pointer(keys), kept),
                code.at(self.pointer(self.part(STATES)), b.mul(kept, const(self.words))),
                code.at(self.pointer(self.part(PARENTS)), kept, I32),
            ],
        )
        code.store(b.add(kept, sifted), *self.cell(KEPT))
        self.set(DONE, b.add(done, taken))

    def _find_room(self) -> None:
        """Take another buffer if there is none or it is crowded: for the sake of a few candidates one is not begun, nor
        is one split."""
        code, b = self.code, self.code.builder
        needed = code.variable(const(1))
        with b.if_then(b.icmp_signed(">=", self.own(PART), const(0))):
            capacity, left = self.part(CAPACITY), b.sub(self.own(WRITTEN), self.own(DONE))
            room = b.sub(capacity, self.part(KEPT))
            half = b.lshr(capacity, const(1))
            wanted = b.select(b.icmp_signed("<", left, half), left, half)
            crowded = b.or_(is_zero(code, room), b.icmp_signed("<", room, wanted))
            needed.set(b.zext(crowded, I64))
        with b.if_then(b.trunc(needed.get(), ir.IntType(1))):
            self._close()
            self.set(PART, self.code.next(word.NEXT_BUFFER))
            code.store(const(0), *self.cell(KEPT))
            code.store(self.range(ADDED), *self.cell(BASE))
            code.store(self.own(IN_HAND), *self.cell(RANGE))
            with b.if_then(b.icmp_signed(">=", self.own(PART), self.shared(word.READY)), likely=False):
                b.ret(const(FILL))

    def _close(self) -> None:
        """Sort the candidates of the buffer in hand, if any, by owner, and lay it down."""
        code, b = self.code, self.code.builder
        with b.if_then(b.icmp_signed(">=", self.own(PART), const(0))):
            offsets, kept, owners = self.pointer(self.part(OFFSETS)), self.part(KEPT), self.shared(word.OWNERS)
            with b.if_else(b.icmp_signed("==", owners, const(1))) as (one, several):
                with one:
                    code.store(kept, offsets, const(1))
                with several:
                    with code.count(const(0), b.add(owners, const(1))) as owner:
                        code.store(const(0), offsets, owner)
                    b.call(
                        self.module.globals["distribute"],
                        [
                            self.pointer(self.own(word.UNSORTED)),
                            kept,
                            self.shared(word.OWNER_BITS),
                            owners,
                            self.pointer(self.part(KEYS)),
                            self.pointer(self.part(IDS)),
                            offsets,
                        ],
                    )
            self.set(PART, const(NONE))


def emit_expand_ranges(module: ir.Module, words: int) -> None:
    """expand_ranges(control, cursor) -> FINISHED, WIDEN or FILL; after WIDEN and FILL the caller sees to it and calls
    again.

    For each range taken: its candidates, in order, in buffers of the pool, each with KEPT, BASE and RANGE; counters of
    the thread; `first` of the range; the rows' quiescence.
    """
    _Ranges(module, words).emit()
