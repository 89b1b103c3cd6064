"""Random walks on compiled code: lower, compile, walk, and grow networks that turn out too small."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

from attrs import frozen

from checker.backends.interpreter.interpreter import Interpreter
from checker.backends.native.kernel import NativeKernel
from checker.engines.growing import require_room, with_room
from checker.engines.native import compiled, located_start, state_of
from checker.engines.request import Request
from checker.language.definition import Definition
from checker.language.errors import Undecided
from checker.replay.replay import Replay, Shown
from checker.replay.shorten import shortened
from checker.results.validated import Validation
from checker.search.deadline import OutOfTime
from checker.search.limits import NO_LIMITS, Limits
from checker.search.simulation import Walked, simulate
from checker.trace.trace import Trace
from checker.validation.sample import Reached
from checker.validation.validation import Validator


@frozen
class Walks:
    """What random walks met, the actions enabled somewhere on them, the run to what was found, None if nothing was, and
    how far the interpreter confirmed the states met."""

    met: Walked
    enabled: dict[str, int]
    trace: Trace | None
    validation: Validation


def walk(
    definition: Definition,
    reference: str,
    *,
    runs: int,
    depth: int,
    seed: int,
    limits: Limits = NO_LIMITS,
    progress: Callable[[int, int], None] | None = None,
) -> Walks:
    """Random walks of a model.  UsageError for a model that is wrong as written, Undecided if the limits leave no time
    to compile it."""
    request = Request(definition, limits=limits)

    def attempt(room: Mapping[str, int]) -> tuple[NativeKernel, Walked, float]:
        began = time.perf_counter()
        try:
            kernel = compiled(request, room)
        except OutOfTime as late:
            raise Undecided(str(late), remedy="Raise --max-seconds, or lower the constants.") from None
        left = request.limits.left()
        with located_start(definition):
            met = simulate(kernel, runs=runs, depth=depth, seed=seed, max_seconds=left, progress=progress)
        if met.finding is not None and met.finding.kind == "grow":
            require_room(kernel, [met.finding.name])
        return kernel, met, began

    kernel, met, began = with_room(attempt)
    enabled = dict(zip(kernel.actions, met.counters.tolist()))
    reached = Reached.among(met.met, [name for name, n in enabled.items() if n])
    validation = Validator(definition, kernel, int(met.counters[-3]), time.perf_counter() - began).run(reached)
    if met.finding is None or met.path is None:
        return Walks(met, enabled, None, validation)
    finding = met.finding
    shown = Shown(
        finding.kind, finding.name, finding.line if finding.kind in ("error", "assert") else 0, met.beyond, met.cut
    )
    claim = f"random walks (seed {seed}); no step of the trace can be left out, but a shorter one may exist"
    replay = Replay(Interpreter(definition), reference, "native")
    path = replay.unfolded([state_of(definition, kernel, row) for row in met.path])
    return Walks(met, enabled, replay.trace(shortened(replay, path, shown), shown, claim), validation)
