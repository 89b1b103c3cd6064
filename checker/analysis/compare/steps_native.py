"""The walk of checker.analysis.compare.steps, for any back end; and by compiled code: both models in one layout,
expanded block by block, their successors compared as words."""

from __future__ import annotations

import time
from collections.abc import Collection, Container, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np
from attrs import define as mutable
from attrs import field
from numpy.typing import NDArray

from checker.backends.interpreter.interpreter import Raw
from checker.backends.native.kernel import NativeKernel
from checker.contract import NEVER, States, nowhere
from checker.engines.growing import require_room, with_room
from checker.engines.native import compiled, state_of
from checker.engines.request import Request
from checker.language.definition import Definition
from checker.results.validated import Validation, together
from checker.search.expansions import expansions
from checker.validation.sample import Reached
from checker.validation.validation import Validator, first_starts

BLOCK = 1 << 12
Key = TypeVar("Key", bound=Hashable)  # what a state is known by
Successors = Collection[tuple[int, Key]]


@mutable
class Allowance:
    """Seconds left for searching; the time for compiling the models does not count."""

    seconds: float

    @contextmanager
    def running(self) -> Iterator[float]:
        """Start to search, until the given deadline at the latest."""
        start = time.monotonic()
        try:
            yield start + self.seconds
        finally:
            self.seconds -= time.monotonic() - start


@mutable(eq=False)
class Walk(Generic[Key]):
    """Common states of two models with the same variables, nearest first, until both differences are found or the time
    is over.

    added, removed: a path of states that ends in a successor of the edit alone, or of the base alone.  parents: of the
    states found, by the key of the back end.  validation: how far the interpreter confirmed both.
    """

    added: tuple[Raw, ...] | None = None
    removed: tuple[Raw, ...] | None = None
    complete: bool = False
    validation: Validation | None = None
    parents: dict[Key, Key | None] = field(factory=dict)
    block: ClassVar[int] = 1  # states expanded at once

    def starts(self, side: int) -> Successors[Key]:
        """The initial states of a side."""
        raise NotImplementedError

    def successors(self, side: int, block: Sequence[Key]) -> Successors[Key]:
        """The successors of some states on a side, each with the place of the state in the block, in order."""
        raise NotImplementedError

    def raw(self, side: int, state: Key) -> Raw:
        """A state in raw values."""
        raise NotImplementedError

    def walk(self, deadline: float) -> None:
        """Walk from the initial states on."""
        frontier = self._common([None], self.starts(0), self.starts(1))
        while frontier:
            following: list[Key] = []
            for place in range(0, len(frontier), self.block):
                if time.monotonic() > deadline or (self.added is not None and self.removed is not None):
                    return
                block = frontier[place : place + self.block]
                following += self._common(block, self.successors(0, block), self.successors(1, block))
            frontier = following
        self.complete = True

    def _common(self, block: Sequence[Key | None], before: Successors[Key], after: Successors[Key]) -> list[Key]:
        """The new states among the common successors of a state; a successor of one side alone ends a run."""
        base, edit = dict.fromkeys(before), dict.fromkeys(after)
        if self.added is None:
            self.added = self._alone(block, edit, base, 1)
        if self.removed is None:
            self.removed = self._alone(block, base, edit, 0)
        new = []
        for place, state in base:
            if (place, state) in edit and state not in self.parents:
                self.parents[state] = block[place]
                new.append(state)
        return new

    def _alone(
        self, block: Sequence[Key | None], mine: Successors[Key], other: Container[tuple[int, Key]], side: int
    ) -> tuple[Raw, ...] | None:
        """The states that lead to the first successor that the other side does not have, itself last."""
        for place, successor in (pair for pair in mine if pair not in other):
            path, state = [successor], block[place]
            while state is not None:
                path.append(state)
                state = self.parents[state]
            return tuple(self.raw(side, state) for state in reversed(path))
        return None


@mutable(eq=False)
class NativeWalk(Walk[bytes]):
    """The walk over packed states."""

    definitions: tuple[Definition, Definition] = field(kw_only=True)
    allowance: Allowance = field(kw_only=True)
    kernels: tuple[NativeKernel, NativeKernel] = field(init=False)
    block = BLOCK

    def run(self) -> None:
        """Walk; start again with more room where a network turns out too small.  Raises Disagreement if the interpreter
        does not confirm both models in the states found.
        """
        with_room(self._attempt)
        states = self._packed(self.parents)
        self.validation = together(
            Validator(definition, kernel).run(Reached.among(states), *first_starts(kernel))
            for definition, kernel in zip(self.definitions, self.kernels)
        )

    def _attempt(self, room: Mapping[str, int]) -> None:
        self.kernels = self._compiled(room)
        self.parents, self.added, self.removed = {}, None, None
        with self.allowance.running() as deadline:
            self.walk(deadline)

    def _compiled(self, room: Mapping[str, int]) -> tuple[NativeKernel, NativeKernel]:
        """Both models with one layout: each network has the larger of the two guessed capacities."""
        # quickly, since comparing the sets of steps takes longer than making them
        base, edit = (compiled(Request(d), room, quick=True) for d in self.definitions)
        rooms = [
            {v.name: kernel.capacity(v.name) for v in d.variables if v.network is not None}
            for kernel, d in zip((base, edit), self.definitions)
        ]
        if rooms[0] == rooms[1]:
            return base, edit
        return self._compiled({name: max(one[name] for one in rooms) for name in rooms[0]})

    def _packed(self, states: Iterable[bytes]) -> States:
        return np.frombuffer(b"".join(states), np.uint64).reshape(-1, self.kernels[0].words)

    def starts(self, side: int) -> Successors[bytes]:
        """Each once, as bytes are ordered."""
        return [(0, state) for state in sorted(set(as_bytes(self.kernels[side].initial())))]

    def successors(self, side: int, block: Sequence[bytes]) -> Successors[bytes]:
        """The successors, sorted by the state that they come from, then by their bytes."""
        found, places, _ = successors(self.kernels[side], self._packed(block))
        return sorted(zip(places.tolist(), as_bytes(found)))

    def raw(self, side: int, state: bytes) -> Raw:
        """A packed state in raw values."""
        return state_of(self.definitions[side], self.kernels[side], np.frombuffer(state, np.uint64))


def as_bytes(rows: States) -> list[bytes]:
    """The words of each row."""
    words = np.dtype((np.void, 8 * rows.shape[1]))
    found: list[Any] = np.ascontiguousarray(rows).view(words).ravel().tolist() if len(rows) else []
    return found


def successors(kernel: NativeKernel, block: States) -> tuple[States, NDArray[np.uint32], NDArray[np.uint8]]:
    """All successors of a block, with the rows they come from; and of each row of the block whether no action but
    faults is enabled.  Raises TooSmall.
    """
    quiescent, first, parts = np.zeros(len(block), np.uint8), nowhere(kernel), []
    for piece in expansions(kernel, block, first, quiescent=quiescent, capacity=16 * len(block) + 1024):
        found = {kernel.findings[number % len(kernel.findings)] for number in np.flatnonzero(first < NEVER).tolist()}
        require_room(kernel, [f.name for f in found if f.kind == "grow"])
        parts.append((piece.successors.copy(), piece.parents.copy()))
    return np.concatenate([s for s, _ in parts]), np.concatenate([p for _, p in parts]), quiescent
