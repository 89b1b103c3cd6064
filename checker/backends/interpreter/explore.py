"""Breadth-first exploration by the interpreter: the reference for every count, verdict and trace.

A textbook search with one queue.  It explores everything within its bounds and keeps the first showing of every finding.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from attrs import define, field, frozen

from checker.backends.interpreter.interpreter import Failure, Interpreter, Raw, Step


@frozen
class Finding:
    """The first showing of a property or failure: the stored states that lead there, and whether it shows on a step beyond them."""

    kind: str
    name: str
    line: int
    path: tuple[Raw, ...]
    beyond: bool
    cut: bool

    @property
    def steps(self) -> int:
        """Transitions from the initial state to where it shows."""
        return len(self.path) - 1 + self.beyond


@define
class Exploration:
    """What was found.  `findings` goes by (name, line); `level` and `first` count steps from an initial state."""

    parent: dict[Raw, Raw | None] = field(factory=dict)
    level: dict[Raw, int] = field(factory=dict)
    transitions: int = 0
    depth: int = 0
    initial: int = 0
    cut: int = 0
    quiescent: list[Raw] = field(factory=list)
    fired: Counter[str] = field(factory=Counter)
    enabled: Counter[str] = field(factory=Counter)
    first: dict[str, int] = field(factory=dict)
    findings: dict[tuple[str, int], Finding] = field(factory=dict)
    bound: str | None = None

    @property
    def order(self) -> list[Raw]:
        """All states in order of discovery."""
        return list(self.parent)

    def path(self, state: Raw) -> tuple[Raw, ...]:
        """The states from an initial state to this one."""
        result: list[Raw] = []
        at: Raw | None = state
        while at is not None:
            result.append(at)
            at = self.parent[at]
        return tuple(reversed(result))


def explore(
    interpreter: Interpreter, max_depth: int | None = None, max_states: int | None = None, canonical: Callable[[Raw], Raw] | None = None
) -> Exploration:
    """Explore everything within the bounds; `canonical` gives the state that stands for a state and its permutations."""
    return _Explorer(interpreter, Exploration(), canonical or (lambda state: state)).run(max_depth, max_states)


@define
class _Explorer:
    interpreter: Interpreter
    result: Exploration
    canonical: Callable[[Raw], Raw]

    def run(self, max_depth: int | None, max_states: int | None) -> Exploration:
        result = self.result
        frontier: list[Raw] = []
        for state in map(self.canonical, self.interpreter.initial()):
            if state not in result.parent:
                self._reach(state, None, frontier)
        result.initial = len(frontier)
        while frontier:
            result.depth += 1
            if max_depth is not None and result.depth > max_depth:
                result.bound = "depth"
                break
            if max_states is not None and len(result.parent) > max_states:
                result.bound = "states"
                break
            following: list[Raw] = []
            for state in frontier:
                self._expand(state, following)
            frontier = following
        return result

    def _expand(self, state: Raw, following: list[Raw]) -> None:
        result = self.result
        enabled: dict[str, bool] = {}
        for step in list(self.interpreter.steps(state)):
            result.transitions += 1
            result.fired[step.action.name] += 1
            result.first.setdefault(step.action.name, result.level[state] + 1)
            enabled[step.action.name] = step.action.fault
            self._take(state, step, following)
        result.enabled.update(enabled.keys())
        if all(enabled.values()):
            result.quiescent.append(state)
            for p in self.interpreter.definition.properties:
                if p.kind == "quiescence":
                    self._note(p.kind, p.name, self.interpreter.violated(p, state), state, False)

    def _take(self, state: Raw, step: Step, following: list[Raw]) -> None:
        if step.after is None:
            assert step.failure is not None
            self._note("", "", step.failure, state, True)
            return
        for p in self.interpreter.definition.properties:
            if p.kind == "step":
                self._note(p.kind, p.name, self.interpreter.violated(p, step.after, state), state, True)
        after = self.canonical(step.after)
        if after not in self.result.parent:
            self._reach(after, state, following)

    def _reach(self, state: Raw, before: Raw | None, frontier: list[Raw]) -> None:
        cut = not self.interpreter.kept(state)
        if cut:
            self.result.cut += 1
            if before is None:
                return
        else:
            self.result.parent[state] = before
            self.result.level[state] = 0 if before is None else self.result.level[before] + 1
            frontier.append(state)
        for p in self.interpreter.definition.properties:
            if p.kind in ("invariant", "reachable"):
                self._note(p.kind, p.name, self.interpreter.violated(p, state), before if cut and before else state, cut, cut)

    def _note(self, kind: str, name: str, shown: bool | Failure, state: Raw, beyond: bool, cut: bool = False) -> None:
        if isinstance(shown, Failure):
            kind, name, line = shown.kind, shown.message, shown.line
        else:
            line = 0
        if shown and (name, line) not in self.result.findings:
            self.result.findings[(name, line)] = Finding(kind, name, line, self.result.path(state), beyond, cut)
