"""Which action first reached a state.  A search does not keep it: it is found again by expanding the state's parent."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from checker.backends.native.kernel import NEVER, NativeKernel
from checker.search.result import SearchResult


def evenly(size: int, most: int) -> NDArray[np.int64]:
    """Evenly spaced numbers below `size`: all of them, or `most`."""
    return np.arange(size) if size <= most else np.linspace(0, size - 1, most).astype(np.int64)


class Reaching:
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
