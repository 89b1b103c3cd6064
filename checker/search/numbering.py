"""The number of a state, from the state: a hash table over the states of a search, read in blocks.

A hash only chooses where to look: states are compared in full (`checker.search.numbering_native`).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from checker.contract import States
from checker.frozen import frozen
from checker.search.build import Library
from checker.search.numbering_native import library

FEW = 1 << 16
"""States for which code without optimisation is fast enough."""
Numbers = NDArray[np.int64]


@frozen(eq=False)
class Numbering:
    """States (n, words), distinct, and the table of their numbers."""

    states: States
    entries: NDArray[np.uint64]
    native: Library

    def numbers(self, rows: States) -> Numbers:
        """The number of each row of (k, words).  Raises LookupError for a row that is no state."""
        found = self.find(rows)
        if (found < 0).any():
            raise LookupError("not a state of the search")
        return found

    def find(self, rows: States) -> Numbers:
        """The number of each row of (k, words), -1 for a row that is no state."""
        rows, found = np.ascontiguousarray(rows), np.empty(len(rows), np.int64)
        known, entries = self.states.ctypes.data, self.entries.ctypes.data
        self.native["find"](rows.ctypes.data, len(rows), known, entries, len(self.entries), found.ctypes.data)
        return found


def numbering(states: States) -> Numbering:
    """An index over distinct states (n, words)."""
    states = np.ascontiguousarray(states)
    entries, native = (
        np.zeros(len(states) + len(states) // 2 + 1, np.uint64),
        library(states.shape[1], len(states) < FEW),
    )
    native["enter"](states.ctypes.data, len(states), entries.ctypes.data, len(entries))
    return Numbering(states, entries, native)
