"""All distinct states in the order of discovery, and the parent of each.

Parents never decrease in that order, because a state is discovered while its parent is expanded and parents are
expanded in order. Therefore 32 bits per parent suffice for any number of states: the places where the 32 bits wrap
around give the rest.
"""

from __future__ import annotations

import numpy as np
from attrs import define, field
from numpy.typing import NDArray

from checker.contract import States
from checker.search.memory import PAGE, reservation, reserve


@define
class Store:
    """States (capacity, words) of which the first `count` are valid; `initial` of them have no parent."""

    words: int
    count: int = 0
    initial: int = 0
    states: States = field(init=False, repr=False)
    parents: NDArray[np.uint32] = field(init=False, repr=False)
    _wraps: list[int] = field(init=False, factory=list)

    def __attrs_post_init__(self) -> None:
        memory = reserve(reservation(), least=PAGE)
        capacity = memory.nbytes // (8 * self.words)
        parents = reserve(4 * capacity, least=PAGE)
        capacity = min(capacity, parents.nbytes // 4)
        self.states = memory.view(np.uint64)[: capacity * self.words].reshape(capacity, self.words)
        self.parents = parents.view(np.uint32)[:capacity]

    @property
    def nbytes(self) -> int:
        """Bytes in use."""
        return self.count * (8 * self.words + 4)

    @property
    def capacity(self) -> int:
        return self.parents.shape[0]

    def appended(self, count: int, parent_high: int) -> None:
        """Take `count` written rows into the store; the parents' indices are >= parent_high * 2^32 from here on."""
        while len(self._wraps) < parent_high:
            self._wraps.append(self.count)
        self.count += count

    def empty(self) -> None:
        """Forget all states."""
        self.count = self.initial = 0
        self._wraps.clear()

    def parent(self, index: int) -> int | None:
        """The index of the state from which this one was first reached; None for an initial state."""
        if index < self.initial:
            return None
        high = sum(1 for wrap in self._wraps if wrap <= index)
        return (high << 32) + int(self.parents[index])

    def path(self, index: int) -> list[int]:
        """The indices of the states from an initial state to this one, both included."""
        if not 0 <= index < self.count:
            raise IndexError(f"no state {index}: {self.count} are stored")
        indices = [index]
        while (parent := self.parent(indices[-1])) is not None:
            indices.append(parent)
        return indices[::-1]
