"""The compiled engine of `check`: lower, compile, search; networks that turn out too small get more
room (`growing`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache, partial
from typing import Any

import numpy as np

from checker.backends.interpreter.interpreter import Raw
from checker.backends.native.kernel import FEW_STATES, InitialError, NativeKernel, compile_model
from checker.contract import Finding
from checker.engines.behaviour import compiled_behaviour
from checker.engines.explored import Explored, Found, OutcomeRun, Packed, unexplored
from checker.engines.growing import require_room, with_room
from checker.engines.request import Request
from checker.frontend.lower import lower
from checker.ir.model import Model as Lowered
from checker.language.definition import Definition
from checker.language.start import starts
from checker.replay.replay import Shown
from checker.replay.symmetry import require_symmetric, require_symmetric_steps
from checker.results.checked import ActionReport
from checker.search.breadth_first import search
from checker.search.checkpoint import Checkpoint
from checker.search.deadline import OutOfTime, aside, within
from checker.search.result import SearchResult, Violation
from checker.search.seen_set_native import library
from checker.validation.validation import validated


def explore(request: Request) -> Explored:
    """Explore with the native kernel, all states in this process."""
    return with_room(partial(_explore, request))


def _explore(request: Request, room: Mapping[str, int]) -> Explored:
    most = request.limits.max_states
    try:
        kernel = compiled(request, room, quick=most is not None and most <= FEW_STATES)
    except OutOfTime as late:
        return unexplored(request.definition, late)
    result = searched(request, kernel)
    require_symmetric_steps(request.definition, kernel, result)
    return explored(request, kernel, result)


def searched(request: Request, kernel: NativeKernel, checkpoint: Checkpoint | None = None) -> SearchResult:
    """The search in this process.  TooSmall."""
    with request.phases("search"), located_start(request.definition):
        result = search(
            kernel,
            threads=request.threads,
            limits=request.limits,
            stop_at_first=request.stop_at_first,
            progress=request.progress,
            checkpoint=checkpoint,
        )
    require_room(kernel, result.small)
    return result


@contextmanager
def located_start(definition: Definition) -> Iterator[None]:
    """An initial state that is wrong is told with what is wrong in it, and where: UsageError."""
    try:
        yield
    except InitialError:
        list(starts(definition.model.of(definition)))
        raise


def compiled(request: Request, room: Mapping[str, int], quick: bool = False) -> NativeKernel:
    """The kernel of a request; `room`: of networks, by name; quick: for a search of few states.  OutOfTime if the
    limits leave no time for it."""
    definition, phases, limits = request.definition, request.phases, request.limits
    with phases("lower"), within(limits, "lowering the model"):
        model = lower(definition, dict(room))
        if request.adapt is not None:
            model = request.adapt(model)
    with phases("compile"), within(limits, "compiling"):
        kernel = aside(partial(_compiled, model, quick))
        require_symmetric(definition, kernel)
        return kernel


def _compiled(model: Lowered, quick: bool) -> NativeKernel:
    kernel = compile_model(model, quick=quick)
    library(kernel.words)  # the seen set for states so wide: compiled once too, and not the search's time
    return kernel


def explored(request: Request, kernel: NativeKernel, result: SearchResult) -> Explored:
    """What a search in this process found, confirmed by the interpreter on a sample.  Disagreement if it is not."""
    definition = request.definition
    with request.phases("validate"):
        validation = validated(definition, kernel, result)
    faults = {a.name: a.fault for a in definition.actions}
    actions = tuple(ActionReport(a.name, a.enabled, a.fired, a.first_level, faults[a.name]) for a in result.actions)
    ends = cache(partial(_outcomes, definition, kernel, result))
    return Explored(
        **result.counts(),
        actions=actions,
        found=tuple(_found(definition, kernel, result, v) for v in (*result.violations, *result.witnesses)),
        coverage=(result.coverage.levels, result.coverage.unexpanded),
        peak_memory=result.memory.process,
        outcomes=lambda: [outcome for outcome, _ in ends()],
        outcome_runs=lambda: [OutcomeRun(o, n, partial(_path, definition, kernel, result, n)) for o, n in ends()],
        behaviour=cache(
            lambda: compiled_behaviour(
                definition,
                kernel.model,
                result.states(),
                partial(_path, definition, kernel, result),
                partial(state_of, definition, kernel),
            )
        ),
        validation=validation,
        packed=Packed(kernel, result),
    )


def _found(definition: Definition, kernel: NativeKernel, result: SearchResult, violation: Violation) -> Found:
    finding: Finding = violation.finding
    shown = Shown(
        finding.kind,
        finding.name,
        finding.line if finding.kind in ("error", "assert") else 0,
        violation.beyond,
        violation.cut,
    )
    return Found(shown, violation.steps, partial(_path, definition, kernel, result, violation.index))


def _path(definition: Definition, kernel: NativeKernel, result: SearchResult, index: int) -> tuple[Raw, ...]:
    return tuple(state_of(definition, kernel, row) for row in result.path(index))


def state_of(definition: Definition, kernel: NativeKernel, row: Any) -> Raw:
    """The interpreter's raw state of a packed one, shape (words,)."""
    values = kernel.decode(row)
    return tuple(values[v.name] for v in definition.variables)


def _outcomes(definition: Definition, kernel: NativeKernel, result: SearchResult) -> list[tuple[dict[str, Raw], int]]:
    """Distinct outcomes, each with the number of the first quiescent state that has it.

    Packed states are masked to the outcome's variables, so that each outcome is decoded once.
    """
    names = definition.model.outcome
    rows = result.states()[result.quiescent_indices] & kernel.mask(names)
    if not len(rows):
        return []
    distinct, first = np.unique(rows, axis=0, return_index=True)
    decoded = [
        ({n: values[n] for n in names}, int(result.quiescent_indices[i]))
        for values, i in zip(map(kernel.decode, distinct), first)
    ]
    return sorted(decoded, key=lambda found: repr(found[0]))
