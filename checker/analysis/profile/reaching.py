"""Which action first reached a state.  A search does not store it; the parent of the state is expanded again to find
it.
"""

from __future__ import annotations

import numpy as np

from checker.backends.native.kernel import NativeKernel
from checker.contract import uncounted
from checker.search.expansions import successors_of
from checker.search.result import SearchResult


class Reaching:
    """Finds the action of the step from a state's parent to the state."""

    def __init__(self, kernel: NativeKernel, result: SearchResult) -> None:
        self.kernel, self.result, self.states = kernel, result, result.states()
        self.parent = -1
        self.successors = np.zeros((0, kernel.words), np.uint64)
        self.counters = uncounted(kernel)

    def action(self, child: int) -> int | None:
        """The number of the action; None where steps across a constraint hide the action."""
        parent = self.result.parent(child)
        assert parent is not None
        if parent != self.parent:
            self.counters[:] = 0
            self.successors = successors_of(self.kernel, self.states[parent], counters=self.counters, capacity=256)
            self.parent = parent
        actions = len(self.kernel.actions)
        if self.counters[-1]:
            return None
        place = int(np.flatnonzero((self.successors == self.states[child]).all(axis=1))[0])
        return int(np.searchsorted(np.cumsum(self.counters[actions : 2 * actions]), place, side="right"))
