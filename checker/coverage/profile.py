"""Why a state space is as large as it is: growth by level, values by variable, duplicates by action, and the constant
to lower first.

Distinct values of a variable and the bits it takes come from the packed states, which action first reached a state from
`checker.coverage.reaching`.  Both look at a sample of evenly spaced states where there are too many; the numbers then
say so.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from checker.coverage.growth import Growth, endless_growth
from checker.coverage.lowering import Lowerings, advice
from checker.coverage.reaching import Reaching, evenly
from checker.engines.explored import Explored, Packed
from checker.language.definition import Definition

VALUE_SAMPLE, PARENT_SAMPLE = 200_000, 10_000


@frozen
class VariableProfile:
    """values: distinct ones seen; bits: of a packed state."""

    name: str
    values: int
    bits: int


@frozen
class ActionProfile:
    """transitions, and how many of them led to a state that was known already; None: not found out (no state could be
    attributed)."""

    name: str
    transitions: int
    duplicates: int | None


@frozen
class Profile:
    """levels: states of each; growth: of the last whole level over the one before.  over: the states of which variables
    and actions are told, the first of the search; sampled: values and duplicates are of a sample of these.

    lowering: what each constant is worth; endless: what grows without end, so that no constant helps.
    """

    levels: tuple[int, ...]
    growth: float | None
    over: int
    variables: tuple[VariableProfile, ...]
    actions: tuple[ActionProfile, ...]
    sampled: bool
    lowering: Lowerings
    endless: Growth | None = None

    @property
    def advice(self) -> str:
        """What to do first, in one or two sentences."""
        return advice(self.lowering) if self.endless is None else self.endless.sentence


def profile(definition: Definition, explored: Explored, packed: Packed, lowering: Lowerings) -> Profile:
    """The profile of a search, complete or not; packed: its states, or the first of them."""
    result = packed.result
    whole = explored.levels if explored.complete else explored.levels[:-1]
    growth = whole[-1] / whole[-2] if len(whole) > 1 else None
    rows = evenly(result.distinct, VALUE_SAMPLE)
    variables = sorted(_variables(packed, rows), key=lambda v: -v.values)
    sampled = result.distinct > PARENT_SAMPLE
    return Profile(
        explored.levels,
        growth,
        result.distinct,
        tuple(variables),
        tuple(_actions(packed)),
        sampled,
        lowering,
        None if explored.complete else endless_growth(definition, packed),
    )


def _variables(packed: Packed, rows: NDArray[np.int64]) -> Iterator[VariableProfile]:
    states = packed.result.states()[rows]
    for variable in packed.kernel.model.variables:
        mask = packed.kernel.mask([variable.name])
        words = np.flatnonzero(mask)
        bits = sum(int(m).bit_count() for m in mask)
        yield VariableProfile(
            variable.name, len(np.unique(states[:, words] & mask[words], axis=0)) if len(words) else 1, bits
        )


# Which action first reached a state


def _actions(packed: Packed) -> Iterator[ActionProfile]:
    result, names = packed.result, packed.kernel.actions
    children = [i for i in evenly(result.distinct, PARENT_SAMPLE).tolist() if result.parent(i) is not None]
    tally = np.zeros(len(names))
    finder = Reaching(packed.kernel, result)
    for child in children:
        action = finder.action(child)
        if action is not None:
            tally[action] += 1
    known = tally.sum()
    reached = result.distinct - result.initial
    for action, count in enumerate(result.actions):
        new = 0 if not known else int(round(reached * tally[action] / known))
        yield ActionProfile(count.name, count.fired, max(0, count.fired - new) if known or not reached else None)
