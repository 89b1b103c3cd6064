"""The findings of a search, and how far it explored.

Indices of states follow the order of discovery: level by level, within a level by the parent's index and then by the
order of its successors. The parent chain of a state is therefore the least of the shortest paths to it in that order,
whatever the number of threads.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from attrs import field
from numpy.typing import NDArray

from checker.bound import Bound
from checker.contract import Finding, Source, States
from checker.frozen import frozen
from checker.search.store import Store


@frozen
class ActionCount:
    """How often an action was enabled (in expanded states) and taken.

    first_level: the least number of transitions, itself included, after which it was taken; None if never.
    """

    name: str
    enabled: int
    fired: int
    first_level: int | None


@frozen
class Violation:
    """The first occurrence of a finding: least number of steps, then canonical order. A witness if "reachable".

    steps   transitions from an initial state to where the finding shows.
    index   the last stored state on the way there.
    beyond  the finding shows on a step out of that state (a step property, an error in an action, a cut successor),
            which counts in `steps`; else it shows in the state itself.
    cut     it shows in a successor that a state constraint excludes.
    """

    finding: Finding
    number: int
    steps: int
    index: int
    beyond: bool
    cut: bool


@frozen
class Coverage:
    """What was expanded: `levels` whole levels, `expanded` states in all, and `unexpanded` stored states that were
    not."""

    levels: int
    expanded: int
    unexpanded: int


@frozen
class Counts:
    """How far a search got, in numbers that every engine gives.

    transitions, quiescent and cut count expanded states; `initial` counts distinct initial states. depth is the number
    of levels (`levels` are their sizes), so depth - 1 transitions lead to the furthest state. complete: every reachable
    state was found and expanded. bound: what ended the search, None if it was complete or stopped by a violation.
    """

    distinct: int
    transitions: int
    depth: int
    initial: int
    quiescent: int
    cut: int
    levels: tuple[int, ...]
    complete: bool
    bound: Bound | None

    def counts(self) -> dict[str, Any]:
        """The counts alone, for a result with more data."""
        return {name: getattr(self, name) for name in Counts.__annotations__}


@frozen(eq=False)
class SearchResult(Counts):
    """Counts, findings and all states of a search. The actions count expanded states; violations are ordered by steps,
    then order of discovery. peak_memory: of the whole process, which may have held others, in bytes."""

    actions: tuple[ActionCount, ...]
    violations: tuple[Violation, ...]
    witnesses: tuple[Violation, ...]
    coverage: Coverage
    seconds: float
    peak_memory: int
    sources: tuple[Source, ...] = field(repr=False)
    """The sources that were searched, one after the other: one, or two (`checker.search.improving`)."""
    _store: Store = field(repr=False)
    _quiescent_parts: tuple[tuple[int, NDArray[np.uint16]], ...] = field(repr=False)

    def path(self, index: int) -> States:
        """The states (k, words) on the way from an initial state to this one, both included. Raises IndexError."""
        return self._store.states[self._store.path(index)]

    def parent(self, index: int) -> int | None:
        """The index of the state this one was first reached from; None for an initial state."""
        return self._store.parent(index)

    def states(self) -> States:
        """All states, (distinct, words), in the order of discovery. A view: not to be written to."""
        view = self._store.states[: self.distinct]
        view.flags.writeable = False
        return view

    def level_starts(self) -> tuple[int, ...]:
        """The index of the first state of each level, and at the end the number of states."""
        return (0, *(int(end) for end in np.cumsum(self.levels)))

    def depths(self, indices: Any) -> Any:
        """The number of steps to states of these indices."""
        return np.searchsorted(self.level_starts(), indices, side="right") - 1

    @property
    def small(self) -> tuple[str, ...]:
        """The networks for which packed states had no room: if there are any, the search is void."""
        return tuple(v.finding.name for v in self.violations if v.finding.kind == "grow")

    @property
    def quiescent_indices(self) -> NDArray[np.int64]:
        """The indices of the expanded states that are quiescent, increasing."""
        parts = [base + offsets.astype(np.int64) for base, offsets in self._quiescent_parts]
        return np.concatenate(parts) if parts else np.zeros(0, dtype=np.int64)
