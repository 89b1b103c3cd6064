"""The interpreter as an engine of `check`: for small models, and as the reference for the other engines."""

from __future__ import annotations

import time
from collections import Counter
from functools import cache, partial
from itertools import accumulate

from attrs import define, field

from checker.backends.interpreter.explore import Exploration
from checker.backends.interpreter.explore import explore as searched
from checker.backends.interpreter.interpreter import Interpreter, Raw
from checker.bound import Bound
from checker.engines.behaviour import behaviour
from checker.engines.explored import Explored, Found, OutcomeRun, unexplored
from checker.engines.request import Request
from checker.frontend.lower import lower
from checker.language.definition import Definition
from checker.replay.symmetry import canonical_of, require_symmetric_start
from checker.replay.traced import Shown
from checker.results.checked import ActionReport
from checker.search.deadline import OutOfTime, within
from checker.search.interrupts import Interrupts
from checker.search.limits import Limits
from checker.search.memory import peak_resident, resident
from checker.search.progress import INTERVAL, Progress, ProgressCallback


def interpreter_of(definition: Definition) -> Interpreter:
    """The interpreter of a model; a model that is not in the language is refused here, as every engine refuses it."""
    lower(definition)
    return Interpreter(definition)


@define
class _Watch:
    """Decides between two states whether a limit on time or memory is reached or Ctrl-C was pressed, and whether
    progress is due.  Memory is that of the whole process.
    """

    limits: Limits
    interrupts: Interrupts
    progress: ProgressCallback | None
    started: float = field(factory=time.perf_counter)
    reported: tuple[float, int] = (0.0, 0)

    def __call__(self, result: Exploration, left: int) -> Bound | None:
        seconds = time.perf_counter() - self.started
        memory = resident() if self.limits.max_memory is not None else 0
        if (bound := self.limits.reached(self.interrupts.requested, memory)) is not None:
            return bound
        if self.progress is not None and seconds - self.reported[0] >= INTERVAL:
            rate = (result.transitions - self.reported[1]) / (seconds - self.reported[0])
            self.reported = (seconds, result.transitions)
            self.progress(
                Progress(result.depth, len(result.parent), result.transitions, rate, left, resident(), seconds)
            )
        return None


def explore(request: Request) -> Explored:
    """Explore with the interpreter.

    The model is lowered first, so that every engine accepts and refuses the same models.
    """
    definition, limits, phases = request.definition, request.limits, request.phases
    try:
        with phases("lower"), within(limits, "lowering the model"):
            model = lower(definition)
            canonical = canonical_of(definition, model)
            interpreter = Interpreter(definition)
            if canonical is not None:
                require_symmetric_start(interpreter, canonical)
    except OutOfTime as late:
        return unexplored(definition, late)
    with phases("search"):
        with Interrupts() as interrupts:
            watch = _Watch(limits, interrupts, request.progress)
            result = searched(interpreter, limits.max_depth, limits.max_states, canonical, request.stop_at_first, watch)
    levels = Counter(result.level.values())
    return Explored(
        distinct=len(result.order),
        transitions=result.transitions,
        depth=result.depth,
        initial=result.initial,
        quiescent=len(result.quiescent),
        cut=result.cut,
        actions=tuple(
            ActionReport(a.name, result.enabled[a.name], result.fired[a.name], result.first.get(a.name), a.fault)
            for a in definition.actions
        ),
        found=tuple(
            Found(Shown(f.kind, f.name, f.line, f.beyond, f.cut), f.steps, partial(tuple, f.path))
            for f in sorted(result.findings.values(), key=lambda f: f.rank)
        ),
        levels=tuple(levels[i] for i in range(result.depth)),
        complete=result.bound is None and not result.unexpanded,
        bound=result.bound,
        expanded=_expanded(result),
        peak_memory=peak_resident(),
        outcomes=lambda: _outcomes(definition, result),
        outcome_runs=lambda: _outcome_runs(definition, result),
        behaviour=cache(lambda: behaviour(interpreter, result.order, lambda n: result.path(result.order[n]))),
        validation=None,
    )


def _expanded(result: Exploration) -> tuple[int, int]:
    expanded = len(result.parent) - result.unexpanded
    ends = accumulate(Counter(result.level.values()).values())
    return sum(end <= expanded for end in ends), result.unexpanded


def _outcomes(definition: Definition, result: Exploration) -> list[dict[str, Raw]]:
    return sorted(
        (run.outcome for run in _outcome_runs(definition, result)), key=lambda outcome: repr(tuple(outcome.values()))
    )


def _outcome_runs(definition: Definition, result: Exploration) -> list[OutcomeRun]:
    names = definition.model.outcome
    places = [[v.name for v in definition.variables].index(n) for n in names]
    runs: dict[Raw, OutcomeRun] = {}
    for number, state in enumerate(result.quiescent):
        values = tuple(state[i] for i in places)
        runs.setdefault(values, OutcomeRun(dict(zip(names, values)), number, partial(result.path, state)))
    return list(runs.values())
