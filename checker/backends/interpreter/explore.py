"""Breadth-first exploration by the interpreter: the reference for every count, verdict and trace."""

from __future__ import annotations

from collections import Counter
from typing import Any

from attrs import define, field

from checker.backends.interpreter.interpreter import Failure, Interpreter, Raw, Step


@define
class Exploration:
    """What was found; `found` maps a property's name (an error: its file line) to the states of its first showing."""

    order: list[Raw] = field(factory=list)
    parent: dict[Raw, Raw | None] = field(factory=dict)
    transitions: int = 0
    depth: int = 0
    initial: int = 0
    quiescent: list[Raw] = field(factory=list)
    cut: int = 0
    fired: Counter[str] = field(factory=Counter)
    enabled: Counter[str] = field(factory=Counter)
    found: dict[str, tuple[Raw, ...]] = field(factory=dict)

    def path(self, state: Raw) -> tuple[Raw, ...]:
        """The states from an initial state to this one."""
        result: list[Raw] = []
        step: Raw | None = state
        while step is not None:
            result.append(step)
            step = self.parent[step]
        return tuple(reversed(result))


def explore(interpreter: Interpreter, max_depth: int | None = None, max_states: int | None = None) -> Exploration:
    """Explore everything (within the bounds) and note where each property first shows."""
    result = Exploration()
    frontier: list[Raw] = []
    for state in interpreter.initial():
        if _kept(interpreter, result, state, (state,)):
            result.parent[state] = None
            result.order.append(state)
            frontier.append(state)
            _check(interpreter, result, state, result.path(state))
    result.initial = len(frontier)
    while frontier and (max_depth is None or result.depth <= max_depth) and (max_states is None or len(result.order) < max_states):
        result.depth += 1
        following: list[Raw] = []
        for state in frontier:
            _expand(interpreter, result, state, following)
        frontier = following
    return result


def _expand(interpreter: Interpreter, result: Exploration, state: Raw, following: list[Raw]) -> None:
    enabled: set[str] = set()
    progress = False
    for step in list(interpreter.steps(state)):
        result.transitions += 1
        result.fired[step.action.name] += 1
        enabled.add(step.action.name)
        progress |= not step.action.fault
        _take(interpreter, result, state, step, following)
    result.enabled.update(enabled)
    if not progress:
        result.quiescent.append(state)
        for p in interpreter.definition.properties:
            if p.kind == "quiescence":
                _note(result, p.name, interpreter.violated(p, state), result.path(state))


def _take(interpreter: Interpreter, result: Exploration, state: Raw, step: Step, following: list[Raw]) -> None:
    if step.after is None:
        assert step.failure is not None
        _note(result, "", step.failure, result.path(state))
        return
    for p in interpreter.definition.properties:
        if p.kind == "step" and p.name not in result.found:
            _note(result, p.name, interpreter.violated(p, step.after, state), (*result.path(state), step.after))
    if step.after in result.parent:
        return
    path = (*result.path(state), step.after)
    if _kept(interpreter, result, step.after, path):
        result.parent[step.after] = state
        result.order.append(step.after)
        following.append(step.after)
        _check(interpreter, result, step.after, path)


def _kept(interpreter: Interpreter, result: Exploration, state: Raw, path: tuple[Raw, ...]) -> bool:
    if interpreter.kept(state):
        return True
    result.cut += 1
    _check(interpreter, result, state, path)
    return False


def _check(interpreter: Interpreter, result: Exploration, state: Raw, path: tuple[Raw, ...]) -> None:
    for p in interpreter.definition.properties:
        if p.kind in ("invariant", "reachable") and p.name not in result.found:
            _note(result, p.name, interpreter.violated(p, state), path)


def _note(result: Exploration, name: str, shown: bool | Failure, path: tuple[Any, ...]) -> None:
    if isinstance(shown, Failure):
        name, shown = f"{shown.kind} line {shown.line}", True
    if shown:
        result.found.setdefault(name, path)
