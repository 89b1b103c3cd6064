"""The result that every engine returns to `check`: counts, findings, and on request outcomes and the graph."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

from attrs import define, field

from checker.backends.interpreter.interpreter import Raw
from checker.bound import Bound
from checker.contract import Finding
from checker.frozen import frozen
from checker.language.definition import Definition, PropertyDefinition
from checker.language.errors import Undecided
from checker.replay.traced import Shown
from checker.results.checked import FAILURES, ActionReport, Searched
from checker.search.deadline import OutOfTime
from checker.search.memory import peak_resident
from checker.search.result import Counts, SearchResult

if TYPE_CHECKING:
    from checker.backends.native.kernel import NativeKernel
    from checker.engines.survey import Survey
    from checker.search.liveness import Flags, Graph, Indices


@frozen
class Found:
    """One finding of an engine: its kind, and the states that lead to it."""

    shown: Shown
    steps: int
    path: Callable[[], tuple[Raw, ...]]


def shown(finding: Finding, beyond: bool, cut: bool) -> Shown:
    """The name of a finding; a failure has its line in it."""
    return Shown(finding.kind, finding.name, finding.line if finding.kind in FAILURES else 0, beyond, cut)


@frozen(eq=False)
class Region:
    """A graph that decides a leads-to property for one value of its parameters: all that was explored, or the part with
    all runs that break it.  when, then: the values of its predicates in every state; first: as of `liveness.leads_to`;
    path: the states that lead to a state; state: this state.
    """

    graph: Graph
    when: Flags
    then: Flags
    first: Callable[[Indices], int]
    path: Callable[[int], tuple[Raw, ...]]
    state: Callable[[int], Raw]


class Regions(Protocol):
    """What was explored, for leads-to properties.  confirmed: in how many states the interpreter agreed with compiled
    code.
    """

    @property
    def confirmed(self) -> int: ...

    def region(self, property: PropertyDefinition, n: int) -> Region:
        """For the n-th value of the parameters of a property.  Raises Undecided."""


@frozen
class Behaviour:
    """The explored graph, in memory.

    truth(property, n): the values of its `when` and of its `then` in every state, (states,) each, for the n-th value of
    its parameters; path(number): the states that lead to a state; confirmed: as of Regions.
    """

    graph: Graph
    truth: Callable[[PropertyDefinition, int], tuple[Flags, Flags]]
    path: Callable[[int], tuple[Raw, ...]]
    confirmed: int = 0

    def region(self, property: PropertyDefinition, n: int) -> Region:
        """The whole graph."""
        truth, path = self.truth(property, n), self.path
        return Region(self.graph, *truth, lambda starts: int(starts[0]), path, lambda number: path(number)[-1])


@frozen
class OutcomeRun:
    """An outcome and a shortest run to it.  number: its place in an order in which the number of steps never decreases:
    of a search in memory, the order of discovery of its first state.
    """

    outcome: dict[str, Raw]
    number: int
    path: Callable[[], tuple[Raw, ...]]


@frozen(eq=False)
class Packed:
    """The stored states of a native search in this process, and the kernel that can decode their words."""

    kernel: NativeKernel
    result: SearchResult


@frozen(kw_only=True)
class Explored(Searched):
    """The report of an engine, in terms common to all engines.  survey: for questions about all states; the interpreter
    has none.  packed: for questions that need all states in this process, in the order of discovery; only a native
    search that ended in memory has it.
    """

    found: tuple[Found, ...]
    outcomes: Callable[[], list[dict[str, Raw]]]
    outcome_runs: Callable[[], list[OutcomeRun]]
    behaviour: Callable[[], Regions]
    survey: Callable[[], Survey] | None = None
    packed: Packed | None = None

    @property
    def failures(self) -> list[Found]:
        """The errors and failed assertions of the model, by steps and place: engines find those of one level in
        different orders.
        """
        failures = [f for f in self.found if f.shown.kind in FAILURES]
        return sorted(failures, key=lambda f: (f.steps, f.shown.line, f.shown.name))


def unexplored(definition: Definition, late: OutOfTime) -> Explored:
    """The report if the time was over before the search began."""

    def nothing() -> Behaviour:
        raise too_late(late)

    return Explored(
        **Counts(0, 0, 0, 0, 0, 0, (), complete=False, bound=Bound.SECONDS).counts(),
        actions=tuple(ActionReport(a.name, 0, 0, None, a.fault) for a in definition.actions),
        found=(),
        expanded=(0, 0),
        peak_memory=peak_resident(),
        outcomes=list,
        outcome_runs=list,
        behaviour=nothing,
        validation=None,
        before=late.doing,
    )


def too_late(late: OutOfTime) -> Undecided:
    """The error of a question whose search had not finished when the time was over."""
    return Undecided(str(late), remedy="Raise --max-seconds, or lower the constants.")


def require_finished(explored: Explored) -> None:
    """Raise KeyboardInterrupt if Ctrl-C ended the search: for a command with several searches, which has nothing to
    report after some of them.
    """
    if explored.bound is Bound.INTERRUPTED:
        raise KeyboardInterrupt


@define
class Phases:
    """Seconds spent, by phase; those of a phase inside another count for the inner one alone."""

    seconds: dict[str, float] = field(factory=dict)
    _inside: float = field(init=False, default=0.0)

    @contextmanager
    def __call__(self, name: str) -> Iterator[None]:
        start, before, self._inside = time.perf_counter(), self._inside, 0.0
        try:
            yield
        finally:
            spent = time.perf_counter() - start
            self.seconds[name] = self.seconds.get(name, 0.0) + spent - self._inside
            self._inside = before + spent
