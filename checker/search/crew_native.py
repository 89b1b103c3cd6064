"""Native code of a whole batch: threads go through its phases together and stay in native code from one batch to the
next.

docs/search.md describes which threads lead, join and wait.  In the middle of a batch a thread returns to Python only
for memory, and then continues where it was.  If a thread fails, it sets FAILED, and all leave.

Where it stops: with more threads than processors, busy waiting takes time from other threads; TURNS bounds it.
"""

from __future__ import annotations

from checker.assembly import Operand
from checker.search import control as word
from checker.search.control import (
    COLLECTING,
    ENDED,
    EXPANDING,
    FINISHED,
    GROW,
    IDLE,
    INSERTING,
    NONE,
    OWNER,
    POSITION,
    ThreadCode,
)
from checker.search.parts_native import FIRST, NOT_BEGUN, column_of

PATIENCE = 1 << 15
"""How often a thread looks for another batch before it sleeps: about a millisecond."""

SIGNATURES = {"insert_owners": "pp", "collect_pieces": "pp", "lead": "pp", "follow": "pp"}
_WORK = {EXPANDING: "@expand_ranges", INSERTING: "@insert_owners", COLLECTING: "@collect_pieces"}


def emit_insert_owners() -> str:
    """insert_owners(control, cursor) -> FINISHED, or GROW if a table is full: the caller enlarges it and calls
    again."""
    code = ThreadCode("insert_owners")
    position = code.address(code.cursor, POSITION)
    with code.forever():
        with code.when(code.compare("slt", code.own(OWNER), 0)):
            owner = code.next(word.NEXT_OWNER)
            with code.when(code.compare("sge", owner, code.shared(word.OWNERS))):
                code.give(f"i64 {FINISHED}")
            code.set(OWNER, owner)
            code.store(0, position, 0)
            code.store(NOT_BEGUN, position, 1)
        tables, bits = code.shared_pointer(word.TABLES), code.shared(word.TABLE_BITS)
        parts, count = code.shared_pointer(word.PARTS), code.shared(word.PART_COUNT)
        buffers, states = code.shared_pointer(word.ADDRESSES), code.shared_pointer(word.STATES)
        done = code.call("@insert_parts", tables, bits, position, parts, count, code.own(OWNER), buffers, states)
        with code.when(code.is_zero(done), rare=True):
            code.give(f"i64 {GROW}")
        code.set(OWNER, NONE)
        code.add_shared(word.OWNERS_DONE, 1)
    return code.text()


def emit_collect_pieces(words: int) -> str:
    """collect_pieces(control, cursor) -> FINISHED.  Copies pieces of the new states to the store and has the source
    check them."""
    code = ThreadCode("collect_pieces")
    with code.forever():
        piece = code.next(word.NEXT_PIECE)
        with code.when(code.compare("sge", piece, code.shared(word.PIECES))):
            code.give(f"i64 {FINISHED}")
        cuts = code.shared_pointer(word.CUTS)
        start, stop = code.load(cuts, piece), code.load(cuts, code.add(piece, 1))
        first, end = _first(code, start), _first(code, stop)
        with code.when(code.compare("ult", first, end)):
            states, parents = code.shared_pointer(word.STATES), code.shared_pointer(word.PARENTS)
            tables, bits = code.shared_pointer(word.TABLES), code.shared(word.TABLE_BITS)
            code.call("@collect_parts", code.shared_pointer(word.PARTS), start, stop, states, parents, tables, bits)
            shown = code.address(code.shared_pointer(word.SHOWN), code.mul(piece, code.shared(word.SHOWN_WIDTH)))
            new = code.address(states, code.mul(first, words))
            code.call(code.shared_pointer(word.CHECK), new, code.sub(end, first), shown, result="void")
        code.add_shared(word.PIECES_DONE, 1)
    return code.text()


def _first(code: ThreadCode, part: Operand) -> Operand:
    """The index of the first new state of a part, or of the last part's end."""
    inside = code.compare("ult", part, code.shared(word.PART_COUNT))
    first = column_of(code, code.shared_pointer(word.PARTS), code.select(inside, part, 0), FIRST)
    return code.select(inside, first, code.add(code.shared(word.COUNT), code.shared(word.NEW)))


