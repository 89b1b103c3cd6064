"""The results of compiled code in single states: computed one by one, so that counts and findings are those of one
state.

This is cheap (some ten microseconds) and packed: hundreds of states are examined to choose those that the interpreter
executes (`checker.validation.sample`), and only these are decoded.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from typing import Any

import numpy as np
from attrs import define, field
from numpy.typing import NDArray

from checker.backends.interpreter.interpreter import Raw
from checker.backends.native.kernel import NativeKernel
from checker.contract import NEVER, PARTS, States, nowhere, uncounted
from checker.frozen import frozen
from checker.language.definition import Definition
from checker.search.expansions import TooMany, expansions
from checker.validation.answers import Answer, Shown, named

Features = Sequence[Sequence[Hashable]]

ROOM = 1 << 10
MOST_SUCCESSORS = 1 << 16
"""A state with more successors is not examined: the interpreter would take seconds for it."""


@frozen(eq=False)
class Look:
    """The kernel's output for one state: successors (n, words); counters, first as of `checker.contract.Source`; here:
    the findings in the state itself (F,).
    """

    row: NDArray[np.uint64]
    successors: States
    counters: NDArray[np.int64]
    shows: NDArray[np.bool_]
    here: NDArray[np.bool_]
    quiescent: bool

    def same(self, other: Look) -> bool:
        """Whether other code has the same output."""
        seen = ("quiescent", "successors", "counters", "shows", "here")
        return all(np.array_equal(getattr(self, name), getattr(other, name)) for name in seen)

    @property
    def steps(self) -> int:
        """Steps out of the state, including those that fail or are pruned."""
        return int(self.counters[-3])


@define(eq=False)
class Probe:
    """Examines states with one kernel, and decodes its output as an answer in raw values."""

    definition: Definition
    kernel: NativeKernel
    _full: list[int] = field(init=False)
    _masks: NDArray[np.uint64] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._full = [number for number, f in enumerate(self.kernel.findings) if f.kind == "grow"]
        masks = [self.kernel.mask([v.name]) for v in self.definition.variables]
        self._masks = np.array(masks, np.uint64).reshape(-1, self.kernel.words)

    def look(self, row: NDArray[np.uint64]) -> Look | None:
        """The output of compiled code for one state (words,); None if the state has too many successors, or a network
        is too small for one.
        """
        kernel, block = self.kernel, np.ascontiguousarray(row, dtype=np.uint64).reshape(1, -1)
        findings, counters, first = len(kernel.findings), uncounted(kernel), nowhere(kernel)
        here, quiescent = np.full(findings + 1, NEVER, np.int64), np.zeros(1, np.uint8)
        try:
            (whole,) = expansions(kernel, block, first, counters, quiescent, capacity=ROOM, most=MOST_SUCCESSORS)
        except TooMany:
            return None
        if any(first[number] != NEVER for number in self._full):
            return None
        kernel.check(block, here)
        shows = first[: PARTS * findings] != NEVER, here[:findings] != NEVER
        return Look(block[0], whole.successors.copy(), counters, *shows, bool(quiescent[0]))

    def enabling(self, rows: States, actions: Collection[int]) -> list[tuple[int, int, Look]]:
        """Those of the actions that some states enable; each with the place of the first such state, and its output."""
        block, counters = np.ascontiguousarray(rows, dtype=np.uint64), uncounted(self.kernel)
        try:
            for _ in expansions(self.kernel, block, counters=counters, capacity=ROOM, most=MOST_SUCCESSORS):
                pass
        except TooMany:
            counters[: len(self.kernel.actions)] = 1  # what comes after is not known: each state is looked at
        missing, found = {action for action in actions if counters[action]}, list[tuple[int, int, Look]]()
        for place, row in enumerate(block):
            look = self.look(row) if missing else None
            if look is not None:
                here = [action for action in missing if look.counters[action]]
                found += ((action, place, look) for action in here)
                missing.difference_update(here)
        return found

    def state(self, row: NDArray[np.uint64]) -> Raw:
        """A packed state in raw values."""
        values = self.kernel.decode(row)
        return tuple(values[v.name] for v in self.definition.variables)

    def answer(self, look: Look, state: Raw) -> Answer:
        """The output in the form in which answers are compared.  state: the examined state, in raw values."""
        actions = len(self.kernel.actions)
        fired = dict(zip(self.kernel.actions, look.counters[actions : 2 * actions].tolist()))
        after = tuple(self._successor(row, look.row, state) for row in look.successors)
        parts = np.split(look.shows, PARTS)
        counts = tuple((a.name, fired.get(a.name, 0)) for a in self.definition.actions)
        return Answer(after, counts, look.quiescent, int(look.counters[-1]), *map(self._named, (*parts, look.here)))

    def _successor(self, row: NDArray[np.uint64], before: NDArray[np.uint64], state: Raw) -> Raw:
        """A successor in raw values; unchanged bits mean an unchanged value."""
        changed = np.any((row ^ before) & self._masks, axis=1)
        values = self.kernel.decode(row, [v.name for v, new in zip(self.definition.variables, changed) if new])
        return tuple(values.get(v.name, raw) for v, raw in zip(self.definition.variables, state))

    def _named(self, shows: NDArray[np.bool_]) -> Shown:
        return frozenset(named(f.kind, f.name, f.line) for f, shown in zip(self.kernel.findings, shows) if shown)

    # -- what tells states apart, for the choice of a sample: for each state the numbers of what it has

    def marks(self, looks: Sequence[Look]) -> Features:
        """The features of a state: which actions are enabled and which properties true."""
        actions = len(self.kernel.actions)
        fired = np.array([look.counters[actions : 2 * actions] for look in looks])
        here, shows = np.array([look.here for look in looks]), np.array([look.shows for look in looks])
        rest = np.array([[look.quiescent, not look.quiescent, look.counters[-1] > 0] for look in looks])
        has = np.concatenate([fired > 0, fired == 0, fired > 1, here, ~here, shows, rest], axis=1)
        _, together = np.unique(fired > 0, axis=0, return_inverse=True)
        return [(*np.flatnonzero(row).tolist(), -1 - int(number)) for row, number in zip(has, together.reshape(-1))]

    def changes(self, looks: Sequence[Look]) -> Features:
        """The sets of variables that the steps out of states change; they distinguish branches of actions, as far as
        states show them.
        """
        sources = np.repeat(np.arange(len(looks)), [len(look.successors) for look in looks])
        different = np.concatenate([look.successors ^ look.row for look in looks])
        changed = np.stack([np.any(different & mask, axis=1) for mask in self._masks], axis=1)
        found: list[dict[int, None]] = [{} for _ in looks]
        for source, number in zip(sources.tolist(), _numbered(np.packbits(changed, axis=1)).tolist()):
            found[source][number] = None
        return [list(numbers) for numbers in found]

    def values(self, looks: Sequence[Look]) -> Features:
        """The values of the variables of states."""
        rows = np.array([look.row for look in looks])
        columns = np.column_stack([_numbered(np.ascontiguousarray(rows & mask)) for mask in self._masks])
        return [list(enumerate(row)) for row in columns.tolist()]


def _numbered(rows: NDArray[Any]) -> NDArray[np.int64]:
    """The number of each row among the different ones."""
    keys = rows.view(np.dtype((np.void, rows.itemsize * rows.shape[1]))).reshape(-1)
    return np.asarray(np.unique(keys, return_inverse=True)[1].reshape(-1), np.int64)
