"""Project a search whose states have additional words onto the states of the model: those words are dropped.

If the initial states choose something, a state of the model stands for several states of the search, one for each
choice.  Runs are runs of the model.  Initial states and quiescent states are counted and listed once, each with its
least distance, which is that of the first of them.  All other counts are those of the searched graph.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from attrs import evolve, fields, frozen
from numpy.typing import NDArray

from checker.contract import States
from checker.search.result import SearchResult


@frozen(eq=False, slots=False)
class Projected(SearchResult):
    """words: of a state of the model."""

    words: int

    @cached_property
    def _shown(self) -> States:
        shown = np.ascontiguousarray(self._store.states[: self.distinct, : self.words])
        shown.flags.writeable = False
        return shown

    def states(self) -> States:
        """All states, (distinct, words), in the order of discovery; those that differ in the choice are several."""
        return self._shown

    def path(self, index: int) -> States:
        """The states (k, words) on the way from an initial state to this one, both included. Raises IndexError."""
        return np.ascontiguousarray(super().path(index)[:, : self.words])

    @cached_property
    def quiescent_indices(self) -> NDArray[np.int64]:
        """The indices of the first search state of each quiescent state of the model, increasing."""
        indices = super().quiescent_indices
        return indices[firsts(self.states()[indices])]


def projected(result: SearchResult, words: int) -> SearchResult:
    """The search over the first words of its states."""
    given: dict[str, Any] = {str(f.alias): getattr(result, f.name) for f in fields(SearchResult)}
    found = Projected(**given, words=words)
    initial = len(firsts(found.states()[: result.initial]))
    return evolve(found, initial=initial, quiescent=len(found.quiescent_indices))


def firsts(rows: States) -> NDArray[np.int64]:
    """The places of the first of equal rows, increasing."""
    if not len(rows):
        return np.zeros(0, np.int64)
    return np.sort(np.unique(rows, axis=0, return_index=True)[1]).astype(np.int64)
