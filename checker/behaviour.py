"""The explored graph with labelled steps, made by the interpreter from a list of states.

Properties of whole runs need to know which instance of an action a step takes; the search does not keep that.  Every state is expanded once more, by the
interpreter: slow (thousands of states a second), and right by definition.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from attrs import frozen

from checker.backends.interpreter.interpreter import Interpreter, Raw
from checker.explored import Behaviour
from checker.search.liveness import Flags, Graph


@frozen
class Label:
    """An instance of an action, for fairness."""

    action: str
    arguments: tuple[tuple[str, Any], ...]
    choices: tuple[int, ...]


def behaviour(interpreter: Interpreter, states: Sequence[Raw], path: Callable[[int], tuple[Raw, ...]]) -> Behaviour:
    """The graph of all reachable states, in the order given; `path` leads to a state by number."""
    numbers = {state: i for i, state in enumerate(states)}
    labels: dict[Label, int] = {}
    edges: list[tuple[int, int, int]] = []
    fair: list[bool] = []
    quiescent = np.ones(len(numbers), dtype=np.bool_)
    for state, number in numbers.items():
        for step in interpreter.steps(state):
            quiescent[number] &= step.action.fault
            label = labels.setdefault(Label(step.action.name, step.arguments, step.choices), len(labels))
            if label == len(fair):
                fair.append(step.action.fair)
            if step.after is not None:
                edges.append((number, numbers[step.after], label))
    array = np.array(edges, dtype=np.int64).reshape(-1, 3)
    graph = Graph(len(numbers), array[:, 0], array[:, 1], array[:, 2], np.array(fair, dtype=np.bool_), quiescent)

    def truth(function: Callable[..., Any], owner: str | None) -> Flags:
        return np.array([interpreter.holds(function, s, owner) for s in numbers], dtype=np.bool_)

    return Behaviour(graph, truth, path)
