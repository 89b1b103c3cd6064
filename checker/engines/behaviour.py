"""The explored graph with labelled steps, which leads-to properties need and the search does not keep.

Every state is expanded once more: by compiled code in blocks, or by the interpreter one by one (thousands of states a
second; it defines the graph).  A label is an instance of an action as defined for fairness (`checker.replay.fairness`).
Labels are numbered as they first appear, so both ways give the same graph.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import prod
from typing import Any

import numpy as np
from attrs import define, field, frozen
from numpy.typing import NDArray

from checker.backends.interpreter.interpreter import Interpreter, Raw, failure_of
from checker.backends.native.graph import GraphKernel, PredicateError, compile_graph
from checker.backends.native.kernel import FEW_STATES
from checker.contract import States
from checker.engines.explored import Behaviour
from checker.ir.model import Model as Lowered
from checker.language.definition import Definition, PropertyDefinition
from checker.language.errors import UsageError
from checker.replay.fairness import Instance, instance_of
from checker.search.liveness import Flags, Graph
from checker.search.numbering import numbering
from checker.validation.graph import confirmed


def behaviour(interpreter: Interpreter, states: Sequence[Raw], path: Callable[[int], tuple[Raw, ...]]) -> Behaviour:
    """The graph of all reachable states, in the given order, by the interpreter; `path` leads to a state by number."""
    numbers = {state: i for i, state in enumerate(states)}
    labels: dict[Instance, int] = {}
    edges: list[tuple[int, int, int]] = []
    fair: list[bool] = []
    ends = np.ones(len(numbers), dtype=np.bool_)
    for state, number in numbers.items():
        for step in interpreter.steps(state):
            ends[number] &= not step.weakly_fair
            if step.after is None:
                continue
            label = labels.setdefault(instance_of(step), len(labels))
            if label == len(fair):
                fair.append(step.weakly_fair)
            edges.append((number, numbers[step.after], label))
    array = np.array(edges, dtype=np.int64).reshape(-1, 3)
    graph = Graph(len(numbers), array[:, 0], array[:, 1], array[:, 2], np.array(fair, dtype=np.bool_), ends)

    def truth(property: PropertyDefinition, n: int) -> tuple[Flags, Flags]:
        one = property.at(list(property.values())[n])

        def flags(function: Callable[..., Any] | None) -> Flags:
            assert function is not None
            try:
                return np.array([interpreter.holds(function, s, property.owner) for s in numbers], dtype=np.bool_)
            except Exception as error:
                failure = failure_of(error, interpreter.definition)
                raise unreadable(property, failure.message, failure.line) from None

        return flags(one.when), flags(one.function)

    return Behaviour(graph, truth, path)


def unreadable(property: PropertyDefinition, message: str, line: int) -> UsageError:
    remedy = "Make it true or false in every reachable state."
    file = inspect.getsourcefile(property.function)
    return UsageError(f"{property.name} cannot be evaluated: {message}", file, line, remedy)


# -- compiled
# --------------------------------------------------------------------------------------------------------------


@frozen(eq=False)
class Labelled:
    """Compiled labelled steps of a model with its leads-to properties.  first: the first predicate of each property;
    compiled: makes the kernel, also in another process.
    """

    kernel: GraphKernel
    first: Mapping[str, int]
    compiled: Callable[[], GraphKernel]

    def columns(self, property: PropertyDefinition, n: int) -> tuple[int, int]:
        """The places of `when` and `then` among the predicates, for the n-th value of the parameters."""
        at = self.first[property.name] + 2 * n
        return at, at + 1


def labelled_graph(definition: Definition, model: Lowered, quick: bool) -> Labelled:
    """The labelled steps of a lowered model.  quick: as in `compile_graph`."""
    properties = [p for p in model.properties if p.kind == "leads-to"]
    fair, changing = (tuple(getattr(a, name) for a in definition.actions) for name in ("fair", "changing"))
    asked = tuple(name for p in properties for name in p.predicates)
    compiled = partial(compile_graph, model, fair, changing, asked, quick=quick)
    first = {p.name: sum(len(q.predicates) for q in properties[:i]) for i, p in enumerate(properties)}
    return Labelled(compiled(), first, compiled)


def compiled_behaviour(
    definition: Definition,
    model: Lowered,
    states: States,
    path: Callable[[int], tuple[Raw, ...]],
    decode: Callable[[NDArray[np.uint64]], Raw],
) -> Behaviour:
    """The graph of all states (n, words) of a complete search that pruned none, by compiled code, confirmed by the
    interpreter on a sample.  model: the lowered model that was searched; decode: gives the raw values of a state.
    """
    labelled = labelled_graph(definition, model, quick=len(states) <= FEW_STATES)
    kernel = labelled.kernel
    ends = np.zeros(len(states), np.uint8)
    known, labels = numbering(states), Labels()
    parts = [(np.zeros(0, np.int64),) * 3]
    parts += ((s.sources, known.numbers(s.successors), labels.numbers(s.labels)) for s in kernel.steps(states, ends))
    sources, targets, numbers = (np.concatenate(column) for column in zip(*parts))
    graph = Graph(len(states), sources, targets, numbers, kernel.weakly_fair[labels.instances], ends.astype(np.bool_))

    columns: list[NDArray[np.bool_]] = []

    def truth(property: PropertyDefinition, n: int) -> tuple[Flags, Flags]:
        try:
            table = columns[0] if columns else kernel.truth(states)
        except PredicateError as error:
            raise unreadable(property, error.finding.name, error.finding.line) from None
        columns[:] = [table]
        when, then = labelled.columns(property, n)
        return table[:, when], table[:, then]

    return Behaviour(graph, truth, path, confirmed(definition, kernel, states, decode))


@define
class Labels:
    """Numbers labels as they first appear.  instances: the first word of each."""

    instances: list[int] = field(factory=list)
    _known: dict[bytes, int] = field(factory=dict)

    def numbers(self, labels: NDArray[np.uint64]) -> NDArray[np.int64]:
        """The numbers of labels (n, words)."""
        first, places = _distinct(_keys(labels))
        found = np.empty(len(first), np.int64)
        for distinct in np.argsort(first):
            label = labels[first[distinct]]
            found[distinct] = self._known.setdefault(label.tobytes(), len(self._known))
            if found[distinct] == len(self.instances):
                self.instances.append(int(label[0]))
        return found[places]


FEW_KEYS = 1 << 16


def _distinct(keys: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The first place of each distinct key, and the number of every key among them; without sorting if keys are
    small."""
    if keys.dtype != np.uint64 or keys.max(initial=0) >= FEW_KEYS:
        _, first, places = np.unique(keys, return_index=True, return_inverse=True)
        return first, places.reshape(-1)
    small = keys.astype(np.int64)
    first = np.full(FEW_KEYS, -1, np.int64)
    first[small[::-1]] = np.arange(len(small))[::-1]  # the last that is written stays: the first of its kind
    there = np.flatnonzero(first >= 0)
    places = np.empty(FEW_KEYS, np.int64)
    places[there] = np.arange(len(there))
    return first[there], places[small]


def _keys(labels: NDArray[np.uint64]) -> NDArray[Any]:
    """One sortable value for each label: a number where the words fit into one, otherwise their bytes."""
    sizes = [int(n) + 1 for n in labels.max(axis=0, initial=0)]
    if prod(sizes) > 1 << 63:
        return np.ascontiguousarray(labels).view(np.dtype((np.void, 8 * labels.shape[1]))).reshape(-1)
    keys = np.zeros(len(labels), np.uint64)
    for word, size in enumerate(sizes):
        keys = keys * np.uint64(size) + labels[:, word]
    return keys
