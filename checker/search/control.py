"""The words that the threads of a batch share, and those that each keeps to itself.

All are 64-bit integers.  What several threads write stands on a cache line of its own and is read and written
atomically.  The rest is written by the leading thread before the phase that reads it begins.
"""

from __future__ import annotations

import platform
from collections.abc import Callable

from llvmlite import ir

from checker.search.emit import I32, I64, POINTER, Code, const

LINE_WORDS = 8
NEXT_RANGE, NEXT_BUFFER, NEXT_OWNER, NEXT_PIECE, RANGES_DONE, OWNERS_DONE, PIECES_DONE, PHASE, OPEN, JOINED, FAILED = (
    range(0, 88, LINE_WORDS)
)
"""Shared, atomic: how many ranges, buffers, owners and pieces are taken, and how many done; the phase; the number of
the batch others may join, or 0; how many have; whether one failed."""

(
    RANGES,
    FIRST,
    QUIESCENT,
    RANGE_COUNT,
    READY,
    EXPAND,
    ROWS,
    LAST,
    PARTS,
    NEW,
    MOST_NEW,
    COUNT,
    BATCH,
    PART_COUNT,
    POOL,
    ADDRESSES,
    OWNER_BITS,
    OWNERS,
    FIRST_WIDTH,
    STATES,
    PARENTS,
    TABLES,
    TABLE_BITS,
    CUTS,
    PIECES,
    CHECK,
    SHOWN,
    SHOWN_WIDTH,
    YIELD,
) = range(88, 117)
"""Shared, of one batch: the table of ranges; the addresses of a row of FIRST_WIDTH for each range and of a byte for
each row; how many ranges; how many buffers have memory; the addresses of `expand` and of the states it expands; the
last phase; the table of parts; how many candidates are new, and up to how many are taken; how many states are stored;
the number of the batch, and of its parts.

Of all batches: the table of buffers and the addresses of the parts' states; the owners; the store; the seen set; where
to cut the parts into pieces; the address of `check` and of a row of SHOWN_WIDTH for each piece; the address of the
system's sched_yield."""
CONTROL = 120

EXPANDING, INSERTING, COLLECTING, ENDED = range(4)
"""Phases."""

(
    IN_HAND,
    PART,
    OWNER,
    WRITTEN,
    DONE,
    ROW,
    SUCCESSORS,
    ORIGINS,
    ROOM,
    COUNTERS,
    RECENT,
    MASK,
    UNSORTED,
    JOINED_BATCH,
    LAST_BATCH,
    POSITION,
) = range(16)
CURSOR = 24
"""A thread's own: the range, buffer and owner in hand (NONE: none); successors written and sifted, and up to which row;
its arrays; the batch it is in, if any, and the last it was in; how far its owner's candidates are inserted (three
words)."""
NONE = -1
BEGIN = (NONE, NONE, NONE, 0, 0)
"""The first words of a thread that begins a batch."""

FINISHED, WIDEN, FILL, GROW, IDLE = range(5)
"""Why a thread comes back from native code: the batch is done; a state has more successors than there is room for; the
buffer in hand has no memory yet; a table is full; there was nothing to do for a while."""

TURNS = 1 << 6
"""Looks at a word, with a pause after each, before a thread that waits lets others have its processor."""


class ThreadCode(Code):
    """The body of a native function of one thread of a batch, `name(control, cursor)`: both kinds of words, by name."""

    def __init__(self, module: ir.Module, name: str) -> None:
        super().__init__(module, name, "pp")
        self.control, self.cursor = self.args

    def shared(self, field: int) -> ir.Value:
        """A shared word that does not change during the phase."""
        return self.load(self.control, const(field))

    def own(self, field: int) -> ir.Value:
        return self.load(self.cursor, const(field))

    def set(self, field: int, value: ir.Value) -> None:
        self.store(value, self.cursor, const(field))

    def pointer(self, address: ir.Value) -> ir.Value:
        return self.builder.inttoptr(address, POINTER)

    def next(self, counter: int) -> ir.Value:
        """Take a number."""
        return self.builder.atomic_rmw("add", self.at(self.control, const(counter)), const(1), "monotonic")

    def add(self, counter: int, value: int) -> None:
        """Add to a shared counter, after all that this thread wrote before."""
        self.builder.atomic_rmw("add", self.at(self.control, const(counter)), const(value), "seq_cst")

    def see(self, field: int) -> ir.Value:
        """A shared word as it is now; what its writer wrote before is seen as well."""
        return self.builder.load_atomic(self.at(self.control, const(field)), "seq_cst", 8, typ=I64)

    def show(self, field: int, value: ir.Value) -> None:
        """Set a shared word, after all that this thread wrote before."""
        self.builder.atomic_rmw("xchg", self.at(self.control, const(field)), value, "seq_cst")

    def failed(self) -> ir.Value:
        return self.builder.icmp_signed("!=", self.see(FAILED), const(0))

    def call(self, name: str) -> ir.Value:
        """Call another function of the thread."""
        return self.builder.call(self.module.globals[name], [self.control, self.cursor])

    def wait(self, condition: Callable[[], ir.Value], patience: int | None = None) -> ir.Value:
        """Look until a condition (i1) holds, or `patience` times; whether it does, as 0 or 1."""
        b = self.builder
        came, turns = self.variable(const(0)), self.variable(const(0))

        def waiting() -> ir.Value:
            longing = b.icmp_signed("==", came.get(), const(0))
            return longing if patience is None else b.and_(longing, b.icmp_signed("<", turns.get(), const(patience)))

        with self.loop(waiting):
            came.set(b.zext(condition(), I64))
            with b.if_then(b.icmp_signed("==", came.get(), const(0))):
                turns.add(const(1))
                self._pause()
                with b.if_then(b.icmp_signed("==", b.and_(turns.get(), const(TURNS - 1)), const(0))):
                    b.call(b.inttoptr(self.shared(YIELD), ir.FunctionType(I32, []).as_pointer()), [])
        return came.get()

    def _pause(self) -> None:
        """Tell the processor that this is a loop that waits, where there is a way."""
        name, arguments = _PAUSE.get(platform.machine().lower(), ("", []))
        if name:
            kind = ir.FunctionType(ir.VoidType(), [I32] * len(arguments))
            function = self.module.globals.get(name) or ir.Function(self.module, kind, name)
            self.builder.call(function, [const(value, I32) for value in arguments])


_PAUSE: dict[str, tuple[str, list[int]]] = {
    "x86_64": ("llvm.x86.sse2.pause", []),
    "amd64": ("llvm.x86.sse2.pause", []),
    "aarch64": ("llvm.aarch64.hint", [1]),
    "arm64": ("llvm.aarch64.hint", [1]),
}
"""The instruction for it on each processor, as an intrinsic and its arguments."""
