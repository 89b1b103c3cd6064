"""Step simulation: whether every step of the edit is a step of the base, and the reverse.

Both models are explored together, breadth-first, over the states that both reach by common steps: compiled
(checker.analysis.compare.steps_native), or in the interpreters.  The first state with a step of one model alone ends a
shortest run to a difference.  If no such state exists, each run of one model is a run of the other: the edit refines
the base (or the base the edit).

Where it stops: both models must have the same variables with the same types; steps are compared one to one, so a
protocol that takes two steps instead of one differs at once. Nothing is claimed about states that were not compared in
the given seconds.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from attrs import define as mutable
from attrs import field

from checker.analysis.compare.side import Side
from checker.analysis.compare.steps_native import Allowance, NativeWalk, Walk
from checker.backends.interpreter.interpreter import Interpreter, Raw
from checker.engines.registry import declared
from checker.replay.plain import same_arguments
from checker.replay.replay import Replay
from checker.results.comparison import StepDifference
from checker.trace.trace import Trace

NAMED = 3  # variables that differ
ADDED, REMOVED = "a step that only the edit has", "a step that only the base has"


def step_difference(base: Side, edit: Side, seconds: float, engine: str = "interpreter") -> StepDifference | None:
    """Compare the steps for at most the given time; None if the variables differ."""
    if other_variables(base, edit):
        return None
    of_base, of_edit = base.replay(engine), edit.replay(engine, base.cls)
    walk: NativeWalk | _InterpretedWalk
    if declared(engine).keeps_states:
        walk = NativeWalk(definitions=(base.definition, edit.definition), allowance=Allowance(seconds))
    else:
        interpreters = of_base.interpreter, of_edit.interpreter
        walk = _InterpretedWalk(interpreters=interpreters, deadline=time.monotonic() + seconds)
    walk.run()
    added, *of_added = _alone(of_edit, walk.added, of_base.interpreter, ADDED)
    removed, *of_removed = _alone(of_base, walk.removed, of_edit.interpreter, REMOVED)
    elsewhere, cut = zip(of_added, of_removed)
    return StepDifference(len(walk.parents), walk.complete, added, removed, elsewhere, cut, walk.validation)


def other_variables(base: Side, edit: Side) -> str:
    """Why no state of one side is a state of the other, in words; "" if the variables are the same."""
    one, other = ({v.name: v.domain.ir for v in side.definition.variables} for side in (base, edit))
    said = [f"{name} has another type" for name in one if name in other and one[name] != other[name]]
    said += [f"{name} is a variable of {base.label} alone" for name in one if name not in other]
    said += [f"{name} is a variable of {edit.label} alone" for name in other if name not in one]
    if not said:
        return "" if [*one] == [*other] else "the variables stand in another order"
    return ", ".join([*said[:NAMED], *[f"{len(said) - NAMED} more"] * (len(said) > NAMED)])


def _alone(
    replay: Replay, path: tuple[Raw, ...] | None, other: Interpreter, name: str
) -> tuple[Trace | None, bool, bool]:
    """A run that ends in a step of one side alone; whether the other side has this step with another next state; and
    whether the other side has the step, but a constraint prunes its next state.
    """
    if path is None:
        return None, False, False
    run = replay.run(path, name)
    leading = _leading(other, path, run)
    return run, any(after != path[-1] for after in leading), path[-1] in leading


def _leading(other: Interpreter, path: tuple[Raw, ...], run: Trace) -> list[Raw]:
    """The states to which the last step of a run leads on the other side, with the same arguments; the run's own last
    state is among them if a constraint prunes it there.
    """
    if not run.steps:
        return []
    last = run.steps[-1]
    steps = other.steps(path[-2], last.action)
    after = [s.after for s in steps if same_arguments(s, last)]
    return [state for state in after if state is not None and (state == path[-1] or other.kept(state))]


@mutable(eq=False)
class _InterpretedWalk(Walk[Raw]):
    interpreters: tuple[Interpreter, Interpreter] = field(kw_only=True)
    deadline: float = field(kw_only=True)

    def run(self) -> None:
        self.walk(self.deadline)

    def starts(self, side: int) -> list[tuple[int, Raw]]:
        return [(0, state) for state in self.interpreters[side].initial()]

    def successors(self, side: int, block: Sequence[Raw]) -> list[tuple[int, Raw]]:
        one, (state,) = self.interpreters[side], block
        return [(0, s.after) for s in one.steps(state) if s.after is not None and one.kept(s.after)]

    def raw(self, side: int, state: Raw) -> Raw:
        return state
