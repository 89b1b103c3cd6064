"""One shard of a search: the states whose hash falls to it, in the seen set of the search in one process.

A shard accepts candidates (keeping what it has not seen), checks and expands the states of a level, and hands the
successors over in blocks by owner. Whole states are stored and compared, so no two states are ever taken for one.

With a budget, a shard that has grown to it puts all it has seen on disk, sorted, and begins with an empty table. What
the table then takes for new may be known: before states count as a level they are looked up on disk. Then only tables
and buffers are in memory, and a level is read from its file.

The content of a shard is a function of the states it was given, not of their order or repetition: applying the same
committed files or candidates twice changes nothing. That is what makes it a cache that any process can build again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from attrs import define, field
from numpy.typing import NDArray

from checker.contract import NEVER, Source, States
from checker.search.memory import reservation, reserve
from checker.search.seen_set import RecentStates, SeenSet
from checker.search.sorted_states import SortedRun, mapped
from checker.search.spark.partition import Partition, Router, Send
from checker.search.spark.spent import Stopwatch

MOST_CANDIDATES = 1 << 16
SUCCESSOR_BYTES = 1 << 19
_ROWS = 1 << 14
_LOOKED_UP = 1 << 18
SPILL_SHARE = 0.45
"""Of a budget; sorting what is put on disk and a table that grows need as much again."""


@define(eq=False)
class Shard:
    """Shard `number` of `shards`. `latest` are the states of its latest level, `level`, in pieces.

    budget     bytes for states and tables; None: no limit. directory: where to put what is more.
    count      states in memory. spilled: bytes on disk. distinct: states of all levels.
    expanded, transitions: how far the expansion of the latest level is.
    """

    source: Source
    number: int
    shards: int
    budget: int | None = None
    directory: Path = Path(".")
    level: int = -1
    count: int = 0
    spilled: int = 0
    distinct: int = 0
    expanded: int = 0
    latest: list[States] = field(factory=list)
    runs: list[SortedRun] = field(factory=list)
    watch: Stopwatch = field(factory=Stopwatch)
    _next: list[States] = field(factory=list)  # pieces of the level that is being accepted
    _new: int = 0  # the first state in memory of that level
    _begun: int = -1  # the latest level whose expansion was begun
    stored: States = field(init=False)
    partition: Partition = field(init=False)
    seen: SeenSet = field(init=False)
    router: Router = field(init=False)
    _incoming: RecentStates = field(init=False)
    _counters: NDArray[np.int64] = field(init=False)

    def __attrs_post_init__(self) -> None:
        words = self.source.words
        self.partition = Partition(words, self.shards)
        self._empty()
        self.router = Router(self.partition, RecentStates(words))
        self._incoming = RecentStates(words)
        self._counters = np.zeros(2 * len(self.source.actions) + 3, dtype=np.int64)
        self._allocate(max(1 << 10, SUCCESSOR_BYTES // (8 * words)))
        places = MOST_CANDIDATES + 8  # flags are read eight at a time
        self._keys = np.empty(places, dtype=np.uint64)
        self._ids = np.arange(places, dtype=np.uint32)
        self._flags = np.zeros(places, dtype=np.uint8)
        self._candidates = np.empty((places, words), dtype=np.uint64)
        self._parents = np.zeros(places, dtype=np.uint32)
        self._buffers = np.zeros(1, dtype=np.uint64)

    _successors: States = field(init=False)
    _origins: NDArray[np.uint32] = field(init=False)
    _keys: NDArray[np.uint64] = field(init=False)
    _ids: NDArray[np.uint32] = field(init=False)
    _flags: NDArray[np.uint8] = field(init=False)
    _candidates: States = field(init=False)
    _parents: NDArray[np.uint32] = field(init=False)
    _buffers: NDArray[np.uint64] = field(init=False)

    def _allocate(self, capacity: int) -> None:
        self._successors = np.empty((capacity, self.source.words), dtype=np.uint64)
        self._origins = np.empty(capacity, dtype=np.uint32)

    @property
    def known(self) -> int:
        """Distinct states so far, for certain: once some are on disk, those of the next level are not known before its
        end."""
        return self.distinct if self.runs else self.distinct + self.count - self._new

    @property
    def transitions(self) -> int:
        """Of the expansion that is under way, or was the last."""
        return int(self._counters[-3])

    @property
    def nbytes(self) -> int:
        """Bytes of the states and tables."""
        return self.count * 8 * self.source.words + self.seen.nbytes

    def _empty(self) -> None:
        words = self.source.words
        memory = reserve(reservation())
        capacity = memory.nbytes // (8 * words)
        self.stored = memory.view(np.uint64)[: capacity * words].reshape(capacity, words)
        self.seen = SeenSet(words)
        self.count = self._new = 0

    def advance(self) -> None:
        """What was accepted since the last call is the latest level."""
        with self.watch("spill" if self.runs else "other"):
            self._next.append(self._unknown())
        self.latest, self._next = [piece for piece in self._next if len(piece)], []
        self.level, self._new, self.expanded = self.level + 1, self.count, 0
        self.distinct += self.rows

    @property
    def rows(self) -> int:
        """States of the latest level."""
        return sum(map(len, self.latest))

    def _unknown(self) -> States:
        """The new states in memory that are not on disk."""
        states = self.stored[self._new : self.count]
        if not self.runs or not len(states):
            return states
        keys = self.partition.keys(states)
        order = np.argsort(keys)
        known = np.zeros(len(states), dtype=np.bool_)
        for start in range(0, len(states), _LOOKED_UP):
            rows = order[start : start + _LOOKED_UP]
            for run in self.runs:
                known[rows] |= run.has(keys[rows], states[rows])
        return mapped(self.directory, states[~known])

    def _spill(self) -> None:
        """Put everything on disk and begin with an empty table."""
        self._next.append(mapped(self.directory, self._unknown()))
        states = self.stored[: self.count]
        for i, piece in enumerate(self.latest):
            if np.may_share_memory(piece, states):
                self.latest[i] = mapped(self.directory, piece)
        self.runs.append(SortedRun.write(self.directory, self.partition.keys(states), states))
        self.spilled += self.runs[-1].nbytes
        self._empty()

    def accept(self, states: States, routed: bool = False) -> int:
        """Keep the states (n, words) not seen before, as far as memory tells; how many. `routed`: this shard's router
        let them through, so that looking for recent ones again would be in vain. Raises MemoryError, OSError."""
        states = np.ascontiguousarray(states)
        accepted = 0
        with self.watch("accept"):
            for start in range(0, len(states), MOST_CANDIDATES):
                accepted += self._accept(states[start : start + MOST_CANDIDATES], routed)
                if self.budget is not None and self.nbytes > SPILL_SHARE * self.budget:
                    with self.watch("spill"):
                        self._spill()
        return accepted

    def _accept(self, states: States, routed: bool) -> int:
        candidates, count = states, len(states)
        if routed:
            self.partition.write_keys(states, self._keys)
        else:
            candidates = self._candidates
            parents, keys, kept = self._parents.ctypes.data, self._keys.ctypes.data, candidates.ctypes.data
            count = self._incoming.sift(states.ctypes.data, parents, count, keys, kept, parents)
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
        """The latest level in blocks; a piece may move to disk in between."""
        for number in range(len(self.latest)):
            for start in range(0, len(self.latest[number]), _ROWS):
                yield np.ascontiguousarray(self.latest[number][start : start + _ROWS])

    def check(self) -> dict[int, int]:
        """The findings that states of the latest level show, with their steps."""
        first = np.full(2 * len(self.source.findings), NEVER, dtype=np.int64)
        with self.watch("check"):
            for states in self._blocks():
                self.source.check(states, first)
        return {int(number): self.level for number in np.flatnonzero(first != NEVER)}

    def expand(self, send: Send, quiescent: Callable[[States], None]) -> tuple[NDArray[np.int64], dict[int, int]]:
        """Expand the latest level: blocks of successors to their owners, quiescent states to `quiescent`.

        `send` may let this shard accept states of the next level meanwhile.

        Returns what the source counted, and the findings that showed with their steps.
        """
        source, findings = self.source, len(self.source.findings)
        if self._begun == self.level:  # what an earlier attempt sent may never have been read
            self.router.recent = RecentStates(source.words)
        self._begun = self.level
        counters = self._counters = np.zeros_like(self._counters)
        first = np.full(2 * findings, NEVER, dtype=np.int64)
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
            cut, number = divmod(int(code), findings)
            steps = self.level + (bool(cut) or source.findings[number].kind != "quiescence")
            found[number] = min(steps, found.get(number, steps))
        return counters, found
