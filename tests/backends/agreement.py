"""State by state comparison of the native kernel with the tree-walking evaluator."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from checker.backends.native.kernel import InitialError, NativeKernel, compile_model
from checker.contract import NEVER, PARTS
from checker.ir.evaluate.environment import Failure, State
from checker.ir.evaluate.model import Evaluator, Step
from checker.ir.model import Model

Shown = set[tuple[str, str, int]]


def compare(model: Model, most: int = 60, kernel: NativeKernel | None = None) -> int:
    """Explore up to `most` states with both, of which the kernel that is compiled for a search of few states takes
    every other one; returns how many were compared. kernel: one of the model, which takes all states."""
    quick = kernel or compile_model(model, cache=False, quick=True)
    kernel = kernel or compile_model(model, cache=False)
    evaluator = Evaluator(model)
    try:
        states = evaluator.initial()
    except Failure as failure:
        try:
            kernel.initial()
        except InitialError as error:
            assert error.finding.name == failure.name
            return 0
        raise AssertionError("the kernel has no error in the initial states") from failure
    assert [kernel.decode(row) for row in kernel.initial()] == states
    seen: set[bytes] = set()
    compared = 0
    while states and compared < most:
        state = states.pop(0)
        name = kernel.encode(state).tobytes()
        if name in seen:
            continue
        seen.add(name)
        compared += 1
        compare_check(kernel if compared % 2 else quick, evaluator, state)
        states += compare_state(kernel if compared % 2 else quick, evaluator, state)
    return compared


def compare_state(kernel: NativeKernel, evaluator: Evaluator, state: State) -> list[State]:
    """Successors, counters and findings of one state."""
    row = kernel.encode(state)
    assert kernel.decode(row) == state
    steps = evaluator.successors(state)
    faults = {a.name for a in evaluator.model.actions if a.fault}
    quiet = all(step.crashed or step.action in faults for step in steps)
    kept, cut, *shown = judged(evaluator, state, steps, quiet)
    block = np.array([row])
    capacity = len(steps) + 5000
    successors, parents = np.zeros((capacity, kernel.words), np.uint64), np.zeros(capacity, np.uint32)
    counters = np.zeros(2 * len(kernel.actions) + 3, np.int64)
    first, quiescent = np.full(PARTS * len(kernel.findings), NEVER, np.int64), np.zeros(1, np.uint8)
    assert kernel.expand(block, 0, successors, parents, counters, first, quiescent) == (1, len(kept))
    assert [kernel.decode(r) for r in successors[: len(kept)]] == kept
    assert [r.tobytes() for r in successors[: len(kept)]] == [kernel.encode(k).tobytes() for k in kept]
    fired = [sum(step.action == a for step in steps) for a in kernel.actions]
    assert list(counters) == [*(int(n > 0) for n in fired), *fired, len(steps), int(quiet), cut]
    assert bool(quiescent[0]) == quiet
    compiled = [found(kernel, part) for part in np.split(first, PARTS)]
    assert compiled == shown, (compiled, shown)
    return kept


def judged(
    evaluator: Evaluator, state: State, steps: list[Step], quiet: bool
) -> tuple[list[State], int, Shown, Shown, Shown]:
    """Successors that are kept, number of those cut; findings of the steps, of cut successors, of a quiescent state."""
    kept, cut = [], 0
    shown: Shown = set()
    shown_cut: Shown = set()
    at_rest: Shown = set()
    for step in steps:
        if step.failure is not None:
            shown.add((step.failure.kind, step.failure.name, step.failure.line))
            continue
        assert step.after is not None
        evaluate(evaluator, "step", step.after, state, shown)
        if constrained(evaluator, step.after, shown):
            kept.append(step.after)
            continue
        cut += 1
        for kind in ("invariant", "reachable"):
            evaluate(evaluator, kind, step.after, step.after, shown_cut)
    if quiet:
        evaluate(evaluator, "quiescence", state, state, at_rest)
    return kept, cut, shown, shown_cut, at_rest


def constrained(evaluator: Evaluator, state: State, shown: Shown) -> bool:
    """Whether the constraints keep the state; an error in one is noted and keeps it."""
    kept = True
    for name in evaluator.model.constraints:
        kept &= _truth(lambda name=name: evaluator.holds(name, state), shown, True)
    return kept


def evaluate(evaluator: Evaluator, kind: str, state: State, before: State, shown: Shown) -> None:
    """Note the findings of the properties of a kind."""
    for p in evaluator.model.properties:
        if p.kind == kind:
            quiet = kind != "reachable"
            if _truth(lambda p=p: evaluator.holds(p.function, state, before), shown, quiet) != quiet:
                shown.add((p.kind, p.name, p.line))


def _truth(holds: Callable[[], bool], shown: Shown, otherwise: bool) -> bool:
    try:
        return holds()
    except Failure as failure:
        shown.add((failure.kind, failure.name, failure.line))
        return otherwise


def compare_check(kernel: NativeKernel, evaluator: Evaluator, state: State) -> None:
    """Properties of a single state."""
    shown: Shown = set()
    for kind in ("invariant", "reachable"):
        evaluate(evaluator, kind, state, state, shown)
    first = np.full(len(kernel.findings), NEVER, np.int64)
    kernel.check(np.array([kernel.encode(state)]), first)
    assert found(kernel, first) == shown, (found(kernel, first), shown)


def found(kernel: NativeKernel, first: np.ndarray) -> Shown:
    """The findings that have shown."""
    return {(f.kind, f.name, f.line) for f, row in zip(kernel.findings, first, strict=True) if row < NEVER}
