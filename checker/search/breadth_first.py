"""Breadth-first search, level by level, exact, with a fixed order of discovery.

The order is that of the textbook search with one queue: a level's states are expanded in order, and a successor not
seen before goes to the end of the next level. Everything reported (counts, the first occurrence of each finding, the
paths) is a function of that order, not of threads, batches or timing; only the end of a search by time, memory or the
user depends on timing. The phases of a batch, where the work is done, are in `batch`.

A violation ends the search at the end of its level, so the counts are those of whole levels. A quiescence violation in
a state is found when that state is expanded, one level after an invariant violation in the same state would be.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import takewhile
from typing import TYPE_CHECKING

import numpy as np
from attrs import define, evolve, field
from numpy.typing import NDArray

from checker.bound import Bound
from checker.contract import Source
from checker.frozen import frozen
from checker.search import control as word
from checker.search.batch import MOST_ROWS, Batches, Tally
from checker.search.buffers import Parts
from checker.search.deadline import OutOfTime, within
from checker.search.improving import Improvement
from checker.search.interrupts import Interrupts
from checker.search.limits import NO_LIMITS, Limits
from checker.search.memory import available_memory, peak_resident
from checker.search.occurrences import Occurrences
from checker.search.pace import Pace
from checker.search.progress import INTERVAL, Progress, ProgressCallback
from checker.search.result import ActionCount, Coverage, SearchResult
from checker.search.store import Store
from checker.search.threads import Threads

if TYPE_CHECKING:
    from checker.contract import States
    from checker.search.checkpoint import Checkpoint, Deferred


@frozen
class Look:
    """A look at the first `after` states of a search, as soon as it has so many.  ends: whether the search ends there,
    with bound "states"; what else that call does is not counted as work of the search."""

    after: int
    ends: Callable[[States], bool]


def search(
    source: Source,
    *,
    threads: int = 1,
    limits: Limits = NO_LIMITS,
    stop_at_first: bool = True,
    progress: ProgressCallback | None = None,
    checkpoint: Checkpoint | Deferred | None = None,
    improvement: Improvement | None = None,
    look: Look | None = None,
) -> SearchResult:
    """Explore all states reachable from the source's initial states.

    With stop_at_first the search ends after the first level with a violation; findings of kind "reachable" are
    witnesses and never end it. Otherwise everything is explored and each finding keeps its first occurrence. Ctrl-C
    ends the search with bound "interrupted" after the current batch; a second Ctrl-C ends it without that batch.

    With a checkpoint each finished level is committed to its work directory. If the directory holds levels already, the
    search continues from the last; the result then counts all states, but transitions and findings only from there on,
    and its paths are meaningless: the contents of the directory are the result.

    With an improvement the search begins with quickly compiled code, and continues with the optimised code.
    """
    if threads < 1:
        raise ValueError("a search needs at least one thread")
    with Threads(threads) as runner, Interrupts() as interrupts:
        return _Search(source, limits, stop_at_first, progress, runner, interrupts, checkpoint, improvement, look).run()


@define(eq=False)
class _Search:
    """One running search."""

    source: Source
    limits: Limits
    stop_at_first: bool
    progress: ProgressCallback | None
    threads: Threads
    interrupts: Interrupts
    checkpoint: Checkpoint | Deferred | None = None
    improvement: Improvement | None = None
    look: Look | None = None

    store: Store = field(init=False)
    batches: Batches = field(init=False)
    occurrences: Occurrences = field(init=False)
    counters: NDArray[np.int64] = field(init=False)
    quiescent: list[tuple[int, NDArray[np.uint16]]] = field(init=False, factory=list)
    first_levels: list[int | None] = field(init=False)
    levels: list[int] = field(init=False, factory=list)
    expanded: int = field(init=False, default=0)
    bound: Bound | None = field(init=False, default=None)
    started: float = field(init=False, factory=time.perf_counter)
    working: float = field(init=False, factory=time.thread_time)
    pace: Pace = field(init=False)
    reported: tuple[float, int] = field(init=False, default=(0.0, 0))

    def __attrs_post_init__(self) -> None:
        self.store = Store(self.source.words)
        self.batches = Batches(self.source, self.store, self.threads, self.improvement is not None)
        self.pace = Pace(self.batches)
        if self.improvement is not None and not (self.improvement.quick or self.batches.seen.library.quick):
            self.improvement = None
        self.occurrences = Occurrences(self.source)
        self.counters = np.zeros(2 * len(self.source.actions) + 3, dtype=np.int64)
        self.first_levels = [None] * len(self.source.actions)
        self.limits = self.limits.begun()
        if self.limits.max_memory is None:
            self.limits = evolve(self.limits, max_memory=int(0.9 * available_memory()))

    def run(self) -> SearchResult:
        try:
            if self.checkpoint is not None and self.checkpoint.sizes:
                self._restore(self.checkpoint)
            else:
                self._initial_level()
                self._commit()
            while not self._finished():
                self._level()
                self._commit()
        except KeyboardInterrupt:
            self.bound = Bound.INTERRUPTED
        except OutOfTime:
            self.bound = Bound.SECONDS
        except MemoryError:
            self.bound = Bound.MEMORY
        return self._result()

    # ---- levels

    def _finished(self) -> bool:
        """Whether to end before the next level."""
        if self.bound or self.expanded == self.store.count or self.occurrences.void:
            return True
        if self.stop_at_first and self.occurrences.ordered(witnesses=False):
            return True
        if self.limits.max_depth is not None and len(self.levels) > self.limits.max_depth:
            self.bound = Bound.DEPTH
        return self.bound is not None

    def _initial_level(self) -> None:
        with within(self.limits, "computing the initial states"), self.interrupts.at_once():
            states = np.ascontiguousarray(self.source.initial(), dtype=np.uint64)
        self.levels.append(0)
        start = 0
        while start < len(states) and self._within_limits():
            stop = start + self.batches.capacity * self.pace.most_ranges
            room = self._room()
            if (new := self.batches.initial(states[start:stop], room)) > room:
                self._fits(new)
                parts = self.batches.parts()
                for number, places in enumerate(parts.flagged()):
                    parts.unflag(number, places[room:])
                    room -= min(room, places.size)
                self.bound = Bound.STATES
                shown = self.batches.collect_parts(parts)
            else:
                shown = self.batches.collect()
            before, self.store.initial = self.store.initial, self.store.count
            self._take(shown, 0, self.store.count - before)
            self.batches.enlarge()
            start = stop

    def _level(self) -> None:
        level = len(self.levels) - 1
        stop = self.store.count
        self.levels.append(0)
        try:
            while self.expanded < stop and not self.occurrences.void and self._within_limits():
                self._batch(stop, level)
        finally:
            if None in self.first_levels:
                actions = len(self.source.actions)
                for action in np.flatnonzero(self.counters[actions : 2 * actions]):
                    if self.first_levels[action] is None:
                        self.first_levels[action] = level + 1

    # ---- checkpoints

    def _restore(self, checkpoint: Checkpoint | Deferred) -> None:
        """Read all committed states; those of the last level are to be expanded."""
        self.levels += checkpoint.sizes
        for states in checkpoint.states():
            start = 0
            while start < len(states):
                stop = start + self.batches.capacity * self.pace.most_ranges
                self._fits(self.batches.initial(states[start:stop], self.store.capacity - self.store.count))
                self.batches.collect()
                self.store.initial = self.store.count  # no parents are known
                self.batches.enlarge()
                start = stop
            if not self._within_limits():
                break
        self.expanded = self.store.count - self.levels[-1]
        assert self.bound or self.store.count == sum(self.levels)

    def _commit(self) -> None:
        """Commit the last level if it is complete, and end the search if the checkpoint requires it."""
        if self.checkpoint is None or self.bound or self.occurrences.void:
            return
        start = self.store.count - self.levels[-1]
        begin = start - self.levels[-2] if len(self.levels) > 1 else 0
        latest = takewhile(lambda part: part[0] >= begin, reversed(self.quiescent))
        parts = [base + offsets.astype(np.int64) for base, offsets in latest][::-1]
        rows = np.concatenate(parts) if parts else np.zeros(0, dtype=np.int64)
        states = self.store.states
        found = {number: violation.steps for number, (_, violation) in self.occurrences.best.items()}
        if not self.checkpoint.commit(states[start : self.store.count], states[rows], self.counters, found):
            self.bound = Bound.HANDOVER

    # ---- batches

    def _batch(self, stop: int, level: int) -> None:
        """Expand the next states of a level that ends at `stop`."""
        if self.look is not None and self.store.count >= self.look.after and self._looked(self.look):
            return
        started = time.perf_counter()
        if self.improvement is not None and self.improvement.ready(time.thread_time() - self.working):
            self.batches.change_over(*self.improvement.code)
            self.improvement = None
        ranges = self.pace.ranges(self.expanded, stop)
        room, before = self._room(), self.store.count
        tally = self.batches.expand(ranges, room)
        end = ranges[-1][1]
        if tally.new > room:
            self._fits(tally.new)
            parts = self.batches.parts()
            end = self._truncate(parts, room)
            tally = self._recount(tally, ranges[0][0], end)
            shown = self.batches.collect_parts(parts)
            self.bound = Bound.STATES
        else:
            shown = self.batches.collect()  # before it, nothing was counted
        self._take(shown, level + 1, self.store.count - before)
        self.counters += tally.counters
        self.quiescent += tally.quiescent
        self.occurrences.expanded(tally.shown, level)
        self.expanded = end
        self.pace.adapt(int(tally.counters[-3] - tally.counters[-1]), ranges, time.perf_counter() - started)

    def _looked(self, look: Look) -> bool:
        """Whether the look, which is the only one, ends the search."""
        began, self.look = time.thread_time(), None
        with self.interrupts.at_once():
            if look.ends(self.store.states[: look.after]):
                self.bound = Bound.STATES
        self.working += time.thread_time() - began
        return self.bound is not None

    def _take(self, shown: list[tuple[int, int]], level: int, new: int) -> None:
        """Record the new states of a level, and their findings."""
        self.levels[level] += new
        self.occurrences.checked(shown, level, self.store)

    # ---- limits

    def _within_limits(self) -> bool:
        now = time.perf_counter()
        memory = self.batches.nbytes
        if self.progress is not None and now - self.started - self.reported[0] >= INTERVAL:
            self._report(now - self.started)
        self.bound = self.limits.reached(self.interrupts.requested, memory) or self.bound
        return self.bound is None

    def _fits(self, accepted: int) -> None:
        if self.store.count + accepted > self.store.capacity:
            raise MemoryError("the address space reserved for states is full")

    def _room(self) -> int:
        room = self.store.capacity - self.store.count
        limit = self.limits.max_states
        return room if limit is None else min(room, limit - self.store.count)

    def _truncate(self, parts: Parts, room: int) -> int:
        """Keep the new states of whole rows only, as many as there is room for; return the index of the first row left
        out."""
        places = parts.flagged()
        rows = [parts.origins(number, some) for number, some in enumerate(places)]
        end = int(np.concatenate(rows)[room])
        for number, (some, origins) in enumerate(zip(places, rows)):
            parts.unflag(number, some[origins >= end])
        return end

    def _recount(self, tally: Tally, start: int, end: int) -> Tally:
        """The tally of the rows [start, end), which are the first of those that the given tally counts."""
        counted = Tally(np.zeros_like(self.counters))
        for first in range(start, end, MOST_ROWS):
            some = self.batches.expand([(first, min(first + MOST_ROWS, end))], 0, word.EXPANDING)
            counted.counters += some.counters
        counted.shown = [(code, index) for code, index in tally.shown if index < end]
        counted.quiescent = [(base, offsets[offsets < end - base]) for base, offsets in tally.quiescent if base < end]
        return counted

    # ---- reports

    def _report(self, seconds: float) -> None:
        assert self.progress is not None
        transitions = int(self.counters[-3])
        rate = (transitions - self.reported[1]) / max(1e-9, seconds - self.reported[0])
        self.reported = (seconds, transitions)
        frontier = sum(self.levels[:-1]) - self.expanded if len(self.levels) > 1 else 0
        self.progress(
            Progress(
                len(self.levels) - 1,
                self.store.count,
                transitions,
                rate,
                max(0, frontier),
                self.batches.nbytes,
                seconds,
            )
        )

    def _result(self) -> SearchResult:
        levels = tuple(size for size in self.levels if size)
        ends = np.cumsum(levels)
        actions = len(self.source.actions)
        counts = tuple(
            ActionCount(name, int(self.counters[i]), int(self.counters[actions + i]), self.first_levels[i])
            for i, name in enumerate(self.source.actions)
        )
        unexpanded = self.store.count - self.expanded
        return SearchResult(
            distinct=self.store.count,
            transitions=int(self.counters[-3]),
            depth=len(levels),
            initial=self.store.initial,
            quiescent=int(self.counters[-2]),
            cut=int(self.counters[-1]),
            actions=counts,
            violations=self.occurrences.ordered(witnesses=False),
            witnesses=self.occurrences.ordered(witnesses=True),
            levels=levels,
            complete=self.bound is None and unexpanded == 0,
            bound=self.bound,
            coverage=Coverage(int(np.searchsorted(ends, self.expanded, side="right")), self.expanded, unexpanded),
            seconds=time.perf_counter() - self.started,
            peak_memory=peak_resident(),
            sources=self.batches.sources,
            store=self.store,
            quiescent_parts=tuple(self.quiescent),
        )
