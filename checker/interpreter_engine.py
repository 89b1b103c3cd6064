"""The interpreter as an engine of `check`: small models, and the yardstick for the others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from attrs import frozen

from checker.backends.interpreter.explore import Exploration, Finding, explore
from checker.backends.interpreter.interpreter import Interpreter, Raw
from checker.explored import ActionReport, Behaviour, Explored, Found, Phases
from checker.language.definition import Definition
from checker.replay import Shown
from checker.search.limits import Limits
from checker.search.liveness import Flags, Graph
from checker.search.memory import peak_resident


@frozen
class Label:
    """An instance of an action, for fairness."""

    action: str
    arguments: tuple[tuple[str, Any], ...]
    choices: tuple[int, ...]


def explore_interpreted(definition: Definition, limits: Limits, phases: Phases) -> Explored:
    """Explore with the interpreter; of the limits it knows depth and states."""
    with phases("search"):
        interpreter = Interpreter(definition)
        result = explore(interpreter, limits.max_depth, limits.max_states)
    levels = Counter(result.level.values())
    actions = tuple(ActionReport(a.name, result.enabled[a.name], result.fired[a.name], result.first.get(a.name), a.fault) for a in definition.actions)
    return Explored(
        distinct=len(result.order), transitions=result.transitions, depth=result.depth, initial=result.initial, quiescent=len(result.quiescent),
        cut=result.cut, actions=actions, found=tuple(_found(result)), levels=tuple(levels[i] for i in range(result.depth)), complete=result.bound is None,
        bound=result.bound, coverage=f"{result.depth} levels", peak_memory=peak_resident(), outcomes=lambda: _outcomes(definition, result),
        behaviour=lambda: _behaviour(interpreter, result),
    )  # fmt: skip


def _found(result: Exploration) -> list[Found]:
    findings = sorted(result.findings.values(), key=lambda f: f.steps)
    return [Found(Shown(f.kind, f.name, f.line, f.beyond, f.cut), f.steps, partial(_path, f)) for f in findings]


def _behaviour(interpreter: Interpreter, result: Exploration) -> Behaviour:
    """The explored graph: every state is expanded once more, now with its steps kept."""
    numbers = {state: i for i, state in enumerate(result.order)}
    labels: dict[Label, int] = {}
    edges: list[tuple[int, int, int]] = []
    fair: list[bool] = []
    for state, number in numbers.items():
        for step in interpreter.steps(state):
            label = Label(step.action.name, step.arguments, step.choices)
            if label not in labels:
                labels[label] = len(labels)
                fair.append(step.action.fair)
            if step.after is not None:
                edges.append((number, numbers[step.after], labels[label]))
    array = np.array(edges, dtype=np.int64).reshape(-1, 3)
    quiescent = np.zeros(len(numbers), dtype=np.bool_)
    quiescent[[numbers[s] for s in result.quiescent]] = True
    graph = Graph(len(numbers), array[:, 0], array[:, 1], array[:, 2], np.array(fair, dtype=np.bool_), quiescent)

    def truth(function: Callable[..., Any], owner: str | None) -> Flags:
        return np.array([interpreter.holds(function, s, owner) for s in numbers], dtype=np.bool_)

    def path(number: int) -> tuple[Raw, ...]:
        return result.path(result.order[number])

    return Behaviour(graph, truth, path)


def _path(finding: Finding) -> tuple[Raw, ...]:
    return finding.path


def _outcomes(definition: Definition, result: Exploration) -> list[dict[str, Raw]]:
    names = definition.model.outcome
    places = [[v.name for v in definition.variables].index(n) for n in names]
    found = {tuple(state[i] for i in places) for state in result.quiescent}
    return [dict(zip(names, values)) for values in sorted(found, key=repr)]
