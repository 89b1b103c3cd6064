"""The words that the threads of a batch share, and those of each thread.

All are 64-bit integers.  A word that several threads write is on a cache line of its own and is read and written
atomically.  The others are written by the leading thread before the phase that reads them begins.
"""

from __future__ import annotations

import platform
from collections.abc import Callable

from checker.assembly import Operand
from checker.search.emit import Code

LINE_WORDS = 8
NEXT_RANGE, NEXT_BUFFER, NEXT_OWNER, NEXT_PIECE, RANGES_DONE, OWNERS_DONE, PIECES_DONE, PHASE, OPEN, JOINED, FAILED = (
    range(0, 88, LINE_WORDS)
)
"""Shared, atomic: how many ranges, buffers, owners and pieces are taken, and how many done; the phase; the number of
the batch others may join, or 0; how many have; whether one failed."""

RANGES, FIRST, QUIESCENT, RANGE_COUNT, READY, EXPAND, ROWS, LAST, PARTS, NEW, MOST_NEW, COUNT = range(88, 100)
"""Shared, of one batch: the table of ranges; the addresses of a row of FIRST_WIDTH for each range and of a byte for
each row; how many ranges; how many buffers have memory; the addresses of `expand` and of the states it expands; the
last phase; the table of parts; how many candidates are new, and up to how many are taken; how many states are
stored."""
BATCH, PART_COUNT = 100, 101
"""The number of the batch, and of its parts."""
POOL, ADDRESSES, OWNER_BITS, OWNERS, FIRST_WIDTH, STATES, PARENTS, TABLES, TABLE_BITS, CUTS = range(102, 112)
PIECES, CHECK, SHOWN, SHOWN_WIDTH, YIELD = range(112, 117)
"""Of all batches: the table of buffers and the addresses of the parts' states; the owners; the store; the seen set;
where to cut the parts into pieces; the address of `check` and of a row of SHOWN_WIDTH for each piece; the address of
the system's sched_yield."""
CONTROL = 120

EXPANDING, INSERTING, COLLECTING, ENDED = range(4)
"""Phases."""

IN_HAND, PART, OWNER, WRITTEN, DONE, ROW, SUCCESSORS, ORIGINS, ROOM, COUNTERS, RECENT, MASK, UNSORTED = range(13)
JOINED_BATCH, LAST_BATCH, POSITION = range(13, 16)
CURSOR = 24
"""A thread's own: its current range, buffer and owner (NONE: none); successors written and sifted, and up to which row;
its arrays; the batch it is in, if any, and the last it was in; how far its owner's candidates are inserted (three
words).
"""
NONE = -1
BEGIN = (NONE, NONE, NONE, 0, 0)
"""The first words of a thread that begins a batch."""

FINISHED, WIDEN, FILL, GROW, IDLE = range(5)
"""Why a thread returns from native code: the batch is done; a state has more successors than there is room for; the
current buffer has no memory yet; a table is full; there was nothing to do for a while.
"""

TURNS = 1 << 6
"""How often a waiting thread reads a word, with a pause after each read, before it yields its processor."""


class ThreadCode(Code):
    """The body of a native function of one thread of a batch, `name(control, cursor)`: both kinds of words, by name."""

    def __init__(self, name: str) -> None:
        super().__init__(name, "pp")
        self.control, self.cursor = self.args

    def shared(self, field: int) -> str:
        """A shared word that does not change during the phase."""
        return self.load(self.control, field)

    def shared_pointer(self, field: int) -> str:
        return self.pointer(self.shared(field))

    def own(self, field: int) -> str:
        return self.load(self.cursor, field)

    def own_pointer(self, field: int) -> str:
        return self.pointer(self.own(field))

    def set(self, field: int, value: Operand) -> None:
        self.store(value, self.cursor, field)

    def _change(self, operator: str, field: int, value: Operand, order: str) -> str:
        address = self.address(self.control, field)
        return self.register(f"atomicrmw {operator} ptr {address}, i64 {value} {order}")

    def next(self, counter: int) -> str:
        """Take a number."""
        return self._change("add", counter, 1, "monotonic")

    def add_shared(self, counter: int, value: int) -> None:
        """Add to a shared counter, after all that this thread wrote before."""
        self._change("add", counter, value, "seq_cst")

    def see(self, field: int) -> str:
        """The present value of a shared word; what its writer wrote before is visible as well."""
        return self.register(f"load atomic i64, ptr {self.address(self.control, field)} seq_cst, align 8")

    def show(self, field: int, value: Operand) -> None:
        """Set a shared word, after all that this thread wrote before."""
        self._change("xchg", field, value, "seq_cst")

    def failed(self) -> Operand:
        return self.not_zero(self.see(FAILED))

    def work(self, function: str) -> None:
        """Call another function of the thread; a result other than FINISHED is returned to the caller."""
        result = self.call(function, self.control, self.cursor)
        with self.when(self.compare("ne", result, FINISHED), rare=True):
            self.give(f"i64 {result}")

    def wait(self, condition: Callable[[], Operand], patience: int | None = None) -> Operand:
        """Read until a condition holds, or `patience` times; return whether it holds, as 0 or 1."""
        came, turns = self.variable(0), self.variable(0)

        def waiting(came: str) -> Operand:
            longing = self.is_zero(came)
            return longing if patience is None else self.bit_and(longing, self.compare("slt", turns.get(), patience))

        for _ in self.rounds(came, waiting):
            came.set(condition())
            with self.when(self.is_zero(came.get())):
                turns.add(1)
                self.line(_PAUSE.get(platform.machine().lower(), ""))
                with self.when(self.is_zero(self.bit_and(turns.get(), TURNS - 1))):
                    self.call(self.shared_pointer(YIELD), result="i32")
        return came.get()


_PAUSE = dict.fromkeys(("x86_64", "amd64"), "call void @llvm.x86.sse2.pause()") | dict.fromkeys(
    ("aarch64", "arm64"), "call void @llvm.aarch64.hint(i32 1)"
)
"""The pause instruction of each processor, if it has one."""
DECLARED = "\n".join(("declare void @llvm.x86.sse2.pause()", "declare void @llvm.aarch64.hint(i32)"))
