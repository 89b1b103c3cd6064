"""The results of compiled code in single states: computed one by one, so that counts and findings are those of one
state.

This is cheap (some ten microseconds) and packed: hundreds of states are examined to choose those that the interpreter
executes (`checker.validation.sample`), and only these are decoded.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Sequence
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
AT_ONCE = 64
"""The number of successors that are decoded at once."""


@frozen(eq=False)
class Output:
    """The kernel's output for one state: successors (n, words); counters and shows: `counters` and `first` of
    `checker.contract.Source`; here: the findings in the state itself (F,).
    """

    row: NDArray[np.uint64]
    successors: States
    counters: NDArray[np.int64]
    shows: NDArray[np.bool_]
    here: NDArray[np.bool_]
    quiescent: bool

    def same(self, other: Output) -> bool:
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
    _words: list[NDArray[np.intp]] = field(init=False)
    _nowhere: NDArray[np.int64] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._full = [number for number, f in enumerate(self.kernel.findings) if f.kind == "grow"]
        masks = [self.kernel.mask([v.name]) for v in self.definition.variables]
        self._masks = np.array(masks, np.uint64).reshape(-1, self.kernel.words)
        self._words = [np.flatnonzero(mask) if mask.any() else np.zeros(1, np.intp) for mask in masks]
        self._nowhere = nowhere(self.kernel)

    def output(self, row: NDArray[np.uint64]) -> Output | None:
        """The output of compiled code for one state (words,); None if the state has too many successors, or a network
        is too small for one.
        """
        kernel, block = self.kernel, np.ascontiguousarray(row, dtype=np.uint64).reshape(1, -1)
        findings, counters, first = len(kernel.findings), uncounted(kernel), self._nowhere.copy()
        here, quiescent = self._nowhere[: findings + 1].copy(), np.zeros(1, np.uint8)
        try:
            (whole,) = expansions(kernel, block, first, counters, quiescent, capacity=ROOM, most=MOST_SUCCESSORS)
        except TooMany:
            return None
        if any(first[number] != NEVER for number in self._full):
            return None
        kernel.check(block, here)
        shows = first[: PARTS * findings] != NEVER, here[:findings] != NEVER
        return Output(block[0], whole.successors.copy(), counters, *shows, bool(quiescent[0]))

    def enabling(self, rows: States, actions: Collection[int]) -> list[tuple[int, int, Output]]:
        """Those of the actions that some states enable; each with the place of the first such state, and its output."""
        block, counters = np.ascontiguousarray(rows, dtype=np.uint64), uncounted(self.kernel)
        try:
            for _ in expansions(self.kernel, block, counters=counters, capacity=ROOM, most=MOST_SUCCESSORS):
                pass
        except TooMany:
            counters[: len(self.kernel.actions)] = 1  # no count of later states is known, so each state is examined
        missing, found = {action for action in actions if counters[action]}, list[tuple[int, int, Output]]()
        for place, row in enumerate(block):
            output = self.output(row) if missing else None
            if output is not None:
                here = [action for action in missing if output.counters[action]]
                found += ((action, place, output) for action in here)
                missing.difference_update(here)
        return found

    def state(self, row: NDArray[np.uint64]) -> Raw:
        """A packed state in raw values."""
        values = self.kernel.decode(row)
        return tuple(values[v.name] for v in self.definition.variables)

    def answer(self, output: Output, state: Raw) -> Answer:
        """The output in the form in which answers are compared.  state: the examined state, in raw values."""
        actions = len(self.kernel.actions)
        fired = dict(zip(self.kernel.actions, output.counters[actions : 2 * actions].tolist()))
        parts = output.shows.reshape(PARTS, len(self.kernel.findings))
        counts = tuple((a.name, fired.get(a.name, 0)) for a in self.definition.actions)
        return Answer(
            tuple(self._successors(output, state)),
            counts,
            output.quiescent,
            int(output.counters[-1]),
            *map(self._named, (*parts, output.here)),
        )

    def _successors(self, output: Output, state: Raw) -> Iterator[Raw]:
        """The successors in raw values; unchanged bits mean an unchanged value."""
        names = [v.name for v in self.definition.variables]
        for begin in range(0, len(output.successors), AT_ONCE):
            rows = output.successors[begin : begin + AT_ONCE]
            changed = np.any((rows ^ output.row)[:, None] & self._masks, axis=2)
            for row, new in zip(rows, changed):
                places = np.flatnonzero(new).tolist()
                values, after = self.kernel.decode(row, [names[place] for place in places]), list(state)
                for place in places:
                    after[place] = values[names[place]]
                yield tuple(after)

    def _named(self, shows: NDArray[np.bool_]) -> Shown:
        findings = (self.kernel.findings[number] for number in np.flatnonzero(shows))
        return frozenset(named(f.kind, f.name, f.line) for f in findings)

    # -- features that distinguish states, for the choice of a sample: for each state the numbers of its features

    def marks(self, outputs: Sequence[Output]) -> Features:
        """The features of a state: which actions are enabled and which properties true."""
        actions = len(self.kernel.actions)
        fired = np.array([output.counters[actions : 2 * actions] for output in outputs])
        here, shows = np.array([output.here for output in outputs]), np.array([output.shows for output in outputs])
        rest = np.array([[output.quiescent, not output.quiescent, output.counters[-1] > 0] for output in outputs])
        has = np.concatenate([fired > 0, fired == 0, fired > 1, here, ~here, shows, rest], axis=1)
        _, together = np.unique(fired > 0, axis=0, return_inverse=True)
        return [(*np.flatnonzero(row).tolist(), -1 - int(number)) for row, number in zip(has, together.reshape(-1))]

    def changes(self, outputs: Sequence[Output]) -> Features:
        """The sets of variables that the steps out of states change; they distinguish branches of actions, as far as
        states show them.
        """
        sources = np.repeat(np.arange(len(outputs)), [len(output.successors) for output in outputs])
        different = np.concatenate([output.successors ^ output.row for output in outputs])
        changed = np.stack([np.any(part, axis=1) for part in self._parts(different)], axis=1)
        found: list[dict[int, None]] = [{} for _ in outputs]
        for source, number in zip(sources.tolist(), _numbered(np.packbits(changed, axis=1)).tolist()):
            found[source][number] = None
        return [list(numbers) for numbers in found]

    def values(self, outputs: Sequence[Output]) -> Features:
        """The values of the variables of states."""
        rows = np.array([output.row for output in outputs])
        columns = np.column_stack([_numbered(np.ascontiguousarray(part)) for part in self._parts(rows)])
        return [list(enumerate(row)) for row in columns.tolist()]

    def _parts(self, rows: States) -> Iterator[States]:
        """The bits of each variable in some rows, in the words that have any."""
        return (rows[:, words] & mask[words] for mask, words in zip(self._masks, self._words))


def _numbered(rows: NDArray[Any]) -> NDArray[np.int64]:
    """For each row the number of its value among the distinct rows."""
    keys = rows.view(np.dtype((np.void, rows.itemsize * rows.shape[1]))).reshape(-1)
    return np.asarray(np.unique(keys, return_inverse=True)[1].reshape(-1), np.int64)
