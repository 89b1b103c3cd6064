"""Native code of a whole batch: threads go through its phases together and stay in native code from one batch to the
next.

The leading thread opens a batch, and between two phases does what one thread must do: put the buffers in order, count
what is new, cut it into pieces.  Others join when they are there.  Nobody waits for a thread that has not joined:
ranges, owners and pieces are taken by counting, so the leader may do all of them, and a phase is over when all are
done.  A thread that waits looks at a word, since to be woken takes longer than most waits; after PATIENCE it goes back
to Python and sleeps.

A thread comes back in the middle of a batch for memory only, and then goes on where it was.  If one fails, it says so
in FAILED, and all leave.

Stops being true: with more threads than processors, waiting by looking costs what others could do; TURNS bounds it.
"""

from __future__ import annotations

from llvmlite import ir

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
from checker.search.emit import I64, POINTER, const
from checker.search.parts_native import COLUMNS, FIRST, NOT_BEGUN

PATIENCE = 1 << 15
"""Looks for another batch before a thread goes to sleep: about a millisecond."""

SIGNATURES = {"insert_owners": "pp", "collect_pieces": "pp", "lead": "pp", "follow": "pp"}
_CHECK = ir.FunctionType(ir.VoidType(), [POINTER, I64, POINTER])


def emit_insert_owners(module: ir.Module) -> None:
    """insert_owners(control, cursor) -> FINISHED, or GROW if a table is full: the caller enlarges it and calls
    again."""
    code = ThreadCode(module, "insert_owners")
    b = code.builder
    position = code.at(code.cursor, const(POSITION))
    with code.loop(lambda: const(1, ir.IntType(1))):
        with b.if_then(b.icmp_signed("<", code.own(OWNER), const(0))):
            owner = code.next(word.NEXT_OWNER)
            with b.if_then(b.icmp_signed(">=", owner, code.shared(word.OWNERS))):
                b.ret(const(FINISHED))
            code.set(OWNER, owner)
            code.store(const(0), position, const(0))
            code.store(const(NOT_BEGUN), position, const(1))
        done = b.call(
            module.globals["insert_parts"],
            [
                code.pointer(code.shared(word.TABLES)),
                code.shared(word.TABLE_BITS),
                position,
                code.pointer(code.shared(word.PARTS)),
                code.shared(word.PART_COUNT),
                code.own(OWNER),
                code.pointer(code.shared(word.ADDRESSES)),
                code.pointer(code.shared(word.STATES)),
            ],
        )
        with b.if_then(b.icmp_signed("==", done, const(0)), likely=False):
            b.ret(const(GROW))
        code.set(OWNER, const(NONE))
        code.add(word.OWNERS_DONE, 1)
    b.unreachable()


def emit_collect_pieces(module: ir.Module, words: int) -> None:
    """collect_pieces(control, cursor) -> FINISHED.  Copies pieces of the new states to the store and has the source
    check them."""
    code = ThreadCode(module, "collect_pieces")
    b = code.builder
    with code.loop(lambda: const(1, ir.IntType(1))):
        piece = code.next(word.NEXT_PIECE)
        with b.if_then(b.icmp_signed(">=", piece, code.shared(word.PIECES))):
            b.ret(const(FINISHED))
        cuts = code.pointer(code.shared(word.CUTS))
        start, stop = code.load(cuts, piece), code.load(cuts, b.add(piece, const(1)))
        first, end = _first(code, start), _first(code, stop)
        with b.if_then(b.icmp_unsigned("<", first, end)):
            states = code.pointer(code.shared(word.STATES))
            b.call(
                module.globals["collect_parts"],
                [
                    code.pointer(code.shared(word.PARTS)),
                    start,
                    stop,
                    states,
                    code.pointer(code.shared(word.PARENTS)),
                    code.pointer(code.shared(word.TABLES)),
                    code.shared(word.TABLE_BITS),
                ],
            )
            check = b.inttoptr(code.shared(word.CHECK), _CHECK.as_pointer())
            shown = code.at(code.pointer(code.shared(word.SHOWN)), b.mul(piece, code.shared(word.SHOWN_WIDTH)))
            b.call(check, [code.at(states, b.mul(first, const(words))), b.sub(end, first), shown])
        code.add(word.PIECES_DONE, 1)
    b.unreachable()


def _first(code: ThreadCode, part: ir.Value) -> ir.Value:
    """The index of the first new state of a part, or of the last part's end."""
    b = code.builder
    inside = b.icmp_unsigned("<", part, code.shared(word.PART_COUNT))
    row = b.select(inside, part, const(0))
    first = code.load(code.pointer(code.shared(word.PARTS)), b.add(b.mul(row, const(COLUMNS)), const(FIRST)))
    return b.select(inside, first, b.add(code.shared(word.COUNT), code.shared(word.NEW)))


