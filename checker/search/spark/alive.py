"""What workers tell while they are at a level: how far they are, twice a second, from a thread of their own.

The thread says that the process runs, also while its main thread is in one long call; a process that is stopped, or
cut off from the others, says nothing.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Self

from attrs import define, field, frozen

from checker.search.spark.shard import Shard

SECONDS = 0.5


@frozen
class Alive:
    """How far a shard is. rows: distinct states for certain; expanded: of the level's; transitions: of this level so far;
    memory, spilled: bytes."""

    shard: int
    rows: int = 0
    expanded: int = 0
    transitions: int = 0
    memory: int = 0
    spilled: int = 0


def alive(number: int, shard: Shard | None) -> Alive:
    """How far a shard is now; nothing, if it is still being built."""
    if shard is None:
        return Alive(number)
    return Alive(number, shard.known, shard.expanded, shard.transitions, shard.nbytes, shard.spilled)


@frozen
class Together:
    """All shards at one moment."""

    rows: int
    expanded: int
    transitions: int
    memory: int
    spilled: int
    skew: float

    @classmethod
    def of(cls, shards: Sequence[Alive]) -> Self:
        """Sums, and the largest shard in terms of the mean one."""
        rows = [shard.rows for shard in shards]
        skew = max(rows) * len(rows) / sum(rows) if sum(rows) else 1.0
        return cls(
            sum(rows), sum(s.expanded for s in shards), sum(s.transitions for s in shards), sum(s.memory for s in shards),
            sum(s.spilled for s in shards), skew,
        )  # fmt: skip


@define
class Beacon:
    """Calls `tell` twice a second from another thread. Use as a context manager: leaving it ends the thread.

    An error of `tell` ends the thread only: the silence is noticed.
    """

    tell: Callable[[], None]
    _ended: threading.Event = field(init=False, factory=threading.Event)

    def __enter__(self) -> Self:
        threading.Thread(target=self._shine, name="beacon", daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()

    def _shine(self) -> None:
        while not self._ended.wait(SECONDS):
            try:
                self.tell()
            except OSError:
                return
