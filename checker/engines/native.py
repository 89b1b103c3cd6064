"""The compiled engine of `check`: lower, compile, search; networks that turn out too small get more room
(`growing`)."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache, partial
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from attrs import define, field

from checker.backends.interpreter.interpreter import Raw
from checker.backends.native.build import identity, key
from checker.backends.native.kernel import InitialError, NativeKernel, compile_model
from checker.backends.native.layout import state_layout
from checker.contract import States
from checker.engines import fitting
from checker.engines.explored import Behaviour, Explored, Found, OutcomeRun, Packed, shown, unexplored
from checker.engines.fitting import Room, declared, looser, may_fit, note_room, noted_room, refitted, room_of
from checker.engines.growing import TooSmall, require_room, with_room
from checker.engines.request import Request
from checker.engines.survey import survey_of
from checker.engines.whole_process import require_graph_room, within_process
from checker.frontend.lower import lower
from checker.ir.model import Model as Lowered
from checker.language.definition import Definition
from checker.language.start import starts
from checker.replay.symmetry import require_symmetric, require_symmetric_steps
from checker.results.checked import ActionReport
from checker.search.breadth_first import Look, search
from checker.search.deadline import OutOfTime, ahead, aside, within
from checker.search.improving import Improvement, add_worked, is_due, is_worth
from checker.search.result import SearchResult
from checker.search.seen_set_native import library
from checker.validation.validation import validated

if TYPE_CHECKING:
    from checker.search.checkpoint import Checkpoint, Deferred


def explore(request: Request) -> Explored:
    """Explore with the native kernel, all states in this process."""
    return with_room(partial(_explore, request))


def _explore(request: Request, room: Mapping[str, int]) -> Explored:
    try:
        kernel = compiled(request, room, quick=True)
        kernel, result = _in_little_room(request, kernel)
    except OutOfTime as late:
        return unexplored(request.definition, late)
    require_symmetric_steps(request.definition, kernel, result)
    return explored(request, result)


def _in_little_room(request: Request, kernel: NativeKernel) -> tuple[NativeKernel, SearchResult]:
    """The search, in the smallest possible states (`fitting`), and the kernel that it began with.  Raises TooSmall,
    OutOfTime.
    """
    if not may_fit(kernel, request.limits):
        return kernel, searched(request, kernel)
    room = noted_room(kernel)
    if room is None:
        scout = _Scout(request, kernel)
        result = searched(request, kernel, scout=scout)
        return scout.found or (kernel, result)
    with suppress(OutOfTime):
        while room != declared(kernel):
            if (found := _fitted(request, kernel, room)) is not None:
                return found
            room = looser(kernel, room)
            note_room(kernel, room)
    return kernel, searched(request, kernel)


@define
class _Scout:
    """Looks at the first states of a search, and searches the fitted model if there is one; found: what that gave."""

    request: Request
    kernel: NativeKernel
    found: tuple[NativeKernel, SearchResult] | None = None
    began: float = field(init=False, factory=time.thread_time)

    def __call__(self, states: States) -> bool:
        worked = time.thread_time() - self.began
        with self.request.phases("lower"), within(self.request.limits, "looking at lengths"):
            room = room_of(self.kernel, states)
        while room != declared(self.kernel):
            self.found = _fitted(self.request, self.kernel, room, worked)
            if self.found is not None:
                break
            room = looser(self.kernel, room)
        note_room(self.kernel, room)
        return self.found is not None


def _fitted(
    request: Request, kernel: NativeKernel, room: Room, worked: float = 0.0
) -> tuple[NativeKernel, SearchResult] | None:
    """The search of the model with that room, and its kernel; None if states have as many words, or the room is too
    small.  worked: seconds of the search as declared until then.  Raises OutOfTime.
    """
    smaller = _smaller(request, kernel, room, quick=not is_worth(worked, kernel.optimising_seconds))
    if smaller is not None:
        with suppress(TooSmall, InitialError):
            return smaller, searched(request, smaller, had=worked)
    return None


def _smaller(request: Request, kernel: NativeKernel, room: Room, quick: bool) -> NativeKernel | None:
    """The kernel of the model with that room; None if its states have as many words.  Raises OutOfTime."""
    with request.phases("lower"), within(request.limits, "fitting the model"):
        model = refitted(kernel, room)
    if model is None:
        return None
    with request.phases("compile"), within(request.limits, "compiling"):
        return aside(partial(_compiled, model, quick), None)


def searched(
    request: Request,
    kernel: NativeKernel,
    checkpoint: Checkpoint | Deferred | None = None,
    scout: _Scout | None = None,
    had: float = 0.0,
) -> SearchResult:
    """The search in this process.  scout: looks at its first states; had: as in `Improvement`.  Raises TooSmall.

    The seconds of quick code are noted, except where the scout found a search that replaces this one: the next search
    begins with that one, so optimised code for this one would be compiled for nothing.
    """
    with request.phases("search"), located_start(request.definition):
        began = time.thread_time()
        result = search(
            kernel,
            threads=request.threads,
            limits=within_process(request.limits),
            stop_at_first=request.stop_at_first,
            progress=request.progress,
            checkpoint=checkpoint,
            improvement=improvement(kernel, had),
            look=None if scout is None else Look(fitting.scouted(kernel), scout),
        )
        replaced = scout is not None and scout.found is not None
        if kernel.quick and kernel.reduction is None and not replaced:
            add_worked(_worked(kernel.identity), time.thread_time() - began, kernel.optimising_seconds)
    require_room(kernel, result.small)
    return result


def improvement(kernel: NativeKernel, had: float = 0.0) -> Improvement:
    """The optimised code to which a search with a quickly compiled kernel changes over.  had: as in `Improvement`."""
    return Improvement(kernel.optimised, kernel.optimising_seconds, kernel.quick, had)


@contextmanager
def located_start(definition: Definition) -> Iterator[None]:
    """Raise UsageError for a wrong initial state, with the failure and its place."""
    try:
        yield
    except InitialError:
        list(starts(definition.model.of(definition)))
        raise


def compiled(request: Request, room: Mapping[str, int], quick: bool = False) -> NativeKernel:
    """The kernel of a request.  room: of networks, by name; quick: compile without optimisation.  Raises OutOfTime if
    the limits leave no time for it.
    """
    definition, phases, limits = request.definition, request.phases, request.limits
    with phases("lower"), within(limits, "lowering the model"):
        model = lower(definition, dict(room))
        if request.adapt is not None:
            model = request.adapt(model)
    with phases("compile"), within(limits, "compiling"):
        kernel = aside(partial(_compiled, model, quick), request.meanwhile)
        require_symmetric(definition, kernel)
        return kernel


def _compiled(model: Lowered, quick: bool) -> NativeKernel:
    name = identity(model)
    quick = quick and not is_due(_worked(name))
    with ahead(
        partial(library, state_layout(model).stored_words, quick)
    ):  # LLVM compiles it while the kernel is written
        return compile_model(model, quick=quick, identity=name)


def _worked(identity: str) -> str:
    """The name of the note on searches with the quick code of a model."""
    return key(identity, "worked")


def explored(request: Request, result: SearchResult) -> Explored:
    """The result of a search in this process, confirmed by the interpreter on a sample.  Raises Disagreement if it
    differs.
    """
    definition = request.definition
    kernels = cast(tuple[NativeKernel, ...], result.sources)
    kernel = kernels[-1]
    with request.phases("validate"):
        validation = validated(definition, kernels, result)
    faults = {a.name: a.fault for a in definition.actions}
    ends = cache(partial(_outcomes, definition, kernel, result))

    def path(index: int) -> tuple[Raw, ...]:
        return states_of(definition, kernel, result.path(index))

    return Explored(
        **result.counts(),
        actions=tuple(ActionReport(a.name, a.enabled, a.fired, a.first_level, faults[a.name]) for a in result.actions),
        found=tuple(
            Found(shown(v.finding, v.beyond, v.cut), v.steps, partial(path, v.index))
            for v in (*result.violations, *result.witnesses)
        ),
        expanded=(result.coverage.levels, result.coverage.unexpanded),
        peak_memory=result.peak_memory,
        outcomes=lambda: [outcome for outcome, _ in ends()],
        outcome_runs=lambda: [OutcomeRun(outcome, number, partial(path, number)) for outcome, number in ends()],
        behaviour=cache(partial(_behaviour, request, kernel, result, path)),
        validation=validation,
        survey=partial(survey_of, kernel, result),
        packed=Packed(kernel, result),
    )


def _behaviour(request: Request, kernel: NativeKernel, result: SearchResult, path: Any) -> Behaviour:
    from checker.engines.behaviour import compiled_behaviour

    definition, states = request.definition, result.states()
    require_graph_room(request.limits, result.transitions, states.nbytes)
    return compiled_behaviour(definition, kernel.model, states, path, partial(state_of, definition, kernel))


def state_of(definition: Definition, kernel: NativeKernel, row: Any) -> Raw:
    """The interpreter's raw state of a packed one, shape (words,)."""
    values = kernel.decode(row)
    return tuple(values[v.name] for v in definition.variables)


def states_of(definition: Definition, kernel: NativeKernel, rows: States) -> tuple[Raw, ...]:
    """The interpreter's raw states of packed ones."""
    return tuple(state_of(definition, kernel, row) for row in rows)


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