class _Lead:
    """The emission of `lead`: a block for each phase, and one for the end."""

    def __init__(self, module: ir.Module) -> None:
        self.module = module
        self.code = code = ThreadCode(module, "lead")
        blocks = (code.function.append_basic_block(name) for name in ("expanding", "inserting", "collecting", "ended"))
        self.expanding, self.inserting, self.collecting, self.ended = blocks

    def emit(self) -> None:
        code, b = self.code, self.code.builder
        code.show(word.OPEN, code.shared(word.BATCH))
        with b.if_then(code.failed(), likely=False):
            b.branch(self.ended)
        phase = b.switch(code.see(word.PHASE), self.ended)
        for number, block in ((EXPANDING, self.expanding), (INSERTING, self.inserting), (COLLECTING, self.collecting)):
            phase.add_case(const(number), block)
        b.position_at_end(self.expanding)
        self._work("expand_ranges", word.RANGES_DONE, word.RANGE_COUNT)
        self._order()
        self._unless(b.icmp_signed("==", code.shared(word.LAST), const(EXPANDING)), INSERTING, self.inserting)
        b.position_at_end(self.inserting)
        self._work("insert_owners", word.OWNERS_DONE, word.OWNERS)
        self._count()
        self._unless(b.icmp_signed(">", code.shared(word.NEW), code.shared(word.MOST_NEW)), COLLECTING, self.collecting)
        b.position_at_end(self.collecting)
        self._work("collect_pieces", word.PIECES_DONE, word.PIECES)
        b.branch(self.ended)
        b.position_at_end(self.ended)
        code.show(word.PHASE, const(ENDED))
        code.show(word.OPEN, const(0))
        code.wait(lambda: b.icmp_signed("==", code.see(word.JOINED), const(0)))
        b.ret(const(FINISHED))

    def _work(self, function: str, done: int, count: int) -> None:
        """Take part in a phase and wait for its end."""
        code, b = self.code, self.code.builder
        result = code.call(function)
        with b.if_then(b.icmp_signed("!=", result, const(FINISHED)), likely=False):
            b.ret(result)
        code.wait(lambda: b.or_(b.icmp_signed("==", code.see(done), code.shared(count)), code.failed()))
        with b.if_then(code.failed(), likely=False):
            b.branch(self.ended)

    def _unless(self, end: ir.Value, phase: int, block: ir.Block) -> None:
        """Let the next phase begin, unless the batch ends here."""
        code, b = self.code, self.code.builder
        with b.if_then(end):
            b.branch(self.ended)
        code.show(word.PHASE, const(phase))
        b.branch(block)

    def _order(self) -> None:
        code, b = self.code, self.code.builder
        ordered = b.call(
            self.module.globals["order_parts"],
            [
                code.pointer(code.shared(word.POOL)),
                code.see(word.NEXT_BUFFER),
                code.pointer(code.shared(word.PARTS)),
                code.shared(word.RANGE_COUNT),
                code.pointer(code.shared(word.ADDRESSES)),
            ],
        )
        code.store(ordered, code.control, const(word.PART_COUNT))

    def _count(self) -> None:
        code, b = self.code, self.code.builder
        parts, n, first = code.pointer(code.shared(word.PARTS)), code.shared(word.PART_COUNT), code.shared(word.COUNT)
        new = b.call(self.module.globals["count_parts"], [parts, n, first])
        code.store(new, code.control, const(word.NEW))
        b.call(
            self.module.globals["cut_parts"],
            [parts, n, first, new, code.pointer(code.shared(word.CUTS)), code.shared(word.PIECES)],
        )


def emit_lead(module: ir.Module) -> None:
    """lead(control, cursor) -> FINISHED, or what the leading thread has to see to before it calls again.

    Goes on from PHASE.  FINISHED: no other thread is in the batch any more, and none joins.
    """
    _Lead(module).emit()


def emit_follow(module: ir.Module) -> None:
    """follow(control, cursor) -> IDLE, or what the thread has to see to before it calls again.  Joins batch after
    batch."""
    code = ThreadCode(module, "follow")
    b = code.builder
    with code.loop(lambda: const(1, ir.IntType(1))):
        outside = b.icmp_signed("==", code.own(word.JOINED_BATCH), const(0))
        with b.if_else(outside) as (away, there):
            with away:
                _join(code)
            with there:
                phase = code.see(word.PHASE)
                over = b.or_(b.icmp_signed("==", phase, const(ENDED)), code.failed())
                with b.if_else(over) as (leave, stay):
                    with leave:
                        code.set(word.LAST_BATCH, code.own(word.JOINED_BATCH))
                        code.set(word.JOINED_BATCH, const(0))
                        code.add(word.JOINED, -1)
                    with stay:
                        for number, function in (
                            (EXPANDING, "expand_ranges"),
                            (INSERTING, "insert_owners"),
                            (COLLECTING, "collect_pieces"),
                        ):
                            with b.if_then(b.icmp_signed("==", phase, const(number))):
                                result = code.call(function)
                                with b.if_then(b.icmp_signed("!=", result, const(FINISHED)), likely=False):
                                    b.ret(result)
                        code.wait(lambda: b.or_(b.icmp_signed("!=", code.see(word.PHASE), phase), code.failed()))
    b.unreachable()


def _join(code: ThreadCode) -> None:
    """Join the batch that is open, if it is another than the last; go to sleep if none opens for long."""
    b = code.builder

    def another(batch: ir.Value) -> ir.Value:
        return b.and_(b.icmp_signed("!=", batch, const(0)), b.icmp_signed("!=", batch, code.own(word.LAST_BATCH)))

    came = code.wait(lambda: another(code.see(word.OPEN)), PATIENCE)
    with b.if_then(b.icmp_signed("==", came, const(0))):
        b.ret(const(IDLE))
    code.add(word.JOINED, 1)
    batch = code.see(word.OPEN)
    with b.if_else(another(batch)) as (still, closed):
        with still:
            for field, value in enumerate(word.BEGIN):
                code.set(field, const(value))
            code.set(word.JOINED_BATCH, batch)
        with closed:
            code.add(word.JOINED, -1)
