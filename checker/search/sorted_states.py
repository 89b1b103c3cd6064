"""States sorted by hash: which of some others are among them.

Hashes only choose where to look; where they are equal, whole states are compared. A hash of one word that is a
bijection stands for its state, so then nothing but the sorted hashes need be kept.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from checker.contract import States

Keys = NDArray[np.uint64]


def among(sorted_keys: Keys, sorted_states: States | None, keys: Keys, states: States) -> NDArray[np.bool_]:
    """Which of the states (n, words) with these keys (n,) are among the sorted ones; None: a key tells its state."""
    inside = np.zeros(len(keys), dtype=np.bool_)
    rows = np.arange(len(keys))
    places = np.searchsorted(sorted_keys, keys)
    while len(rows):
        near = places < len(sorted_keys)
        rows, places = rows[near], places[near]
        near = sorted_keys[places] == keys[rows]
        rows, places = rows[near], places[near]
        if sorted_states is None:
            inside[rows] = True
            break
        equal = (sorted_states[places] == states[rows]).all(axis=1)
        inside[rows[equal]] = True
        rows, places = rows[~equal], places[~equal] + 1  # another state with the same key
    return inside
