"""Step by step: is every step of the edit one of the base, and the other way round?

Both are run side by side, breadth-first, over the states that both reach by steps both allow: compiled
(checker.analysis.compare.steps_native), or in the interpreters.  The first state with a step that only one of them has
ends the shortest run on which they part.  If there is none, each run of one is a run of the other: the edit refines the
base (or the base the edit).

Where it stops: both models must have the same variables with the same types; steps are compared one to one, so a
protocol that takes two steps for one differs at once. What was not looked at in the seconds given is not claimed.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Any

from attrs import define as mutable
from attrs import field

from checker.analysis.compare.side import Side
from checker.analysis.compare.steps_native import Allowance, NativeWalk
from checker.backends.interpreter.interpreter import Interpreter, Raw
from checker.engines.registry import declared
from checker.language.definition import Definition
from checker.replay.plain import plain
from checker.replay.replay import Replay
from checker.results.comparison import StepDifference
from checker.trace.trace import Trace

ADDED, REMOVED = "a step that only the edit has", "a step that only the base has"


def step_difference(base: Side, edit: Side, seconds: float, engine: str = "interpreter") -> StepDifference | None:
    """Compare the steps for at most so long; None if the variables differ."""
    if _signature(base.definition) != _signature(edit.definition):
        return None
    of_base, of_edit = base.replay(engine), edit.replay(engine, base.cls)
    walk = (
        NativeWalk((base.definition, edit.definition), Allowance(seconds))
        if declared(engine).keeps_states
        else _Walk(of_base.interpreter, of_edit.interpreter, time.monotonic() + seconds)
    )
    walk.run()
    added, *of_added = _alone(of_edit, walk.added, of_base.interpreter, ADDED)
    removed, *of_removed = _alone(of_base, walk.removed, of_edit.interpreter, REMOVED)
    elsewhere, cut = zip(of_added, of_removed)
    return StepDifference(walk.looked, walk.complete, added, removed, elsewhere, cut, walk.validation)


def _alone(
    replay: Replay, path: tuple[Raw, ...] | None, other: Interpreter, name: str
) -> tuple[Trace | None, bool, bool]:
    """A run that ends in a step of one side alone; whether the other has that step, but it leads elsewhere; and whether
    the other has it, and a constraint cuts it off."""
    if path is None:
        return None, False, False
    run = replay.run(path, name)
    leading = _leading(other, path, run)
    return run, any(after != path[-1] for after in leading), path[-1] in leading


def _leading(other: Interpreter, path: tuple[Raw, ...], run: Trace) -> list[Raw]:
    """The states to which the last step of a run leads on the other side, with the same arguments; that of the run
    itself among them if a constraint cuts it off there."""
    if not run.steps:
        return []
    last = run.steps[-1]
    after = [
        s.after
        for s in other.steps(path[-2], last.action)
        if s.after is not None and {n: plain(v) for n, v in s.arguments} == dict(last.args)
    ]
    return [state for state in after if state == path[-1] or other.kept(state)]


def _signature(definition: Definition) -> list[tuple[str, Any]]:
    return [(v.name, v.domain.ir) for v in definition.variables]


@mutable(eq=False)
class _Walk:
    base: Interpreter
    edit: Interpreter
    deadline: float
    parent: dict[Raw, Raw | None] = field(factory=dict)
    added: tuple[Raw, ...] | None = None
    removed: tuple[Raw, ...] | None = None
    complete: bool = False
    validation: None = None

    @property
    def looked(self) -> int:
        """Common states found."""
        return len(self.parent)

    def run(self) -> None:
        frontier = self._common(self.base.initial(), self.edit.initial(), None)
        while frontier:
            following: list[Raw] = []
            for state in frontier:
                if time.monotonic() > self.deadline or (self.added and self.removed):
                    return
                following += self._common(self._successors(self.base, state), self._successors(self.edit, state), state)
            frontier = following
        self.complete = True

    def _successors(self, side: Interpreter, state: Raw) -> Iterable[Raw]:
        return [s.after for s in side.steps(state) if s.after is not None and side.kept(s.after)]

    def _common(self, before: Iterable[Raw], after: Iterable[Raw], state: Raw | None) -> list[Raw]:
        """The new states that both sides lead to; a state that only one leads to ends a run."""
        base, edit = dict.fromkeys(before), dict.fromkeys(after)
        for raw in edit:
            if raw not in base and self.added is None:
                self.added = (*self._path(state), raw)
        for raw in base:
            if raw not in edit and self.removed is None:
                self.removed = (*self._path(state), raw)
        new = [raw for raw in base if raw in edit and raw not in self.parent]
        self.parent |= dict.fromkeys(new, state)
        return new

    def _path(self, state: Raw | None) -> tuple[Raw, ...]:
        path: list[Raw] = []
        while state is not None:
            path.append(state)
            state = self.parent[state]
        return tuple(reversed(path))
