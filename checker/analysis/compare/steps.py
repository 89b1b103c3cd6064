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
from collections.abc import Iterable, Mapping
from typing import Any

from attrs import define as mutable
from attrs import field

from checker.analysis.compare.steps_native import Allowance, NativeWalk
from checker.backends.interpreter.interpreter import Interpreter, Raw
from checker.engines.registry import declared
from checker.language.define import define
from checker.language.definition import Definition
from checker.language.model import Model
from checker.replay.plain import plain
from checker.replay.replay import Replay
from checker.results.comparison import StepDifference
from checker.trace.trace import Trace

ADDED, REMOVED = "a step that only the edit has", "a step that only the base has"


def step_difference(
    base: type[Model],
    edit: type[Model],
    constants: tuple[Mapping[str, Any], Mapping[str, Any]],
    labels: tuple[str, str],
    seconds: float,
    engine: str = "interpreter",
) -> StepDifference | None:
    """Compare the steps for at most so long; None if the variables differ."""
    definitions = define(base, constants[0], []), define(edit, constants[1], [])
    if _signature(definitions[0]) != _signature(definitions[1]):
        return None
    sides = Interpreter(definitions[0]), Interpreter(definitions[1])
    walk = (
        NativeWalk(definitions, Allowance(seconds))
        if declared(engine).keeps_states
        else _Walk(*sides, time.monotonic() + seconds)
    )
    walk.run()
    added = None if walk.added is None else Replay(sides[1], labels[1], engine, base).run(walk.added, ADDED)
    removed = None if walk.removed is None else Replay(sides[0], labels[0], engine).run(walk.removed, REMOVED)
    leading = _leading(sides[0], walk.added, added), _leading(sides[1], walk.removed, removed)
    elsewhere = tuple(
        path is not None and any(after != path[-1] for after in found)
        for found, path in zip(leading, (walk.added, walk.removed))
    )
    cut = tuple(path is not None and path[-1] in found for found, path in zip(leading, (walk.added, walk.removed)))
    return StepDifference(
        walk.looked, walk.complete, added, removed, (elsewhere[0], elsewhere[1]), (cut[0], cut[1]), walk.validation
    )


def _leading(other: Interpreter, path: tuple[Raw, ...] | None, run: Trace | None) -> list[Raw]:
    """The states to which the last step of a run leads on the other side, with the same arguments; that of the run
    itself among them if a constraint cuts it off there."""
    if path is None or run is None or not run.steps:
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
