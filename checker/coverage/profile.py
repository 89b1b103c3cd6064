"""Why a state space is as large as it is: growth by level, values by variable, duplicates by action, and the constant to lower first.

Distinct values of a variable and the bits it takes come from the packed states.  Which action first reached a state is not kept by a search: it is found again by
expanding the state's parent.  Both look at a sample of evenly spaced states where there are too many; the numbers then say so.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from checker.backends.native.kernel import NEVER, NativeKernel
from checker.coverage.lowering import Lowerings
from checker.engines.explored import Explored, Packed
from checker.search.result import SearchResult

VALUE_SAMPLE, PARENT_SAMPLE = 200_000, 10_000


@frozen
class VariableProfile:
    """values: distinct ones seen; bits: of a packed state."""

    name: str
    values: int
    bits: int


@frozen
class ActionProfile:
    """transitions, and how many of them led to a state that was known already; None: not found out (no state could be attributed)."""

    name: str
    transitions: int
    duplicates: int | None


@frozen
class Profile:
    """levels: states of each; growth: of the last whole level over the one before.  over: the states of which variables and actions are told, the first of the search;
    sampled: values and duplicates are of a sample of these.

    lowering: what each constant is worth.
    """

    levels: tuple[int, ...]
    growth: float | None
    over: int
    variables: tuple[VariableProfile, ...]
    actions: tuple[ActionProfile, ...]
    sampled: bool
    lowering: Lowerings


def profile(explored: Explored, packed: Packed, lowering: Lowerings) -> Profile:
    """The profile of a search, complete or not; packed: its states, or the first of them."""
    result = packed.result
    whole = explored.levels if explored.complete else explored.levels[:-1]
    growth = whole[-1] / whole[-2] if len(whole) > 1 else None
    rows = _sample(result.distinct, VALUE_SAMPLE)
    variables = sorted(_variables(packed, rows), key=lambda v: -v.values)
    sampled = result.distinct > PARENT_SAMPLE
    return Profile(explored.levels, growth, result.distinct, tuple(variables), tuple(_actions(packed)), sampled, lowering)


def _sample(size: int, most: int) -> NDArray[np.int64]:
    """Evenly spaced numbers below `size`: all of them, or `most`."""
    return np.arange(size) if size <= most else np.linspace(0, size - 1, most).astype(np.int64)


def _variables(packed: Packed, rows: NDArray[np.int64]) -> Iterator[VariableProfile]:
    states = packed.result.states()[rows]
    for variable in packed.kernel.model.variables:
        mask = packed.kernel.mask([variable.name])
        words = np.flatnonzero(mask)
        bits = sum(int(m).bit_count() for m in mask)
        yield VariableProfile(variable.name, len(np.unique(states[:, words] & mask[words], axis=0)) if len(words) else 1, bits)


# Which action first reached a state


def _actions(packed: Packed) -> Iterator[ActionProfile]:
    result, names = packed.result, packed.kernel.actions
    children = [i for i in _sample(result.distinct, PARENT_SAMPLE).tolist() if result.parent(i) is not None]
    tally = np.zeros(len(names))
    finder = _Reaching(packed.kernel, result)
    for child in children:
        action = finder.action(child)
        if action is not None:
            tally[action] += 1
    known = tally.sum()
    reached = result.distinct - result.initial
    for action, count in enumerate(result.actions):
        new = 0 if not known else int(round(reached * tally[action] / known))
        yield ActionProfile(count.name, count.fired, max(0, count.fired - new) if known or not reached else None)


class _Reaching:
    """Finds the action of the step from a state's parent to the state."""

    def __init__(self, kernel: NativeKernel, result: SearchResult) -> None:
        self.kernel, self.result, self.states = kernel, result, result.states()
        self.buffer = np.zeros((256, kernel.words), np.uint64)
        self.first = np.full(2 * len(kernel.findings) + 1, NEVER, np.int64)
        self.parent = -1
        self.written = 0
        self.counters = np.zeros(2 * len(kernel.actions) + 3, np.int64)

    def action(self, child: int) -> int | None:
        """The number of the action; None where steps across a constraint hide which it was."""
        parent = self.result.parent(child)
        assert parent is not None
        if parent != self.parent:
            self._expand(parent)
        actions = len(self.kernel.actions)
        if self.counters[-1]:
            return None
        place = int(np.flatnonzero((self.buffer[: self.written] == self.states[child]).all(axis=1))[0])
        return int(np.searchsorted(np.cumsum(self.counters[actions : 2 * actions]), place, side="right"))

    def _expand(self, parent: int) -> None:
        row, quiescent = np.ascontiguousarray(self.states[parent : parent + 1]), np.zeros(1, np.uint8)
        done = 0
        while not done:
            self.counters[:] = 0
            parents = np.zeros(len(self.buffer), np.uint32)
            done, self.written = self.kernel.expand(row, 0, self.buffer, parents, self.counters, self.first, quiescent)
            if not done:
                self.buffer = np.zeros((2 * len(self.buffer), self.kernel.words), np.uint64)
        self.parent = parent
