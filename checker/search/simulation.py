"""Random walks: many at once, each taking a random successor, for models with too many states to explore.

A walk begins in a random initial state and ends where it has no successor or is long enough; then another replaces it.
Every state of a walk is checked as in a search.  Walks advance together, a block of states at a time, so they are as
fast as the kernel.  They depend only on the seed.

The first violation ends the simulation after its step.  Its run is then shortened: to a shortest path over the states
of the walk and the steps between them. It need not be a shortest run of the model.  Walks without a violation say
nothing about states that they did not reach.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import numpy as np
from attrs import define, field, frozen
from numpy.typing import NDArray

from checker.bound import Bound
from checker.contract import CUT, NEVER, QUIET, Finding, Source, States, nowhere
from checker.search.expansions import expansions, successors_of

WALKERS = 1 << 10
CAPACITY = 1 << 15
MET = 1 << 12
"""The approximate number of states of the walks that are kept."""


@frozen(eq=False)
class Walked:
    """The results of the walks.

    runs: walks that ended; steps: of all walks; longest: steps of the longest one; ends: walks that ended in a state
    without successors. counters: as of the source, over the states of the walks (copies counted).  finding, path: the
    first finding, and the states (k, words) that lead to it; `beyond`: it occurs on a step out of the last one.  bound:
    why the simulation ended before all runs were made, or None.  met: some of the states (n, words) on the walks,
    spread over them, each once.
    """

    runs: int
    steps: int
    longest: int
    ends: int
    counters: NDArray[np.int64]
    finding: Finding | None
    path: States | None
    beyond: bool
    cut: bool
    bound: Bound | None
    met: States


def simulate(
    source: Source,
    *,
    runs: int,
    depth: int,
    seed: int,
    max_seconds: float | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Walked:
    """Make `runs` random walks of at most `depth` steps; end at the first violation.  Witnesses (findings of kind
    reachable) do not count as one."""
    return _Simulation(source, runs, depth, np.random.default_rng(seed), max_seconds, progress).run()


def random_walks(source: Source, walkers: int, steps: int, seed: int) -> Iterator[States]:
    """The states of this many random walks after each of their steps, until all have ended; findings are ignored."""
    simulation = _Simulation(source, 0, 0, np.random.default_rng(seed), None, None)
    if not len(simulation.initial):
        return
    here = simulation._starts(walkers)
    for _ in range(steps):
        here, moved, _ = simulation._step(here)
        if not moved.any():
            return
        yield here


@define(eq=False)
class _Simulation:
    source: Source
    runs: int
    depth: int
    random: np.random.Generator
    max_seconds: float | None
    progress: Callable[[int, int], None] | None

    started: float = field(init=False, factory=time.perf_counter)
    counters: NDArray[np.int64] = field(init=False)
    initial: States = field(init=False)
    history: list[States] = field(init=False, factory=list)
    ages: NDArray[np.int64] = field(init=False)
    ended: int = field(init=False, default=0)
    steps: int = field(init=False, default=0)
    longest: int = field(init=False, default=0)
    ends: int = field(init=False, default=0)

    def __attrs_post_init__(self) -> None:
        self.counters = np.zeros(2 * len(self.source.actions) + 3, dtype=np.int64)
        self.initial = np.ascontiguousarray(self.source.initial())

    def run(self) -> Walked:
        walkers = min(WALKERS, self.runs)
        if not len(self.initial):
            return self._result(None)
        here = self._starts(walkers)
        self.ages = np.zeros(walkers, dtype=np.int64)
        self.history = [here]
        while self.ended < self.runs:
            found = self._checked(here)
            if found is not None:
                return self._found(found, here)
            there, moved, found = self._step(here)
            if found is not None:
                return self._found(found, here)
            here = self._onward(there, moved)
            if self.max_seconds is not None and time.perf_counter() - self.started > self.max_seconds:
                return self._result(Bound.SECONDS)
            if self.progress is not None:
                self.progress(self.ended, self.steps)
        return self._result(None)

    def _starts(self, n: int) -> States:
        return self.initial[self.random.integers(len(self.initial), size=n)]

    def _checked(self, here: States) -> tuple[int, int, bool] | None:
        """The first finding of a state: (finding, walker, whether on a step beyond)."""
        first = nowhere(self.source)
        self.source.check(here, first)
        return self._first(first, beyond=False)

    def _first(self, first: NDArray[np.int64], beyond: bool) -> tuple[int, int, bool] | None:
        shown = [
            (int(first[f]), int(f))
            for f in np.flatnonzero(first != NEVER)
            if self.source.findings[f % len(self.source.findings)].kind != "reachable"
        ]
        if not shown:
            return None
        row, number = min(shown)
        return number, row, beyond

    def _step(self, here: States) -> tuple[States, NDArray[np.bool_], tuple[int, int, bool] | None]:
        """A random successor of each state, where there is one."""
        there, moved = here.copy(), np.zeros(len(here), dtype=np.bool_)
        first = nowhere(self.source)
        for piece in expansions(self.source, here, first, self.counters, capacity=CAPACITY):
            row = piece.start
            counts = np.bincount(piece.parents, minlength=piece.end)[row : piece.end]
            rows = np.flatnonzero(counts)
            chosen = np.concatenate([[0], np.cumsum(counts)])[rows] + (
                self.random.random(len(rows)) * counts[rows]
            ).astype(np.int64)
            there[row + rows] = piece.successors[chosen]
            moved[row + rows] = True
        return there, moved, self._first(first, beyond=True)

    def _onward(self, there: States, moved: NDArray[np.bool_]) -> States:
        """The next states of the walks: those that have ended begin anew."""
        self.steps += int(moved.sum())
        self.ages += moved
        self.longest = max(self.longest, int(self.ages.max()))
        over = ~moved | (self.ages >= self.depth)
        self.ends += int((~moved).sum())
        self.ended += int(over.sum())
        there[over] = self._starts(int(over.sum()))
        self.ages[over] = 0
        self.history.append(there)
        del self.history[: -self.depth - 2]
        return there

    def _found(self, found: tuple[int, int, bool], here: States) -> Walked:
        number, walker, beyond = found
        part, number = divmod(number, len(self.source.findings))
        age = int(self.ages[walker])
        walk = np.stack([states[walker] for states in self.history[len(self.history) - 1 - age :]])
        finding = self.source.findings[number]
        return self._result(None, finding, self._shortened(walk), beyond and part != QUIET, part == CUT)

    def _shortened(self, walk: States) -> States:
        """A shortest path from the start of a walk to its end over states of the walk."""
        place = {state.tobytes(): i for i, state in reversed(list(enumerate(walk)))}
        last = place[walk[-1].tobytes()]
        before: dict[int, int] = {0: -1}
        frontier = [0]
        while frontier and last not in before:
            following = []
            for i in frontier:
                for successor in successors_of(self.source, walk[i]):
                    j = place.get(successor.tobytes())
                    if j is not None and j not in before:
                        before[j] = i
                        following.append(j)
            frontier = following
        way = [last]
        while before[way[-1]] >= 0:
            way.append(before[way[-1]])
        return walk[way[::-1]]

    def _result(
        self,
        bound: Bound | None,
        finding: Finding | None = None,
        path: States | None = None,
        beyond: bool = False,
        cut: bool = False,
    ) -> Walked:
        return Walked(
            self.ended,
            self.steps,
            self.longest,
            self.ends,
            self.counters,
            finding,
            path,
            beyond,
            cut,
            bound,
            self._met(),
        )

    def _met(self) -> States:
        """Some of the states on the last steps of the walks."""
        every = max(1, sum(map(len, self.history)) // MET)
        some = [states[number % every :: every] for number, states in enumerate(self.history)]
        return np.unique(np.concatenate([self.initial[:1], *some]), axis=0)
