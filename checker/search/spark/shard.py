"""One shard of a search: the states whose hash belongs to it, in the seen set of the search in one process.

A shard accepts candidates (and keeps the new ones), checks and expands the states of a level, and hands the successors
over in blocks by owner. With a memory limit it stores further states like the search in one process
(`checker.search.out_of_core`), in the same sorted runs on the local disk; a level is then pages on disk, too.

The content of a shard is a function of the set of states given to it, not of their order or repetition: accepting the
same committed files or candidates twice changes nothing. Any process can therefore build it again, like a cache.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from checker.contract import NEVER, QUIET, Source, States, nowhere, uncounted
from checker.search.blocks import blocks
from checker.search.disk import Disk, Page, PagedFile
from checker.search.memory import PAGE, reservation, reserve
from checker.search.runs import Keys, Runs, distinct, ordered, states_of
from checker.search.seen_set import RecentStates, SeenSet
from checker.search.spark.partition import Partition, Router, Send
from checker.search.spark.spent import Stopwatch

MOST_CANDIDATES = 1 << 16
SUCCESSOR_BYTES = 1 << 19
_ROWS = 1 << 14
STATES_SHARE, FILTER_SHARE = 0.4, 0.2
"""Shares of a memory limit: for states in memory and their tables, and for the filter of the states on disk. Sorting
the states needs as much again as they take.
"""
_ENTRY = 19
"""Bytes of a table for a state, at most."""
LEAST_STATES = 256
"""The least number of states that are kept in memory, however little memory there is."""


@frozen(eq=False)
class InMemory:
    """Some states of a level that are in memory."""

    states: States

    def __len__(self) -> int:
        return len(self.states)

    def blocks(self, rows: int) -> Iterator[States]:
        """The states, at most this many at a time, contiguous."""
        return blocks(self.states, rows)


@frozen(eq=False)
class OnDisk:
    """States in the pages of a separate file, whose room is released when no piece refers to it any more."""

    file: PagedFile
    pages: tuple[Page, ...]

    @classmethod
    def of(cls, disk: Disk, words: int, keys: Keys) -> OnDisk:
        """Keys, in order, put on disk. Raises DiskFull, StoredFileError."""
        file = disk.file(words)
        starts = range(0, len(keys), file.page_rows)
        return cls(file, tuple(file.append(states_of(keys[at : at + file.page_rows], words)) for at in starts))

    def __len__(self) -> int:
        return sum(page.rows for page in self.pages)

    def blocks(self, rows: int) -> Iterator[States]:
        for page in self.pages:
            yield from InMemory(self.file.read(page)).blocks(rows)


Piece = InMemory | OnDisk


class Shard:
    """Shard `number` of `shards`. `latest` are the states of its latest level, `level`, in pieces, until states of the
    next are accepted.

    budget: bytes for states and tables; None: no limit. directory: where further states are stored. quick: begin with
    quickly compiled code. count: states in memory. distinct: states of all levels. expanded, transitions: the progress
    of the latest level's expansion.
    """

    def __init__(
        self,
        source: Source,
        number: int,
        shards: int,
        budget: int | None = None,
        directory: Path = Path("."),
        quick: bool = False,
    ) -> None:
        words = source.words
        self.source, self.number, self.budget = source, number, budget
        self.level, self.count, self.distinct, self.expanded = -1, 0, 0, 0
        self.latest: list[Piece] = []
        self.watch = Stopwatch()
        self.disk = Disk(directory)
        self.known_on_disk: Runs | None = None
        self._next: list[Piece] = []  # pieces of the level that is being accepted
        self._new = 0  # the first state in memory of that level
        self._begun = -1  # the latest level whose expansion was begun
        memory = reserve(reservation(), least=PAGE)
        capacity = memory.nbytes // (8 * words)
        self.stored: States = memory.view(np.uint64)[: capacity * words].reshape(capacity, words)
        self.seen = SeenSet(words, quick=quick)
        self.router = Router(Partition(words, shards), RecentStates(words, quick=quick))
        self._incoming = RecentStates(words, quick=quick)
        self._counters = uncounted(source)
        self._allocate(max(1 << 10, SUCCESSOR_BYTES // (8 * words)))
        places = MOST_CANDIDATES + 8  # flags are read eight at a time
        self._keys = np.empty(places, dtype=np.uint64)
        self._ids = np.arange(places, dtype=np.uint32)
        self._flags = np.zeros(places, dtype=np.uint8)
        self._candidates = np.empty((places, words), dtype=np.uint64)
        self._parents = np.zeros(places, dtype=np.uint32)
        self._buffers = np.zeros(1, dtype=np.uint64)

    def _allocate(self, capacity: int) -> None:
        self._successors = np.empty((capacity, self.source.words), dtype=np.uint64)
        self._origins = np.empty(capacity, dtype=np.uint32)

    @property
    def known(self) -> int:
        """A lower bound of the distinct states so far: once some are on disk, those of the next level are not known
        before its end.
        """
        return self.distinct if self.known_on_disk else self.distinct + self.count - self._new

    @property
    def spilled(self) -> int:
        """Bytes on disk for want of memory."""
        return self.disk.used

    @property
    def transitions(self) -> int:
        """Transitions of the current expansion, or of the last one."""
        return int(self._counters[-3])

    @property
    def nbytes(self) -> int:
        """Bytes of the states and tables."""
        on_disk = self.known_on_disk.nbytes if self.known_on_disk else 0
        return self.count * 8 * self.source.words + self.seen.nbytes + on_disk

    @property
    def _most(self) -> int:
        """The largest number of states that are kept in memory."""
        if self.budget is None:
            return len(self.stored)
        return max(LEAST_STATES, int(STATES_SHARE * self.budget / (8 * self.source.words + _ENTRY)))

    def advance(self) -> None:
        """Make the states accepted since the last call the latest level."""
        with self.watch("spill" if self.known_on_disk else "other"):
            self._next.append(self._resolved())
        self.latest, self._next = [piece for piece in self._next if len(piece)], []
        self.level, self._new, self.expanded = self.level + 1, self.count, 0
        self.distinct += self.rows

    @property
    def rows(self) -> int:
        """States of the latest level."""
        return sum(map(len, self.latest))

    def _sorted(self, start: int, stop: int) -> Keys:
        """The keys of states in memory, in order."""
        return distinct(ordered(self.stored[start:stop]))

    def _unknown(self) -> Keys:
        """The keys, in order, of the new states in memory that are not on disk."""
        candidates = self._sorted(self._new, self.count)
        return candidates if self.known_on_disk is None else self.known_on_disk.unknown(candidates)

    def _resolved(self) -> Piece:
        """The new states in memory, as a piece of a level."""
        if self.known_on_disk is None:
            return InMemory(self.stored[self._new : self.count])
        return OnDisk.of(self.disk, self.source.words, self._unknown())

    def _spill(self) -> None:
        """Put everything on disk and begin with an empty table."""
        words = self.source.words
        new = self._unknown()
        self.latest.clear()  # it was expanded: states of the next level are accepted
        self._next.append(OnDisk.of(self.disk, words, new))
        if self.known_on_disk is None:
            self.known_on_disk = Runs(self.disk, words, int(FILTER_SHARE * (self.budget or 0)))
        self.known_on_disk.add(new)
        self.known_on_disk.add(self._sorted(0, self._new))
        self.seen.empty()
        self.count = self._new = 0

    def accept(self, states: States) -> int:
        """Keep the states (n, words) that are new as far as memory shows; return how many. Raises MemoryError,
        DiskFull, StoredFileError.
        """
        states = np.ascontiguousarray(states)
        accepted = 0
        with self.watch("accept"):
            for some in blocks(states, MOST_CANDIDATES):
                accepted += self._accept(some)
                if self.budget is not None and self.count >= self._most:
                    with self.watch("spill"):
                        self._spill()
        return accepted

    def _accept(self, states: States) -> int:
        candidates = self._candidates
        parents, keys, kept = self._parents.ctypes.data, self._keys.ctypes.data, candidates.ctypes.data
        count = self._incoming.sift(states.ctypes.data, parents, len(states), keys, kept, parents)
        if self.count + count > len(self.stored):
            raise MemoryError("the address space reserved for states is full")
        seen, address = self.seen, candidates.ctypes.data
        flags, store = self._flags.ctypes.data, self.stored.ctypes.data
        self._buffers[0] = address
        seen.insert(self._keys, self._ids.ctypes.data, count, flags, address, self._buffers.ctypes.data, 0, store)
        found = flags, count, address, self._parents.ctypes.data, 0
        out = store + self.count * 8 * self.source.words, self._parents.ctypes.data, self.count
        accepted = seen.library["collect"](*found, *out, seen.tables_address, seen.table_bits, 0)
        self.count += accepted
        return accepted

    def _blocks(self) -> Iterator[States]:
        """The latest level in blocks."""
        for piece in self.latest:
            yield from piece.blocks(_ROWS)

    def check(self) -> dict[int, int]:
        """The findings in states of the latest level, with their steps."""
        first = nowhere(self.source)
        with self.watch("check"):
            for states in self._blocks():
                self.source.check(states, first)
        return {int(number): self.level for number in np.flatnonzero(first != NEVER)}

    def expand(self, send: Send, quiescent: Callable[[States], None]) -> tuple[NDArray[np.int64], dict[int, int]]:
        """Expand the latest level: blocks of successors to their owners, quiescent states to `quiescent`.

        Returns the counters of the source, and the findings with their steps.
        """
        source, findings = self.source, len(self.source.findings)
        if self._begun == self.level:  # what an earlier attempt sent may never have been read
            self.router.recent = RecentStates(source.words)
        self._begun = self.level
        counters = self._counters = uncounted(source)
        first = nowhere(source)
        ends = np.zeros(_ROWS, dtype=np.uint8)
        for states in self._blocks():
            before = counters[-2]
            row = 0
            while row < len(states):
                with self.watch("expand"):
                    following, written = source.expand(
                        states, row, self._successors, self._origins, counters, first, ends
                    )
                if following == row:
                    self._allocate(4 * len(self._successors))
                    continue
                row = following
                with self.watch("route"):
                    self.router.route(self._successors.ctypes.data, written, send)
            if counters[-2] > before:
                quiescent(states[ends[: len(states)] != 0])
            self.expanded += len(states)
        self.router.flush(send)
        found: dict[int, int] = {}
        for code in np.flatnonzero(first != NEVER):
            part, number = divmod(int(code), findings)
            steps = self.level + (part != QUIET)
            found[number] = min(steps, found.get(number, steps))
        return counters, found
