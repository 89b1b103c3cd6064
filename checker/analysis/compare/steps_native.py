"""The walk of checker.analysis.compare.steps by compiled code: both models in one layout, expanded block by block,
their successors compared as sets of words."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

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


@mutable
class Allowance:
    """Seconds left for searching; compiling the models is none of it."""

    seconds: float

    @contextmanager
    def running(self) -> Iterator[float]:
        """Search, until the deadline given at the latest."""
        start = time.monotonic()
        try:
            yield start + self.seconds
        finally:
            self.seconds -= time.monotonic() - start


@mutable(eq=False)
class NativeWalk:
    """Common states of two models with the same variables, nearest first, until both differences are found or the time
    is over.

    added, removed: a path of states that ends in a successor of the edit alone, or of the base alone.  validation: how
    far the interpreter confirmed both.
    """

    definitions: tuple[Definition, Definition]
    allowance: Allowance
    added: tuple[Raw, ...] | None = None
    removed: tuple[Raw, ...] | None = None
    complete: bool = False
    looked: int = 0
    validation: Validation | None = None
    kernels: tuple[NativeKernel, NativeKernel] = field(init=False)
    _known: dict[bytes, int] = field(factory=dict)  # words -> number
    _parents: list[int] = field(factory=list)

    def run(self) -> None:
        """Walk; starts again with more room where a network turns out too small."""
        with_room(self._attempt)
        self.looked = len(self._known)
        self.validation = self._validated()

    def _attempt(self, room: Mapping[str, int]) -> None:
        self.kernels = self._compiled(room)
        self._known, self._parents, self.added, self.removed = {}, [], None, None
        with self.allowance.running() as deadline:
            self._walk(deadline)

    def _compiled(self, room: Mapping[str, int]) -> tuple[NativeKernel, NativeKernel]:
        """Both models with one layout: what is guessed for a network is the larger guess."""
        # quickly, since comparing the sets of steps takes longer than making them
        base, edit = (compiled(Request(d), room, quick=True) for d in self.definitions)
        rooms = [
            {v.name: kernel.capacity(v.name) for v in d.variables if v.network is not None}
            for kernel, d in zip((base, edit), self.definitions)
        ]
        if rooms[0] == rooms[1]:
            return base, edit
        return self._compiled({name: max(one[name] for one in rooms) for name in rooms[0]})

    def _validated(self) -> Validation | None:
        """How far the interpreter confirms both models in the states found.  Disagreement if it does not."""
        states = np.frombuffer(b"".join(self._known), np.uint64).reshape(-1, self.kernels[0].words)
        return together(
            Validator(definition, kernel).run(Reached.among(states), *first_starts(kernel))
            for definition, kernel in zip(self.definitions, self.kernels)
        )

    def _walk(self, deadline: float) -> None:
        starts = [np.unique(kernel.initial(), axis=0) for kernel in self.kernels]
        parents = [np.zeros(len(s), np.uint32) for s in starts]
        frontier = self._common(starts, parents, None)
        while len(frontier):
            following = []
            first = len(self._known) - len(frontier)
            for place in range(0, len(frontier), BLOCK):
                if time.monotonic() > deadline or (self.added is not None and self.removed is not None):
                    return
                block = np.ascontiguousarray(frontier[place : place + BLOCK])
                found = [successors(kernel, block) for kernel in self.kernels]
                following.append(self._common([s for s, _, _ in found], [p for _, p, _ in found], first + place))
            frontier = np.concatenate(following)
        self.complete = True

    def _common(self, successors: list[States], parents: list[NDArray[np.uint32]], first: int | None) -> States:
        """The new states among those that both lead to from the same state; what one alone leads to ends a run.  first:
        the number of row 0, None at the start."""
        base, edit = (set(as_bytes(np.column_stack([p.astype(np.uint64), s]))) for s, p in zip(successors, parents))
        if self.added is None and (alone := edit - base):
            self.added = self._path(min(alone, key=_order), first, 1)
        if self.removed is None and (alone := base - edit):
            self.removed = self._path(min(alone, key=_order), first, 0)
        new = []
        for pair in sorted(base & edit, key=_order):
            words = pair[8:]
            if words not in self._known:
                self._known[words] = len(self._known)
                self._parents.append(-1 if first is None else first + _row(pair))
                new.append(words)
        return np.frombuffer(b"".join(new), np.uint64).reshape(-1, self.kernels[0].words)

    def _path(self, pair: bytes, first: int | None, side: int) -> tuple[Raw, ...]:
        """The states that lead to a successor, itself last."""
        words = [pair[8:]]
        if first is not None:
            order = list(self._known)
            number = first + _row(pair)
            while number >= 0:
                words.append(order[number])
                number = self._parents[number]
        return tuple(
            state_of(self.definitions[side], self.kernels[side], np.frombuffer(w, np.uint64)) for w in reversed(words)
        )


def _row(pair: bytes) -> int:
    return int.from_bytes(pair[:8], "little")


def _order(pair: bytes) -> tuple[int, bytes]:
    return _row(pair), pair[8:]


def as_bytes(rows: States) -> list[bytes]:
    """The words of each row."""
    words = np.dtype((np.void, 8 * rows.shape[1]))
    found: list[Any] = np.ascontiguousarray(rows).view(words).ravel().tolist() if len(rows) else []
    return found


def successors(kernel: NativeKernel, block: States) -> tuple[States, NDArray[np.uint32], NDArray[np.uint8]]:
    """All successors of a block, with the rows they come from; and of each row of the block whether no action but
    faults is enabled.  TooSmall."""
    quiescent, first, parts = np.zeros(len(block), np.uint8), nowhere(kernel), []
    for piece in expansions(kernel, block, first, quiescent=quiescent, capacity=16 * len(block) + 1024):
        found = {kernel.findings[number % len(kernel.findings)] for number in np.flatnonzero(first < NEVER).tolist()}
        require_room(kernel, [f.name for f in found if f.kind == "grow"])
        parts.append((piece.successors.copy(), piece.parents.copy()))
    return np.concatenate([s for s, _ in parts]), np.concatenate([p for _, p in parts]), quiescent
