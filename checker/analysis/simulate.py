"""`checker simulate`: random walks, for configurations that are too large to explore.

The model is lowered and compiled, walks are made, and networks that turn out too small grow.  A violation is replayed,
drawn, and shortened by delta debugging within its own walk.  Walks without a violation decide nothing: exit code 4.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any, TypedDict, Unpack

from attrs import frozen

from checker.backends.interpreter.interpreter import Interpreter
from checker.backends.native.kernel import NativeKernel
from checker.engines.explored import shown, too_late
from checker.engines.growing import require_room, with_room
from checker.engines.native import compiled, located_start, states_of
from checker.engines.request import Request
from checker.language.define import define
from checker.language.definition import Definition
from checker.language.model import Model
from checker.replay.replay import Replay
from checker.replay.shorten import shortened
from checker.results.found import Simulation
from checker.results.listing import PropertyListing
from checker.results.validated import Validation
from checker.search.deadline import READING, OutOfTime, within
from checker.search.limits import NO_LIMITS, Limits
from checker.search.simulation import Walked, simulate
from checker.trace.trace import Trace
from checker.validation.sample import Reached
from checker.validation.validation import Validator

NOT_JUDGED = ("leads-to", "reachable")
"""Kinds of properties that need whole runs, or all states."""


class HowFar(TypedDict, total=False):
    """How many walks are made, with how many steps at most.  progress: called with the number of walks and steps so
    far.
    """

    runs: int
    depth: int
    progress: Callable[[int, int], None] | None


@frozen
class Walks:
    """The findings of random walks, the actions that were enabled in some state of them, the run to the finding (None
    without one), and how far the interpreter confirmed the states.
    """

    met: Walked
    enabled: dict[str, int]
    trace: Trace | None
    validation: Validation


def simulation(
    cls: type[Model],
    reference: str,
    constants: Mapping[str, Any] | None = None,
    *,
    only: list[str] | None = None,
    seed: int,
    limits: Limits = NO_LIMITS,
    **how: Unpack[HowFar],
) -> Simulation:
    """Random walks of a model class."""
    started, limits = time.perf_counter(), limits.begun()
    try:
        with within(limits, "reading the model", READING):
            definition = define(cls, constants, only)
    except OutOfTime as late:
        raise too_late(late) from None
    walks = walk(definition, reference, seed=seed, limits=limits, **how)
    met = walks.met
    numbers = met.runs, met.steps, met.longest, met.ends, met.bound
    never = tuple(name for name, count in walks.enabled.items() if not count)
    left_out = tuple(PropertyListing(p.name, p.kind) for p in definition.properties if p.kind in NOT_JUDGED)
    results = time.perf_counter() - started, walks.validation, walks.trace
    return Simulation(reference, definition.constants, seed, *numbers, never, left_out, *results)


def walk(
    definition: Definition, reference: str, *, seed: int, limits: Limits = NO_LIMITS, **how: Unpack[HowFar]
) -> Walks:
    """Random walks of a model.  Raises UsageError for a model that is wrong as written, Undecided if the limits leave
    no time to compile it.
    """
    request = Request(definition, limits=limits)

    def attempt(room: Mapping[str, int]) -> tuple[NativeKernel, Walked, float]:
        began = time.perf_counter()
        try:
            kernel = compiled(request, room)
        except OutOfTime as late:
            raise too_late(late) from None
        left = request.limits.left()
        with located_start(definition):
            met = simulate(kernel, seed=seed, max_seconds=left, **how)
        if met.finding is not None and met.finding.kind == "grow":
            require_room(kernel, [met.finding.name])
        return kernel, met, began

    kernel, met, began = with_room(attempt)
    enabled = dict(zip(kernel.actions, met.counters.tolist()))
    reached = Reached.among(met.met, [name for name, n in enabled.items() if n])
    validation = Validator(definition, kernel, int(met.counters[-3]), time.perf_counter() - began).run(reached)
    if met.finding is None or met.path is None:
        return Walks(met, enabled, None, validation)
    shows = shown(met.finding, met.beyond, met.cut)
    claim = f"random walks (seed {seed}); no step of the trace can be left out, but a shorter one may exist"
    replay = Replay(Interpreter(definition), reference, "native")
    path = replay.unfolded(states_of(definition, kernel, met.path))
    return Walks(met, enabled, replay.trace(shortened(replay, path, shows), shows, claim), validation)
