"""The compiled engine of `check`: lower, compile, search, and grow networks that turn out too small.

A network has no bound in the language; in packed states it has one.  When a search meets it, the model is lowered again
with twice the capacity and the search starts over: counts and traces never depend on the guess.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any, cast

import numpy as np

from checker.backends.interpreter.interpreter import Raw
from checker.backends.native.kernel import FEW_STATES, InitialError, NativeKernel, compile_model
from checker.engines.behaviour import compiled_behaviour
from checker.engines.explored import Explored, Found, OutcomeRun, Packed, Phases, unexplored
from checker.frontend.lower import lower
from checker.ir.model import Model as Lowered
from checker.language.definition import Definition
from checker.language.errors import UsageError
from checker.language.start import starts
from checker.replay.replay import Shown
from checker.replay.symmetry import require_symmetric, require_symmetric_steps
from checker.results.checked import ActionReport
from checker.search.breadth_first import search
from checker.search.deadline import OutOfTime, aside, within
from checker.search.limits import NO_LIMITS, Limits
from checker.search.result import SearchResult, Violation
from checker.search.seen_set_native import library
from checker.search.source import Finding, Source
from checker.validation.validation import validated

LARGEST_NETWORK = 1024


def explore_native(
    definition: Definition,
    threads: int,
    limits: Limits,
    stop_at_first: bool,
    progress: Any,
    phases: Phases,
    adapt: Callable[[Lowered], Lowered] = lambda model: model,
) -> Explored:
    """Explore with the native kernel; `adapt` changes the lowered model before it is compiled (to watch for something
    that has no method in the class)."""
    capacities: dict[str, int] = {}
    limits = limits.begun()
    while True:
        try:
            kernel = compiled(
                definition,
                capacities,
                phases,
                adapt,
                quick=limits.max_states is not None and limits.max_states <= FEW_STATES,
                limits=limits,
            )
        except OutOfTime as late:
            return unexplored(definition, late)
        with phases("search"):
            try:
                result = search(
                    cast(Source, kernel), threads=threads, limits=limits, stop_at_first=stop_at_first, progress=progress
                )
            except InitialError:
                list(starts(definition.model.of(definition)))  # says what is wrong, and where
                raise
        small = [v.finding.name for v in result.violations if v.finding.kind == "grow"]
        if not small:
            require_symmetric_steps(definition, kernel, result)
            return explored(definition, kernel, result, phases)
        for name in small:
            enlarge(name, capacities, kernel)


def enlarge(network: str, capacities: dict[str, int], kernel: NativeKernel) -> None:
    """Give a network that turned out too small twice the room."""
    capacities[network] = 2 * capacities.get(network, kernel.capacity(network))
    if capacities[network] > LARGEST_NETWORK:
        raise UsageError(
            f"more than {LARGEST_NETWORK} messages are in flight on {network}",
            remedy="Does the model send without bound? Add a constraint or a budget.",
        )


def compiled(
    definition: Definition,
    capacities: dict[str, int],
    phases: Phases,
    adapt: Callable[[Lowered], Lowered] = lambda model: model,
    quick: bool = False,
    limits: Limits = NO_LIMITS,
) -> NativeKernel:
    """The kernel of a definition; quick: for a search of few states.  OutOfTime if the limits leave no time for it."""
    with phases("lower"), within(limits, "lowering the model"):
        model = adapt(lower(definition, capacities))
    with phases("compile"), within(limits, "compiling"):
        kernel = aside(partial(_compiled, model, quick))
        require_symmetric(definition, kernel)
        return kernel


def _compiled(model: Lowered, quick: bool) -> NativeKernel:
    kernel = compile_model(model, quick=quick)
    library(kernel.words)  # the seen set for states so wide: compiled once too, and not the search's time
    return kernel


def explored(definition: Definition, kernel: NativeKernel, result: SearchResult, phases: Phases) -> Explored:
    """What a search in this process found, confirmed by the interpreter on a sample.  Disagreement if it is not."""
    with phases("validate"):
        validation = validated(definition, kernel, result)
    faults = {a.name: a.fault for a in definition.actions}
    actions = tuple(ActionReport(a.name, a.enabled, a.fired, a.first_level, faults[a.name]) for a in result.actions)
    ends = cache(partial(_outcomes, definition, kernel, result))
    return Explored(
        distinct=result.distinct,
        transitions=result.transitions,
        depth=result.depth,
        initial=result.initial,
        quiescent=result.quiescent,
        cut=result.cut,
        actions=actions,
        found=tuple(_found(definition, kernel, result, v) for v in (*result.violations, *result.witnesses)),
        levels=result.levels,
        complete=result.complete,
        bound=result.bound,
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
