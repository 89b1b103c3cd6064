"""Breadth-first search of more states than memory, level by level, exact.

Delayed duplicate detection (Korf, AAAI 2004; Lamborn and Hansen, 2008), after the tables of the search in memory;
docs/out_of_core.md explains how it works and why it is exact. The states in memory are a set M, those on disk a set D
(`runs`). Candidates of the next level are the states that M received since the last comparison with D, which takes
place when memory is full and at the end of a level.

The order within a level differs from that of a search in memory; paths are rebuilt from the levels (`trails`). A level
is committed when it is complete: a search that ends earlier has the counts of whole levels.

Where it stops: the sets of `trails` must fit into memory, and so must a batch.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np
from attrs import define, field, frozen
from numpy.typing import NDArray

from checker.bound import Bound
from checker.contract import QUIET, Source, States
from checker.search.batch import Batches, Tally
from checker.search.block_files import Block, BlockWriter, pieces, write_blocks
from checker.search.blocks import blocks
from checker.search.checkpoint import least
from checker.search.deadline import OutOfTime, within
from checker.search.disk import Disk, DiskLimit
from checker.search.interrupts import Interrupts
from checker.search.limits import Limits
from checker.search.pace import LEAST_ROWS, Pace
from checker.search.progress import INTERVAL, Progress, ProgressCallback
from checker.search.runs import Keys, Runs, distinct, ordered, states_of
from checker.search.store import Store
from checker.search.threads import Threads
from checker.search.workdir import Level, WorkDirectory

PIECE_BYTES = 1 << 22
"""Bytes of states in a file of a level, one of which is in memory at a time."""
LEAST_STATES = 1 << 12
"""The least number of states that are kept in memory, however little memory there is."""
STATES_SHARE, FILTER_SHARE = 0.75, 0.2
"""Shares of the allowed memory: for states in memory, with the room for sorting them; for the filter."""
_ENTRY = 23
"""Bytes of a table and of a parent for a state, at most."""
_SORTING = 24
"""Bytes for each word of the states while they are sorted and compared."""


@frozen
class Outcome:
    """How a search ended.  small: networks for which packed states had no room; then it is void."""

    bound: Bound | None
    small: tuple[str, ...] = ()


def piece_rows(words: int) -> int:
    """States of a file of a level, at most."""
    return max(1, PIECE_BYTES // (8 * words))


def go_on(
    source: Source,
    work: WorkDirectory,
    disk: Disk,
    memory: int,
    *,
    threads: int = 1,
    limits: Limits,
    stop_at_first: bool = True,
    progress: ProgressCallback | None = None,
) -> Outcome:
    """Resume a search whose levels are in a work directory, within this many bytes of memory, as far as limits allow.

    Raises StoredFileError: there is no room on the disk, or the files on it are damaged.
    """
    with Threads(threads) as runner, Interrupts() as interrupts:
        search = _Search(source, work, disk, memory, limits.begun(), stop_at_first, progress, runner, interrupts)
        try:
            return search.run()
        finally:
            search.known.close()


class _Stopped(Exception):
    """A limit ended the search."""


@define(eq=False)
class _Search:
    """One running search.  store: M, whose states from `resolved` on are candidates; known: D."""

    source: Source
    work: WorkDirectory
    disk: Disk
    memory: int
    limits: Limits
    stop_at_first: bool
    progress: ProgressCallback | None
    threads: Threads
    interrupts: Interrupts

    store: Store = field(init=False)
    batches: Batches = field(init=False)
    pace: Pace = field(init=False)
    known: Runs = field(init=False)
    resolved: int = field(init=False, default=0)
    bound: Bound | None = field(init=False, default=None)
    found: dict[int, int] = field(init=False, factory=dict)
    counters: NDArray[np.int64] = field(init=False)
    files: list[Block] = field(init=False, factory=list)
    ends: BlockWriter | None = field(init=False, default=None)
    expanded: int = field(init=False, default=0)
    started: float = field(init=False, factory=time.perf_counter)
    earlier: int = field(init=False, default=0)
    reported: tuple[float, int] = field(init=False, default=(0.0, 0))

    def __attrs_post_init__(self) -> None:
        words = self.source.words
        self.store = Store(words)
        self.batches = Batches(self.source, self.store, self.threads)
        self.pace = Pace(self.batches)
        self.known = Runs(self.disk, words, int(FILTER_SHARE * self.memory), self._within_limits)
        self.counters = np.zeros(2 * len(self.source.actions) + 3, dtype=np.int64)
        self.earlier = self._transitions

    @property
    def _transitions(self) -> int:
        return sum(level.counters[-3] for level in self.work.levels)

    def run(self) -> Outcome:
        """Search."""
        try:
            if self.work.levels:
                self._take_up()
            else:
                self._begin()
            while not self._finished():
                self._level()
        except KeyboardInterrupt:
            self.bound = Bound.INTERRUPTED
        except OutOfTime:
            self.bound = Bound.SECONDS
        except MemoryError:
            self.bound = Bound.MEMORY
        except DiskLimit:
            self.bound = Bound.DISK
        except _Stopped:
            pass
        finally:
            self._discard()
        kinds = ((self.source.findings[number].kind, number) for number in self.found)
        return Outcome(self.bound, tuple(self.source.findings[n].name for kind, n in kinds if kind == "grow"))

    def _discard(self) -> None:
        """Remove the files of a level that was not committed: a resumed search expands it from its first state."""
        if self.ends is not None:
            self.ends.discard()
        for block in self.files:
            self.work.data.remove(block.name)
        self.files, self.ends = [], None

    # ---- levels

    def _begin(self) -> None:
        """Commit the initial states as the first level."""
        began = time.perf_counter()
        with within(self.limits, "computing the initial states"), self.interrupts.at_once():
            initial = np.ascontiguousarray(self.source.initial(), dtype=np.uint64)
        for some in blocks(initial, LEAST_STATES):
            if self.store.count >= self._most:
                self._spill()
            self._within_limits()
            room = self.store.capacity - self.store.count
            if self.batches.initial(some, room) > room:
                raise MemoryError("the address space reserved for states is full")
            self._note(Tally(np.zeros_like(self.counters)), self.batches.collect(), -1)
        self._compare()
        counters, seconds = tuple(0 for _ in self.counters), time.perf_counter() - began
        self.work.commit(Level(0, 1, tuple(self.files), (), counters, dict(self.found), seconds))
        self.files = []

    def _take_up(self) -> None:
        """Put the states of all committed levels on disk, in order."""
        gathered: list[States] = []
        rows = 0
        for level in self.work.levels:
            for states in self._pieces(level.files):
                self._within_limits()
                gathered.append(np.array(states))
                rows += len(states)
                if rows >= self._most:
                    self._enter(gathered)
                    rows = 0
        self._enter(gathered)

    def _enter(self, gathered: list[States]) -> None:
        if gathered:
            self.known.add(ordered(np.concatenate(gathered)))
            gathered.clear()

    def _pieces(self, files: tuple[Block, ...]) -> Iterator[States]:
        """The states of some files, at most as many at a time as a file of this search has."""
        words = self.source.words
        for block in files:
            yield from pieces(self.work.data, block, words, piece_rows(words))

    def _finished(self) -> bool:
        """Whether to end before the next level."""
        levels, limits = self.work.levels, self.limits
        last = levels[-1]
        violated = any(self.source.findings[number].kind != "reachable" for number in last.found)
        if last.rows == 0 or (violated and self.stop_at_first):
            return True
        if limits.max_depth is not None and last.number >= limits.max_depth:
            self.bound = Bound.DEPTH
        elif limits.max_states is not None and self._distinct >= limits.max_states:
            self.bound = Bound.STATES
        return self.bound is not None

    @property
    def _distinct(self) -> int:
        """States of all committed levels."""
        return sum(level.rows for level in self.work.levels)

    def _level(self) -> None:
        """Expand the last level and commit the next one."""
        began, last = time.perf_counter(), self.work.levels[-1]
        self.counters[:] = 0
        self.expanded = 0
        self.ends = ends = BlockWriter(self.work.data, f"{last.number + 1:05}-ends", 0)
        for states in self._pieces(last.files):
            self._expand(states, last.number, ends)
        self._compare()
        counters = tuple(int(n) for n in self.counters)
        found, seconds = least(last.found, self.found), time.perf_counter() - began
        quiescent, self.ends = ends.close(), None
        blocks = tuple(self.files)
        self.files += quiescent
        self.work.commit(Level(last.number + 1, 1, blocks, quiescent, counters, found, seconds))
        self.files = []

    def _expand(self, states: States, level: int, ends: BlockWriter) -> None:
        """Expand some states of a level."""
        start = 0
        while start < len(states):
            if self.store.count >= self._most:
                self._spill()
            self._within_limits()
            began = time.perf_counter()
            most = self._most / (2 * self.pace.branching * self.pace.most_ranges)
            self.pace.rows = max(1, min(self.pace.rows, max(LEAST_ROWS, int(most))))
            ranges = self.pace.ranges(start, len(states))
            room = self.store.capacity - self.store.count
            tally = self.batches.expand(ranges, room, states=states)
            if tally.new > room:
                raise MemoryError("the address space reserved for states is full")
            self._note(tally, self.batches.collect(), level)
            for base, offsets in tally.quiescent:
                ends.write(states[base + offsets.astype(np.int64)])
            start = ranges[-1][1]
            self.expanded += start - ranges[0][0]
            self.pace.adapt(int(tally.counters[-3] - tally.counters[-1]), ranges, time.perf_counter() - began)

    def _note(self, tally: Tally, shown: list[tuple[int, int]], level: int) -> None:
        """Record the counts and findings of a batch; `shown`: by states of the next level, or of an earlier one, in
        which case it was recorded then.
        """
        self.counters += tally.counters
        findings = self.source.findings
        steps = [{number: level + 1} for number, _ in shown]
        for code, _ in tally.shown:
            part, number = divmod(code, len(findings))
            steps.append({number: level + (part != QUIET)})
        self.found = least(self.found, *steps)
        if any(findings[number].kind == "grow" for number in self.found):
            raise _Stopped

    # ---- memory and disk

    @property
    def _most(self) -> int:
        """The largest number of states that are kept in memory."""
        words = self.source.words
        others = self.batches.nbytes - self.store.nbytes - self.batches.seen.nbytes
        room = STATES_SHARE * self.memory - others
        return max(LEAST_STATES, int(room / (8 * words + _ENTRY + _SORTING * words)))

    def _sorted(self, start: int, stop: int) -> Keys:
        """The keys of stored states, in order; they are distinct."""
        return distinct(ordered(self.store.states[start:stop]))

    def _compare(self) -> Keys:
        """Compare the candidates with the states on disk; write the new ones to the next level, and return them."""
        words = self.source.words
        candidates = self._sorted(self.resolved, self.store.count)
        new = self.known.unknown(candidates)
        # while nothing is on disk all are new, and are written as found: validation compares initial states in order
        found = self.store.states[self.resolved : self.store.count] if not self.known.runs else None
        rows = piece_rows(words)
        stem = f"{len(self.work.levels):05}-states"
        for start in range(0, len(new), rows):
            piece = found[start : start + rows] if found is not None else states_of(new[start : start + rows], words)
            self.files += write_blocks(self.work.data, stem, 0, piece)
        self.resolved = self.store.count
        return new

    def _spill(self) -> None:
        """Write all states in memory to disk."""
        earlier = self.resolved
        self.known.add(self._compare())
        self.known.add(self._sorted(0, earlier))
        self.store.empty()
        self.batches.seen.empty()
        self.resolved = 0

    # ---- limits and reports

    def _within_limits(self) -> None:
        """Raise _Stopped if a limit is reached."""
        seconds = time.perf_counter() - self.started
        if self.progress is not None and seconds - self.reported[0] >= INTERVAL:
            self._report(self.progress, seconds)
        self.bound = self.limits.reached(self.interrupts.requested) or self.bound
        if self.bound is not None:
            raise _Stopped

    def _report(self, progress: ProgressCallback, seconds: float) -> None:
        if not self.work.levels:
            return
        transitions = self._transitions + int(self.counters[-3])
        rate = (transitions - max(self.earlier, self.reported[1])) / max(1e-9, seconds - self.reported[0])
        self.reported = (seconds, transitions)
        last = self.work.levels[-1]
        new = sum(block.rows for block in self.files)
        memory = self.batches.nbytes + self.known.nbytes
        distinct, frontier, used = self._distinct + new, max(0, last.rows - self.expanded), self.disk.used
        progress(Progress(last.number, distinct, transitions, rate, frontier, memory, seconds, spilled=used))
