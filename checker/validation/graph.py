"""The labelled graph of a compiled search, compared with the interpreter: the basis of leads-to verdicts and of tables
for queries.

The kernel of `checker.backends.native.graph` is compiled separately from the one that searched, so it is validated
separately: in a sample of states the successors in order, which steps are weakly fair, which steps belong to one
instance, whether a run may end, and the predicates of the properties.  Labels are compared by their meaning: two steps
have one label if and only if the interpreter assigns them to one instance.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from attrs import define, field
from numpy.typing import NDArray

from checker.backends.interpreter.interpreter import Interpreter, Raw, Step
from checker.backends.native.graph import GraphKernel
from checker.contract import States
from checker.language.definition import Definition, PropertyDefinition
from checker.replay.fairness import Instance, instance_of
from checker.validation.answers import differ
from checker.validation.sample import evenly, spread_order

MOST = 64
"""The largest number of states that are compared."""
ALLOWANCE = 400
"""The number of executions of actions after which no further state is compared."""

TRUTHS = (False, True, "an error")


def confirmed(
    definition: Definition,
    kernel: GraphKernel,
    states: States,
    decode: Callable[[NDArray[np.uint64]], Raw],
    kinds: tuple[str, ...] = ("leads-to",),
    canonical: Callable[[Raw], Raw] | None = None,
) -> int:
    """How many states of a search the interpreter confirms; kinds: the kinds of properties whose predicates the kernel
    has; canonical: the function to canonical representatives, with symmetry reduction.  Raises Disagreement if the
    interpreter differs in one state.
    """
    return _Comparison(definition, kernel, decode, kinds, canonical or _itself).run(states) if len(states) else 0


def _itself(state: Raw) -> Raw:
    return state


@define(eq=False)
class _Comparison:
    definition: Definition
    kernel: GraphKernel
    decode: Callable[[NDArray[np.uint64]], Raw]
    kinds: tuple[str, ...]
    canonical: Callable[[Raw], Raw]
    interpreter: Interpreter = field(init=False)
    _labels: dict[Instance, bytes] = field(init=False, factory=dict)
    _instances: dict[bytes, Instance] = field(init=False, factory=dict)

    def __attrs_post_init__(self) -> None:
        self.interpreter = Interpreter(self.definition)

    def run(self, states: States) -> int:
        places = evenly(len(states), MOST)
        rows = np.ascontiguousarray(states[places])
        ends = np.zeros(len(rows), np.uint8)
        parts = [(s.sources.copy(), s.successors.copy(), s.labels.copy()) for s in self.kernel.steps(rows, ends)]
        sources, successors, labels = (np.concatenate(column) for column in zip(*parts))
        compared = 0
        for number in spread_order(len(rows)):
            if self.interpreter.executed > ALLOWANCE:
                break
            own = sources == number
            self._state(rows[number], successors[own], labels[own], bool(ends[number]))
            compared += 1
        return compared

    def _state(self, row: NDArray[np.uint64], successors: States, labels: NDArray[np.uint64], end: bool) -> None:
        state = self.decode(row)
        every = list(self.interpreter.steps(state))
        steps = [step for step in every if step.after is not None]
        after = [self.canonical(step.after) for step in steps if step.after is not None]
        fair = [step.weakly_fair for step in steps]
        self._same("successors of labelled steps", state, after, [self.decode(row) for row in successors])
        self._same("which steps fairness speaks of", state, fair, self.kernel.weakly_fair[labels[:, 0]].tolist())
        self._same("whether a run may end here", state, not any(step.weakly_fair for step in every), end)
        for step, label in zip(steps, labels):
            self._instance(state, step, label.tobytes())
        compiled = [TRUTHS[flag] for flag in self.kernel.answers(row.reshape(1, -1))[0].tolist()]
        self._same(f"the predicates of {' and '.join(self.kinds)} properties", state, self._truth(state), compiled)

    def _instance(self, state: Raw, step: Step, label: bytes) -> None:
        instance = instance_of(step)
        known, other = self._labels.setdefault(instance, label), self._instances.setdefault(label, instance)
        if known != label or other != instance:
            raise differ(self.definition, "which steps are of one instance", instance, f"the label of {other}", state)

    def _properties(self) -> Iterator[PropertyDefinition]:
        """Each property for each value of its parameters."""
        return (p.at(values) for p in self.definition.properties if p.kind in self.kinds for values in p.values())

    def _truth(self, state: Raw) -> list[bool | str]:
        predicates = ((f, p.owner) for p in self._properties() for f in (p.when, p.function) if f is not None)
        return [truth_of(self.interpreter, function, state, owner) for function, owner in predicates]

    def _same(self, what: str, state: Raw, expected: object, found: object) -> None:
        if expected != found:
            raise differ(self.definition, what, expected, found, state)


def truth_of(interpreter: Interpreter, function: Callable[..., Any], state: Raw, owner: str | None) -> bool | str:
    """The value of a predicate in a state: one of TRUTHS."""
    try:
        return interpreter.holds(function, state, owner)
    except Exception:  # noqa: BLE001 - whatever the model's own code raises
        return TRUTHS[2]
