"""Breadth-first exploration by the interpreter: the reference for every count, verdict and trace.

It is a textbook search with one queue.  It explores everything within its bounds and keeps the first occurrence of
every finding, by `Finding.rank`.  The bounds on depth and number of states are exactly those of the compiled search;
the caller decides between two states about any other bound.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from attrs import define, field, frozen

from checker.backends.interpreter.interpreter import Failure, Interpreter, Raw, Step
from checker.bound import Bound


@frozen
class Finding:
    """The first occurrence of a violated property or failure: the stored states that lead to it, and whether it occurs
    on a step out of the last of them.  The first occurrence has the least rank: number of steps, then the number of the
    expanded state, then a stored state before a step, as in the compiled search.
    """

    kind: str
    name: str
    line: int
    path: tuple[Raw, ...]
    beyond: bool
    cut: bool
    rank: tuple[int, int, bool]

    @property
    def steps(self) -> int:
        """The number of steps from the initial state to the occurrence."""
        return len(self.path) - 1 + self.beyond


@define
class Exploration:
    """The results.  findings: by (name, line); level and first: number of steps from an initial state; number: places
    in the order of discovery; unexpanded: states whose steps were not taken.
    """

    parent: dict[Raw, Raw | None] = field(factory=dict)
    level: dict[Raw, int] = field(factory=dict)
    number: dict[Raw, int] = field(factory=dict)
    transitions: int = 0
    depth: int = 0
    initial: int = 0
    cut: int = 0
    quiescent: list[Raw] = field(factory=list)
    fired: Counter[str] = field(factory=Counter)
    enabled: Counter[str] = field(factory=Counter)
    first: dict[str, int] = field(factory=dict)
    findings: dict[tuple[str, int], Finding] = field(factory=dict)
    bound: Bound | None = None
    unexpanded: int = 0

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
    interpreter: Interpreter,
    max_depth: int | None = None,
    max_states: int | None = None,
    canonical: Callable[[Raw], Raw] | None = None,
    stop_at_first: bool = False,
    ended: Callable[[Exploration, int], Bound | None] = lambda _result, _left: None,
) -> Exploration:
    """Explore everything within the bounds; `canonical` gives the canonical representative of a state.

    stop_at_first: end after the first level with a violation.  ended(result, left): called with each initial state, and
    before each state is expanded, with the number of states left in the level; returns the bound that ends
    the search, or None.
    """
    explorer = _Explorer(interpreter, Exploration(), canonical or (lambda state: state), max_states, ended)
    return explorer.run(max_depth, stop_at_first)


@define
class _Explorer:
    interpreter: Interpreter
    result: Exploration
    canonical: Callable[[Raw], Raw]
    max_states: int | None
    ended: Callable[[Exploration, int], Bound | None]

    def run(self, max_depth: int | None, stop_at_first: bool) -> Exploration:
        result = self.result
        frontier: list[Raw] = []
        for state in map(self.canonical, self._initial()):
            if state in result.parent:
                continue
            if not self._room(1):
                result.bound = Bound.STATES
                break
            self._reach(state, None, frontier)
        result.initial = len(frontier)
        while frontier:
            result.depth += 1
            shown = stop_at_first and any(f.kind != "reachable" for f in result.findings.values())
            if result.bound is None and not shown and max_depth is not None and result.depth > max_depth:
                result.bound = Bound.DEPTH
            if result.bound is not None or shown:
                result.unexpanded += len(frontier)
                break
            frontier = self._level(frontier)
        return result

    def _initial(self) -> list[Raw]:
        """The initial states; none if a bound ends the search while they are computed."""

        def ended() -> bool:
            self.result.bound = self.result.bound or self.ended(self.result, 0)
            return self.result.bound is not None

        states = self.interpreter.initial(ended)
        return [] if self.result.bound is not None else states

    def _level(self, frontier: list[Raw]) -> list[Raw]:
        following: list[Raw] = []
        for number, state in enumerate(frontier):
            self.result.bound = self.ended(self.result, len(frontier) - number)
            steps = list(self.interpreter.steps(state)) if self.result.bound is None else []
            if self.result.bound is None and not self._room(len(self._new(steps))):
                self.result.bound = Bound.STATES
            if self.result.bound is not None:
                self.result.unexpanded = len(frontier) - number
                break
            self._expand(state, steps, following)
        return following

    def _room(self, more: int) -> bool:
        return self.max_states is None or len(self.result.parent) + more <= self.max_states

    def _new(self, steps: list[Step]) -> set[Raw]:
        """The states that the steps would add; computed only if their number is bounded."""
        if self.max_states is None:
            return set()
        after = {self.canonical(step.after) for step in steps if step.after is not None}
        return {state for state in after if state not in self.result.parent and self.interpreter.kept(state)}

    def _expand(self, state: Raw, steps: list[Step], following: list[Raw]) -> None:
        result = self.result
        enabled: set[str] = set()
        progress = False
        for step in steps:
            result.transitions += 1
            result.fired[step.action.name] += 1
            result.first.setdefault(step.action.name, result.level[state] + 1)
            enabled.add(step.action.name)
            progress |= step.progress
            self._take(state, step, following)
        result.enabled.update(enabled)
        if not progress:
            result.quiescent.append(state)
            for p in self.interpreter.definition.properties:
                if p.kind == "quiescence":
                    self._note(p.kind, p.name, self.interpreter.violated(p, state), state, state)

    def _take(self, state: Raw, step: Step, following: list[Raw]) -> None:
        if step.after is None:
            assert step.failure is not None
            self._note("", "", step.failure, state, None)
            return
        for p in self.interpreter.definition.properties:
            if p.kind == "step":
                self._note(p.kind, p.name, self.interpreter.violated(p, step.after, state), state, None)
        after = self.canonical(step.after)
        if after not in self.result.parent:
            self._reach(after, state, following)

    def _reach(self, state: Raw, before: Raw | None, frontier: list[Raw]) -> None:
        cut = not self.interpreter.kept(state)
        if before is not None and (failure := self.interpreter.unconstrained(state)) is not None:
            self._note("", "", failure, before, None)
        if cut:
            self.result.cut += 1
        else:
            self.result.number[state] = len(self.result.number)
            self.result.parent[state] = before
            self.result.level[state] = 0 if before is None else self.result.level[before] + 1
            frontier.append(state)
        for p in self.interpreter.definition.properties:
            if p.kind in ("invariant", "reachable"):
                shown = self.interpreter.violated(p, state)
                self._note(p.kind, p.name, shown, state if before is None else before, None if cut else state, cut)

    def _note(
        self, kind: str, name: str, shown: bool | Failure, anchor: Raw, state: Raw | None, cut: bool = False
    ) -> None:
        """Record a finding in a stored state, or (None) on a step out of the anchor, the expanded state."""
        line = 0
        if isinstance(shown, Failure):
            kind, name, line = shown.kind, shown.name, shown.line
        if not shown:
            return
        result, beyond = self.result, state is None
        last = anchor if state is None else state
        rank = (result.level[last] + beyond, result.number[anchor], beyond)
        known = result.findings.get((name, line))
        if known is None or rank < known.rank:
            result.findings[(name, line)] = Finding(kind, name, line, result.path(last), beyond, cut, rank)
