"""Why a state space is large: growth by level, values by variable, duplicates by action, and the constant to lower
first.

Distinct values of a variable, and the bits that it occupies, come from the packed states; the action that first reached
a state comes from `checker.analysis.profile.reaching`, for states in memory and in files.  Of many states both use a
sample of evenly spaced ones, and the numbers then name the size of the sample.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from checker.analysis.profile.lowering import Worth
from checker.analysis.profile.reaching import Source
from checker.engines.explored import Explored
from checker.results.profile import ActionProfile, Growth, Profile, VariableProfile

VALUE_SAMPLE, PARENT_SAMPLE = 200_000, 10_000
MOST_RATIOS = 3


def profile(explored: Explored, source: Source, worth: Worth, endless: Growth | None) -> Profile:
    """The profile of a search, complete or not.  source: its states, or the first of them; endless: what grows in
    them.
    """
    whole = explored.levels if explored.complete else explored.levels[:-1]
    growth = whole[-1] / whole[-2] if len(whole) > 1 else None
    variables = sorted(_variables(source), key=lambda v: -v.values)
    sampled, actions = source.distinct > PARENT_SAMPLE, tuple(_actions(source))
    missing = None if explored.complete else missing_states(whole, sum(explored.levels[-1:]))
    return Profile(
        explored.levels, growth, source.distinct, sampled, tuple(variables), actions, *worth, endless, missing
    )


def missing_states(whole: Sequence[int], begun: int) -> int | None:
    """About how many states a search would still find, to two digits; None if its levels do not shrink.  whole: the
    sizes of whole levels; begun: of the next, as far as it was found.

    The levels of most searches rise and fall like a bell: the ratio of neighbouring levels itself falls at a steady
    rate, which is taken from the last four.
    """
    if len(whole) < MOST_RATIOS + 1 or whole[-1] >= whole[-2]:
        return None
    ratios = [after / before for before, after in pairwise(whole[-MOST_RATIOS - 1 :])]
    ratio, fall = ratios[-1], min(1.0, (ratios[-1] / ratios[0]) ** (1 / (MOST_RATIOS - 1)))
    size, found = float(whole[-1]), -float(begun)
    while size >= 1:
        ratio *= fall
        size *= ratio
        found += size
    return int(float(f"{max(found, 1):.1e}"))


def _variables(source: Source) -> Iterator[VariableProfile]:
    states = source.sample(VALUE_SAMPLE)
    for variable in source.kernel.model.variables:
        mask = source.kernel.mask([variable.name])
        words = np.flatnonzero(mask)
        bits = sum(int(m).bit_count() for m in mask)
        values = len(np.unique(states[:, words] & mask[words], axis=0)) if len(words) else 1
        yield VariableProfile(variable.name, values, bits)


def _actions(source: Source) -> Iterator[ActionProfile]:
    tally, reached = source.reached(PARENT_SAMPLE), source.distinct - source.initial
    known = float(tally.sum())
    for name, taken, sampled in zip(source.kernel.actions, source.taken, tally.tolist()):
        new = 0 if not known else int(round(reached * sampled / known))
        yield ActionProfile(name, taken, max(0, taken - new) if known or not reached else None)
