"""Which chosen states have a run that stays among the chosen states for ever, or may end there; on disk, by levels.

A state is removed when no run may end in it and none of its steps leads to a chosen state that is still there. This is
repeated until nothing is removed: the states that are left are exactly those with such a run. Levels are taken from
the last to the first, because most steps lead to the next level: one round removes everything that leads nowhere if
all steps do. Removed states are in a set on disk (`runs`); whether a state is chosen is computed from the state, so
nothing else is kept. A round ends the work also when the caller has room for what is left.

Each round expands the chosen states that are left once more, in this process or by shard
(`checker.search.spark.trimming`). Where it stops: among chosen states with cycles, those that lead to a cycle stay,
whether or not a fair run may stay in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Protocol

import numpy as np
from attrs import define, field
from numpy.typing import NDArray

from checker.contract import States
from checker.frozen import frozen
from checker.search.blocks import blocks
from checker.search.runs import Keys, Runs, distinct, keys_of, ordered, states_of
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


class Judged(Protocol):
    """What is known of states (n, words): `chosen` and `begins` give (n,), and raise Unreadable."""

    @property
    def words(self) -> int: ...

    def chosen(self, states: States) -> Flags:
        """Which states are chosen."""

    def begins(self, states: States) -> Flags:
        """Which states begin a run that is looked for."""

    def steps(self, states: States, ends: NDArray[np.uint8]) -> Iterator[Stepped]:
        """All steps out of states, in order; also fills (n,): whether a run may end there."""


class Unreadable(Exception):
    """A predicate cannot be evaluated in a state: the error and its line."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message, line)
        self.message, self.line = message, line


@frozen
class Left:
    """How many states are left, and the steps out of them."""

    states: int
    transitions: int

    @classmethod
    def total(cls, parts: Iterable[Left]) -> Left:
        """What is left in several parts."""
        every = list(parts)
        return cls(sum(p.states for p in every), sum(p.transitions for p in every))


class Trimmed(Protocol):
    """The chosen states of a search, of which those are removed that have no such run."""

    def run(self, enough: Callable[[Left], bool]) -> Left:
        """Remove states until nothing is removed, or what is left is `enough`.  Raises StoredFileError, DiskLimit,
        Unreadable.
        """

    def begins(self) -> bool:
        """Whether one of the states that are left begins a run."""

    def left(self) -> Iterator[tuple[int, States]]:
        """The states that are left, in pieces, each with its level; levels ascend."""


def filter_room(states: int, most: int) -> int:
    """Bytes for the filter of a set to which so many states may be added: 16 bits for each, as far as there is room."""
    return min(2 * states, most)


def rounds(once: Callable[[], Left], enough: Callable[[Left], bool]) -> Left:
    """What is left after as many rounds as remove states, or are needed until it is `enough`."""
    before = None
    while True:
        left = once()
        if left.states == before or enough(left):
            return left
        before = left.states


@define(eq=False)
class Trimming:
    """In this process.  levels: the pieces of each; removed: the set of removed states, empty at first; pause: called
    now and then, an exception from it ends the work.
    """

    levels: Sequence[Sequence[Piece]]
    judged: Judged
    removed: Runs
    pause: Callable[[], object] = bool
    _waiting: list[States] = field(init=False, factory=list)

    def run(self, enough: Callable[[Left], bool]) -> Left:
        """As of Trimmed."""
        return rounds(self._round, enough)

    def begins(self) -> bool:
        """As of Trimmed."""
        return any(self.judged.begins(states).any() for _, states in self.left())

    def left(self) -> Iterator[tuple[int, States]]:
        """As of Trimmed."""
        for level, pieces in enumerate(self.levels):
            for states in self._blocks(pieces):
                yield level, states

    def _round(self) -> Left:
        return Left.total(self._level(level) for level in reversed(self.levels))

    def _blocks(self, pieces: Sequence[Piece]) -> Iterator[States]:
        """The chosen states of some pieces that are still there."""
        for piece in pieces:
            for states in still_there(piece.read(), self.judged, self.removed):
                self.pause()
                yield states

    def _level(self, pieces: Sequence[Piece]) -> Left:
        """Remove states of a level; what is left of it."""
        states = transitions = 0
        for block in self._blocks(pieces):
            staying, steps = expanded(self.judged, block, self._there)
            states, transitions = states + int(staying.sum()), transitions + int(steps[staying].sum())
            self._remove(block[~staying])
        self._flush()
        return Left(states, transitions)

    def _there(self, states: States) -> Flags:
        return not_in(self.removed, keys_of(states))

    def _remove(self, states: States) -> None:
        if len(states):
            self._waiting.append(states)
            if sum(map(len, self._waiting)) >= WAITING:
                self._flush()

    def _flush(self) -> None:
        if self._waiting:
            self.removed.add(distinct(ordered(np.concatenate(self._waiting))))
            self._waiting.clear()


def still_there(states: States, judged: Judged, removed: Runs) -> Iterator[States]:
    """Those of some distinct states that are chosen and not removed, in blocks; in the order of keys in each."""
    for block in blocks(states, BLOCK):
        keys = removed.unknown(ordered(block[judged.chosen(block)]))
        if len(keys):
            yield states_of(keys, removed.words)


def expanded(judged: Judged, states: States, there: Callable[[States], Flags]) -> tuple[Flags, NDArray[np.int64]]:
    """Which states stay, and the number of steps out of each.  there: which of some different chosen states, in the
    order of keys, are not removed; called once for some steps after the other.
    """
    ends, staying = np.zeros(len(states), np.uint8), np.zeros(len(states), np.bool_)
    steps = np.zeros(len(states), np.int64)
    for some in judged.steps(states, ends):
        steps += np.bincount(some.sources, minlength=len(states))
        chosen = judged.chosen(some.successors)
        different, places = np.unique(keys_of(some.successors[chosen]), return_inverse=True)
        flags = there(states_of(different, states.shape[1]))
        staying[some.sources[chosen][flags[places.reshape(-1)]]] = True
    return staying | (ends != 0), steps


def not_in(removed: Runs, keys: Keys) -> Flags:
    """Which of some keys, in order and distinct, are not in a set."""
    there = removed.unknown(keys)
    if not len(there):
        return np.zeros(len(keys), np.bool_)
    at = np.minimum(np.searchsorted(there, keys), len(there) - 1)
    flags: Flags = there[at] == keys
    return flags
