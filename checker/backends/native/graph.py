"""The steps of a model with labels, and predicates over blocks of states, for leads-to properties and tables.

This is a second kernel, compiled only on request: the same actions, whose successors have a label each.  A label is a
row of words; its first word numbers the instance (the instances of all actions in order, those of one action in the
order of its parameters), the others are the received message.  Equal labels are equal instances.  Other choices of an
action are not part of its label.  A crash of its process in the middle of the step is part of it: such a step belongs
to another instance.

Constraints are left out: the kernel is for searches that prune no state.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from math import prod
from typing import Any

import numpy as np
from attrs import define, evolve
from numpy.typing import NDArray

from checker.backends.native import build
from checker.backends.native.context import ModuleContext
from checker.backends.native.emit import emitted_actions
from checker.backends.native.expansion import Expansion
from checker.backends.native.functions import received_words
from checker.backends.native.judging import predicates
from checker.backends.native.kernel import address_of
from checker.backends.native.layout import state_layout
from checker.backends.native.packing import count
from checker.backends.native.symmetry import symmetric
from checker.contract import NEVER, PARTS, Finding, States
from checker.frozen import frozen
from checker.ir.model import Model

ROWS = 1 << 12
CAPACITY = 1 << 16

_P, _I = ctypes.c_void_p, ctypes.c_int64
_EXPAND = ctypes.CFUNCTYPE(_I, _P, _I, _I, _P, _P, _I, _P, _P, _P, _P, _P)
_PREDICATES = ctypes.CFUNCTYPE(None, _P, _I, _P, _P)


@frozen(eq=False)
class Steps:
    """Steps of a block of states: sources (n,) are rows of all states, successors (n, words), labels (n, label words).
    The arrays hold until the next block."""

    sources: NDArray[np.int64]
    successors: States
    labels: NDArray[np.uint64]


@define
class PredicateError(Exception):
    """A predicate could not be evaluated, and why."""

    finding: Finding


@frozen(eq=False)
class GraphKernel:
    """Compiled labelled steps.  weakly_fair (instances,): whether each instance is weakly fair.  Instances are numbered
    three times: of whole steps; of steps in which the process crashes; and, for actions with `fair="change"`, of steps
    that change nothing.  changing (instances,): the instances of whole steps of the latter actions.
    """

    words: int
    label_words: int
    actions: int
    weakly_fair: NDArray[np.bool_]
    changing: NDArray[np.bool_]
    findings: tuple[Finding, ...]
    functions: tuple[str, ...]
    _code: build.Code
    _expand: Any
    _predicates: Any

    def steps(self, states: States, ends: NDArray[np.uint8]) -> Iterator[Steps]:
        """All steps out of states (n, words), in order; also fills ends (n,): whether a run may end there, because no
        fair instance is enabled.
        """
        successors, parents, labels = self._buffers(CAPACITY)
        counters = np.zeros(2 * self.actions + 3, np.int64)
        first = np.full(PARTS * len(self.findings) + 1, NEVER, np.int64)
        written = np.zeros(1, np.int64)
        row = 0
        while row < len(states):
            block, quiet = states[row : row + ROWS], ends[row : row + ROWS]
            arrays = (successors, parents, len(successors), counters, first, quiet, written, labels)
            done = self._expand(
                address_of(block), len(block), 0, *(a if isinstance(a, int) else address_of(a) for a in arrays)
            )
            n = int(written[0])
            if not done:
                successors, parents, labels = self._buffers(2 * len(successors))
                continue
            if self.changing.any():
                self._leave_out_idle(block, parents[:n], successors[:n], labels[:n], quiet)
            yield Steps(parents[:n].astype(np.int64) + row, successors[:n], labels[:n])
            row += done

    def _leave_out_idle(
        self,
        block: States,
        parents: NDArray[np.uint32],
        successors: States,
        labels: NDArray[np.uint64],
        quiet: NDArray[np.uint8],
    ) -> None:
        """For `fair="change"`: give steps that change nothing their own instances; the other steps prevent a run from
        ending where they begin.
        """
        counted = self.changing[labels[:, 0]]
        idle = counted & (block[parents] == successors).all(axis=1)
        labels[idle, 0] += np.uint64(2 * len(self.weakly_fair) // 3)
        quiet[parents[counted & ~idle]] = 0

    def _buffers(self, capacity: int) -> tuple[States, NDArray[np.uint32], NDArray[np.uint64]]:
        shape = capacity, self.words
        return (
            np.zeros(shape, np.uint64),
            np.zeros(capacity, np.uint32),
            np.zeros((capacity, self.label_words), np.uint64),
        )

    def truth(self, states: States) -> NDArray[np.bool_]:
        """The predicates on each state, (n, predicates); raises PredicateError."""
        truth, first = self._judged(states)
        shown = np.flatnonzero(first < NEVER)
        if len(shown):
            raise PredicateError(self.findings[shown[np.argmin(first[shown])]])
        return truth.astype(np.bool_)

    def answers(self, states: States) -> NDArray[np.uint8]:
        """The same, with 1 and 0 for true and false, and FAILED where a predicate cannot be evaluated."""
        return self._judged(states)[0]

    def _judged(self, states: States) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
        truth = np.zeros((len(states), len(self.functions)), np.uint8)
        first = np.full(PARTS * len(self.findings) + 1, NEVER, np.int64)
        self._predicates(address_of(states), len(states), address_of(first), address_of(truth))
        return truth, first


def compile_graph(
    model: Model, fair: tuple[bool, ...], changing: tuple[bool, ...], functions: tuple[str, ...], quick: bool = False
) -> GraphKernel:
    """The labelled steps of a model and the named predicates (functions of the model without parameters); from the
    cache on disk if they are there.

    fair: for each action, whether it is weakly fair; changing: whether only its steps that change the state count.  An
    action that is not fair counts here like a fault: it does not prevent a run from ending.  quick: as in
    `compile_model`.
    """
    model = evolve(model, actions=tuple(evolve(a, fault=not f or c) for a, f, c in zip(model.actions, fair, changing)))
    module = ModuleContext(evolve(model, properties=(), constraints=()), state_layout(model))
    received = max((received_words(module, a) for a in model.actions), default=0)
    code, _ = build.compiled(
        build.identity(model),
        ("graph", *functions),
        lambda: (_emitted(module, functions, received), module.findings),
        quick,
        by_function=True,
    )
    counts = [prod(count(p.type) for p in a.parameters) for a in model.actions]
    weakly_fair, of_changes = (np.repeat(np.array(flags, np.bool_), counts) for flags in (fair, changing))
    none = np.zeros_like(weakly_fair)
    return GraphKernel(
        words=module.layout.stored_words,
        label_words=1 + received,
        actions=len(model.actions),
        weakly_fair=np.concatenate([weakly_fair, none, none]),
        changing=np.concatenate([of_changes, none, none]),
        findings=code.notes,
        functions=functions,
        code=code,
        expand=_EXPAND(code.address("expand")),
        predicates=_PREDICATES(code.address("predicates")),
    )


def _emitted(module: ModuleContext, functions: tuple[str, ...], received: int) -> str:
    actions = emitted_actions(module, received)
    kernel = [*symmetric(module), Expansion(module, actions, 1 + received).emit(), predicates(module, functions)]
    return "\n".join([module.fixed, *module.texts, *kernel])