class Lead(ThreadCode):
    """lead(control, cursor) -> FINISHED, or what the leading thread has to do before it calls again.

    Continues from PHASE.  FINISHED: no other thread is in the batch any more, and none joins.
    """

    def emit(self) -> str:
        phases = {phase: self.new_label() for phase in _WORK}
        ended = self.new_label()
        self.show(word.OPEN, self.shared(word.BATCH))
        self.require(self.is_zero(self.failed()), ended)
        phase = self.see(word.PHASE)
        for number, label in phases.items():
            self.require(self.compare("ne", phase, number), label)
        self.jump(ended)
        self.label(phases[EXPANDING])
        self._take_part(EXPANDING, word.RANGES_DONE, word.RANGE_COUNT, ended)
        self._order()
        self.require(self.compare("ne", self.shared(word.LAST), EXPANDING), ended)
        self.show(word.PHASE, INSERTING)
        self.label(phases[INSERTING])
        self._take_part(INSERTING, word.OWNERS_DONE, word.OWNERS, ended)
        self._count_new()
        self.require(self.compare("sle", self.shared(word.NEW), self.shared(word.MOST_NEW)), ended)
        self.show(word.PHASE, COLLECTING)
        self.label(phases[COLLECTING])
        self._take_part(COLLECTING, word.PIECES_DONE, word.PIECES, ended)
        self.label(ended)
        self.show(word.PHASE, ENDED)
        self.show(word.OPEN, 0)
        self.wait(lambda: self.is_zero(self.see(word.JOINED)))
        return self.finish(FINISHED)

    def _take_part(self, phase: int, done: int, count: int, ended: str) -> None:
        """Take part in a phase and wait for its end."""
        self.work(_WORK[phase])
        self.wait(lambda: self.bit_or(self.compare("eq", self.see(done), self.shared(count)), self.failed()))
        self.require(self.is_zero(self.failed()), ended)

    def _order(self) -> None:
        pool, parts = self.shared_pointer(word.POOL), self.shared_pointer(word.PARTS)
        taken, ranges, addresses = self.see(word.NEXT_BUFFER), self.shared(word.RANGE_COUNT), word.ADDRESSES
        ordered = self.call("@order_parts", pool, taken, parts, ranges, self.shared_pointer(addresses))
        self.store(ordered, self.control, word.PART_COUNT)

    def _count_new(self) -> None:
        parts, n, first = self.shared_pointer(word.PARTS), self.shared(word.PART_COUNT), self.shared(word.COUNT)
        new = self.call("@count_parts", parts, n, first)
        self.store(new, self.control, word.NEW)
        self.call("@cut_parts", parts, n, first, new, self.shared_pointer(word.CUTS), self.shared(word.PIECES))


def emit_follow() -> str:
    """follow(control, cursor) -> IDLE, or what the thread has to do before it calls again.  Joins batch after batch."""
    code = ThreadCode("follow")
    with code.forever(), code.either(code.is_zero(code.own(word.JOINED_BATCH))) as inside:
        _join(code)
        inside()
        phase = code.see(word.PHASE)
        over = code.bit_or(code.compare("eq", phase, ENDED), code.failed())
        with code.either(over) as stay:
            code.set(word.LAST_BATCH, code.own(word.JOINED_BATCH))
            code.set(word.JOINED_BATCH, 0)
            code.add_shared(word.JOINED, -1)
            stay()
            for number, function in _WORK.items():
                with code.when(code.compare("eq", phase, number)):
                    code.work(function)
            code.wait(lambda: code.bit_or(code.compare("ne", code.see(word.PHASE), phase), code.failed()))
    return code.text()


def _join(code: ThreadCode) -> None:
    """Join the open batch, if it is not the last one joined; sleep if none opens for long."""

    def another(batch: Operand) -> Operand:
        return code.bit_and(code.not_zero(batch), code.compare("ne", batch, code.own(word.LAST_BATCH)))

    came = code.wait(lambda: another(code.see(word.OPEN)), PATIENCE)
    with code.when(code.is_zero(came)):
        code.give(f"i64 {IDLE}")
    code.add_shared(word.JOINED, 1)
    batch = code.see(word.OPEN)
    with code.either(another(batch)) as closed:
        for field, value in enumerate(word.BEGIN):
            code.set(field, value)
        code.set(word.JOINED_BATCH, batch)
        closed()
        code.add_shared(word.JOINED, -1)
