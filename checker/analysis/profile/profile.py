"""Why a state space is large: growth by level, values by variable, duplicates by action, and the constant to lower
first.

Distinct values of a variable, and the bits that it occupies, come from the packed states; the action that first reached
a state comes from `checker.analysis.profile.reaching`.  Of many states both use a sample of evenly spaced ones, and the
numbers then name the size of the sample.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from checker.analysis.profile.growth import endless_growth
from checker.analysis.profile.lowering import Worth
from checker.analysis.profile.reaching import Reaching
from checker.engines.explored import Explored, Packed
from checker.language.definition import Definition
from checker.results.profile import ActionProfile, Profile, VariableProfile
from checker.validation.sample import evenly

VALUE_SAMPLE, PARENT_SAMPLE = 200_000, 10_000


def profile(definition: Definition, explored: Explored, packed: Packed, worth: Worth) -> Profile:
    """The profile of a search, complete or not.  packed: its states, or the first of them."""
    result = packed.result
    whole = explored.levels if explored.complete else explored.levels[:-1]
    growth = whole[-1] / whole[-2] if len(whole) > 1 else None
    rows = evenly(result.distinct, VALUE_SAMPLE)
    variables = sorted(_variables(packed, rows), key=lambda v: -v.values)
    sampled, actions = result.distinct > PARENT_SAMPLE, tuple(_actions(packed))
    endless = None if explored.complete else endless_growth(definition, packed)
    return Profile(explored.levels, growth, result.distinct, sampled, tuple(variables), actions, *worth, endless)


def _variables(packed: Packed, rows: NDArray[np.int64]) -> Iterator[VariableProfile]:
    states = packed.result.states()[rows]
    for variable in packed.kernel.model.variables:
        mask = packed.kernel.mask([variable.name])
        words = np.flatnonzero(mask)
        bits = sum(int(m).bit_count() for m in mask)
        values = len(np.unique(states[:, words] & mask[words], axis=0)) if len(words) else 1
        yield VariableProfile(variable.name, values, bits)


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
