"""The number of a state, from the state: a sorted index over the states of a search, read in blocks.

States of one word are sorted by themselves.  Longer ones are sorted by a hash of their words; a state found by its hash
is compared in full, and all states with the same hash are tried, so the answer is exact.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from checker.contract import States
from checker.frozen import frozen

Keys = NDArray[np.uint64]
Numbers = NDArray[np.int64]

_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(29)


@frozen(eq=False)
class Numbering:
    """States (n, words), distinct; their keys in order, and the number of the state of each."""

    states: States
    keys: Keys
    order: Numbers

    def numbers(self, rows: States) -> Numbers:
        """The number of each row of (k, words).  Raises LookupError for a row that is no state."""
        found = self.find(rows)
        if (found < 0).any():
            raise LookupError("not a state of the search")
        return found

    def find(self, rows: States) -> Numbers:
        """The number of each row of (k, words), -1 for a row that is no state."""
        wanted = _keys(rows)
        asking = np.argsort(wanted)
        wanted = wanted[asking]
        place = np.searchsorted(self.keys, wanted)
        found = np.full(len(rows), -1, np.int64)
        while len(asking):
            there = place < len(self.keys)
            there[there] = self.keys[place[there]] == wanted[there]
            if not there.all():
                asking, place, wanted = asking[there], place[there], wanted[there]
            candidates = self.order[place]
            right = (self.states[candidates] == rows[asking]).all(axis=1)
            found[asking[right]] = candidates[right]
            asking, place, wanted = asking[~right], place[~right] + 1, wanted[~right]
        return found


def numbering(states: States) -> Numbering:
    """An index over distinct states (n, words)."""
    keys = _keys(states)
    order = np.argsort(keys, kind="stable")
    return Numbering(states, keys[order], order)


def _keys(rows: States) -> Keys:
    keys: Keys = rows[:, 0].copy()
    for word in range(1, rows.shape[1]):
        keys *= _MULTIPLIER
        keys ^= keys >> _SHIFT
        keys += rows[:, word]
    return keys
