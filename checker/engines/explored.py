"""What every engine tells `check`, in common terms: counts, findings, and on request outcomes and the graph."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from attrs import define, field, frozen

from checker.backends.interpreter.interpreter import Raw
from checker.language.definition import Definition, PropertyDefinition
from checker.language.errors import Undecided
from checker.replay.replay import Shown
from checker.results.checked import ActionReport
from checker.results.validated import Validation
from checker.search.deadline import OutOfTime
from checker.search.liveness import Flags, Graph
from checker.search.memory import peak_resident
from checker.search.result import Counts, SearchResult

if TYPE_CHECKING:
    from checker.backends.native.kernel import NativeKernel


@frozen
class Found:
    """One finding of an engine: what it shows, and the states that lead there."""

    shown: Shown
    steps: int
    path: Callable[[], tuple[Raw, ...]]


@frozen
class Behaviour:
    """The explored graph, for properties of whole runs.

    truth(property, n) gives the values of its `when` and of its `then` in every state, (states,) each, for the n-th
    value of its parameters; path(number) the states that lead to one; confirmed: in how many states the interpreter
    agreed with compiled code.
    """

    graph: Graph
    truth: Callable[[PropertyDefinition, int], tuple[Flags, Flags]]
    path: Callable[[int], tuple[Raw, ...]]
    confirmed: int = 0


@frozen
class OutcomeRun:
    """An outcome and a shortest run to it; `number` is the place of its first state in order of discovery: the smaller,
    the fewer steps (or as many)."""

    outcome: dict[str, Raw]
    number: int
    path: Callable[[], tuple[Raw, ...]]


@frozen(eq=False)
class Packed:
    """The stored states of a native search in this process, and the kernel that knows what their words mean."""

    kernel: NativeKernel
    result: SearchResult


@frozen
class Explored(Counts):
    """What an engine reports, in terms common to all of them.  coverage: levels expanded, states not expanded.
    validation: how far the interpreter confirmed it, None if the interpreter itself explored, or nothing was. packed:
    for questions about all states; only the native engine without a work directory has it.  before: what a limit on
    time interrupted before the search began."""

    actions: tuple[ActionReport, ...]
    found: tuple[Found, ...]
    coverage: tuple[int, int]
    peak_memory: int
    outcomes: Callable[[], list[dict[str, Raw]]]
    outcome_runs: Callable[[], list[OutcomeRun]]
    behaviour: Callable[[], Behaviour]
    validation: Validation | None
    packed: Packed | None = None
    before: str = ""


def unexplored(definition: Definition, late: OutOfTime) -> Explored:
    """What there is to report where the time was over before the search began."""

    def nothing() -> Behaviour:
        raise Undecided(str(late), remedy="Raise --max-seconds, or lower the constants.")

    actions = tuple(ActionReport(a.name, 0, 0, None, a.fault) for a in definition.actions)
    return Explored(
        **Counts(0, 0, 0, 0, 0, 0, (), complete=False, bound="seconds").counts(),
        actions=actions,
        found=(),
        coverage=(0, 0),
        peak_memory=peak_resident(),
        outcomes=list,
        outcome_runs=list,
        behaviour=nothing,
        validation=None,
        before=late.doing,
    )


def require_finished(explored: Explored) -> None:
    """KeyboardInterrupt if Ctrl-C ended the search: for a command that makes several, and has nothing to report after
    half of them."""
    if explored.bound == "interrupted":
        raise KeyboardInterrupt


@define
class Phases:
    """Seconds spent, by phase."""

    seconds: dict[str, float] = field(factory=dict)

    @contextmanager
    def __call__(self, name: str) -> Iterator[None]:
        start = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - start
