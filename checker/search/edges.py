"""Edges of a graph, by the state at one of their ends."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from checker.frozen import frozen

Indices = NDArray[np.int64]


@frozen(eq=False)
class Edges:
    """order: numbers of edges, those of a state together and in their order; starts (states + 1,): the place of the
    first one of each state."""

    order: Indices
    starts: Indices

    @classmethod
    def by(cls, states: int, ends: Indices) -> Edges:
        """The edges 0, 1, ... by these ends (edges,), each a state 0..states-1."""
        order = np.argsort(ends, kind="stable")
        return cls(order, np.searchsorted(ends[order], np.arange(states + 1)))

    def of(self, states: Indices) -> Indices:
        """The edges of some states, in the order of the states."""
        counts = self.starts[states + 1] - self.starts[states]
        places = np.repeat(self.starts[states] - np.cumsum(counts) + counts, counts) + np.arange(counts.sum())
        return self.order[places]
