"""Which chosen states have a run that stays among the chosen states for ever, or may end there; on disk, by levels.

A state is removed when no run may end in it and none of its steps leads to a chosen state that is still there. This is
repeated until nothing is removed: the states that are left are exactly those with such a run. Levels are taken from
the last to the first, because most steps lead to the next level: one round removes everything that leads nowhere if
all steps do. Removed states are in a set on disk (`runs`); whether a state is chosen is computed from the state, so
nothing else is kept. A round ends the work also when the caller has room for what is left.

Each round expands the chosen states that are left once more. Where it stops: among chosen states with cycles, those
that lead to a cycle stay, whether or not a fair run may stay in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

import numpy as np
from attrs import define, field
from numpy.typing import NDArray

from checker.contract import States
from checker.frozen import frozen
from checker.search.runs import Keys, Runs, distinct, keys_of, states_of
from checker.search.trails import Piece

Flags = NDArray[np.bool_]

BLOCK = 1 << 14
"""States that are expanded at once."""
WAITING = 1 << 18
"""Removed states that are put on disk together."""


class Stepped(Protocol):
    """Steps of some states: the place of the state of each, and its successor."""

    @property
    def sources(self) -> NDArray[np.int64]: ...

    @property
    def successors(self) -> States: ...


Steps = Callable[[States, NDArray[np.uint8]], Iterator[Stepped]]
"""All steps out of states (n, words), in order; also fills (n,): whether a run may end there."""


@frozen
class Left:
    """How many states are left, and the steps out of them."""

    states: int
    transitions: int


@define(eq=False)
class Trimming:
    """levels: the pieces of each; chosen: which states are chosen, (n,); removed: the set of removed states, empty at
    first; pause: called now and then, an exception from it ends the work.
    """

    levels: Sequence[Sequence[Piece]]
    chosen: Callable[[States], Flags]
    steps: Steps
    removed: Runs
    pause: Callable[[], object] = bool
    _waiting: list[Keys] = field(init=False, factory=list)

    def run(self, enough: Callable[[Left], bool]) -> Left:
        """Remove states until nothing is removed, or what is left is `enough`.  Raises StoredFileError, DiskLimit."""
        before = None
        while True:
            parts = [self._level(level) for level in reversed(self.levels)]
            left = Left(sum(p.states for p in parts), sum(p.transitions for p in parts))
            if left.states == before or enough(left):
                return left
            before = left.states

    def left(self) -> Iterator[tuple[int, States]]:
        """The states that are left, in pieces, each with its level."""
        for level, pieces in enumerate(self.levels):
            for states in self._blocks(pieces):
                yield level, states

    def _blocks(self, pieces: Sequence[Piece]) -> Iterator[States]:
        """The chosen states of some pieces that are still there."""
        for piece in pieces:
            states = piece.read()
            for start in range(0, len(states), BLOCK):
                self.pause()
                block = np.ascontiguousarray(states[start : start + BLOCK])
                keys = self.removed.unknown(np.sort(keys_of(block[self.chosen(block)])))
                if len(keys):
                    yield states_of(keys, self.removed.words)

    def _level(self, pieces: Sequence[Piece]) -> Left:
        """Remove states of a level; what is left of it."""
        states = transitions = 0
        for block in self._blocks(pieces):
            ends, staying = np.zeros(len(block), np.uint8), np.zeros(len(block), np.bool_)
            steps = np.zeros(len(block), np.int64)
            for some in self.steps(block, ends):
                steps += np.bincount(some.sources, minlength=len(block))
                staying[some.sources[self._there(some.successors)]] = True
            staying |= ends != 0
            states, transitions = states + int(staying.sum()), transitions + int(steps[staying].sum())
            self._remove(block[~staying])
        self._flush()
        return Left(states, transitions)

    def _there(self, states: States) -> Flags:
        """Which states are chosen and not removed; they may repeat."""
        found = self.chosen(states)
        different, places = np.unique(keys_of(states[found]), return_inverse=True)
        there = self.removed.unknown(different)
        at = np.minimum(np.searchsorted(there, different), max(0, len(there) - 1))
        found[found] = (there[at] == different if len(there) else np.zeros(len(different), np.bool_))[
            places.reshape(-1)
        ]
        return found

    def _remove(self, states: States) -> None:
        if len(states):
            self._waiting.append(keys_of(states))
            if sum(map(len, self._waiting)) >= WAITING:
                self._flush()

    def _flush(self) -> None:
        if self._waiting:
            self.removed.add(distinct(np.sort(np.concatenate(self._waiting))))
            self._waiting.clear()
