"""Questions about all states of a search, answered where the states are: in memory, in files, or in tasks on Spark.

A search leaves its states in pieces.  A question is a lowered model, which is compiled where a piece is: its properties
are evaluated in each state or over each step, or the steps of its actions are counted.  Answers about pieces are
combined: the least level, a sum, whether bits are the same in all.  Nothing is searched again, and no process needs
room for more than one piece.

Where it stops: a question about the order of discovery needs the states of a search in this process (`Packed`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any, Protocol

import numpy as np
from attrs import field, frozen
from numpy.typing import NDArray

from checker.backends.native.kernel import FEW_STATES, NativeKernel, compile_model
from checker.contract import NEVER, States, nowhere, uncounted
from checker.ir.model import Model
from checker.search.blocks import blocks
from checker.search.expansions import expansions
from checker.search.result import SearchResult
from checker.search.runs import Keys, distinct, keys_of, states_of
from checker.search.trails import Members, Piece, Run, shortest_run

CHUNK, STEPS_AT_ONCE = 1 << 16, 1 << 14
"""States of a piece in memory, and states that are processed at once; steps for which a buffer has room at first."""


class Question(Protocol):
    """A question about the states of each piece, in a form that can be sent to other processes."""

    def answering(self) -> Callable[[States], Any]:
        """A function that answers for some states, with its code compiled."""


@frozen
class Shown:
    """Which properties of the model occur: in a state, or over a step if the model has actions.  The answer: their
    names.  kind: of the properties; quick: as in `compile_model`.
    """

    model: Model
    kind: str
    quick: bool

    def answering(self) -> Callable[[States], frozenset[str]]:
        """A function that answers for some states."""
        kernel = compile_model(self.model, quick=self.quick)
        names = {i: f.name for i, f in enumerate(kernel.findings) if f.kind == self.kind}

        def answer(states: States) -> frozenset[str]:
            first = nowhere(kernel)
            for block in blocks(states, CHUNK):
                if kernel.actions:
                    for _ in expansions(kernel, block, first, capacity=CHUNK):
                        pass
                else:
                    kernel.check(block, first)
            return frozenset(name for i, name in names.items() if first[i] < NEVER)

        return answer


@frozen
class Counted:
    """How many steps each action of the model has out of the states.  quick: as of `compile_model`."""

    model: Model
    quick: bool

    def answering(self) -> Callable[[States], tuple[int, ...]]:
        """A function that answers for some states."""
        kernel = compile_model(self.model, quick=self.quick)
        actions = len(kernel.actions)

        def answer(states: States) -> tuple[int, ...]:
            counters = uncounted(kernel)
            for block in blocks(states, CHUNK):
                for _ in expansions(kernel, block, counters=counters, capacity=STEPS_AT_ONCE):
                    pass
            return tuple(counters[actions : 2 * actions].tolist())

        return answer


@frozen
class Alike:
    """The bits under a mask (words,).  The answer: these bits if all states of a piece have the same, else None."""

    mask: tuple[int, ...]

    def answering(self) -> Callable[[States], tuple[int, ...] | None]:
        """A function that answers for some states."""
        return self._answer

    def _answer(self, states: States) -> tuple[int, ...] | None:
        mask = np.array(self.mask, np.uint64)
        words = np.flatnonzero(mask)
        for block in blocks(states, CHUNK):
            if np.any((block[:, words] ^ states[0, words]) & mask[words]):
                return None
        return tuple((states[0, words] & mask[words]).tolist())


@frozen
class Masked:
    """The different values of the bits under a mask (words,).  The answer: rows (n, words), in the order of keys."""

    mask: tuple[int, ...]

    def answering(self) -> Callable[[States], States]:
        """A function that answers for some states."""
        return self._answer

    def _answer(self, states: States) -> States:
        mask = np.array(self.mask, np.uint64)
        return different((block & mask for block in blocks(states, CHUNK)), len(mask))


@frozen(eq=False)
class Having:
    """The states whose bits under a mask (words,) are one of some rows (n, words).  The answer: these states, in their
    order.
    """

    mask: tuple[int, ...]
    rows: States

    def answering(self) -> Callable[[States], States]:
        """A function that answers for some states."""
        mask, members = np.array(self.mask, np.uint64), Members(self.rows)

        def answer(states: States) -> States:
            found = [block[members.contains(block & mask)] for block in blocks(states, CHUNK)]
            return np.concatenate([np.zeros((0, len(mask)), np.uint64), *found])

        return answer


def different(parts: Iterable[States], words: int) -> States:
    """The different rows of some arrays (n, words), in the order of keys."""
    known: Keys = keys_of(np.zeros((0, words), np.uint64))
    for part in parts:
        known = distinct(np.sort(np.concatenate([known, distinct(np.sort(keys_of(part)))])))
    return states_of(known, words)


Ask = Callable[[Question, Sequence[Piece]], Iterable[Any]]
"""Has a question answered for each piece, in order."""


def ask_here(question: Question, pieces: Sequence[Piece]) -> Iterator[Any]:
    """Answer in this process, each piece when its answer is needed."""
    answer = question.answering()
    return (answer(piece.read()) for piece in pieces)


def ask_some(given: tuple[Question, Sequence[Sequence[Piece]]], number: int) -> list[Any]:
    """The answers for one of several lists of pieces, as in a task."""
    question, lists = given
    return list(ask_here(question, lists[number]))


@frozen(eq=False)
class Survey:
    """All states of a search, in non-empty pieces.  levels, quiescent: pieces of each level, and of its quiescent
    states; expanded: pieces of expanded states; sizes: the number of states of each level; taken: the steps of each
    action; run: answers the requests of rebuilding paths (default: this process); found: the run by which the search
    found a state of a level, if it keeps that.
    """

    kernel: NativeKernel
    levels: tuple[tuple[Piece, ...], ...]
    quiescent: tuple[tuple[Piece, ...], ...]
    expanded: tuple[Piece, ...]
    sizes: tuple[int, ...]
    taken: tuple[int, ...]
    ask: Ask = field(default=ask_here, kw_only=True)
    run: Run | None = field(default=None, kw_only=True)
    found: Callable[[int, NDArray[np.uint64]], States] | None = field(default=None, kw_only=True)

    @property
    def distinct(self) -> int:
        """The number of states."""
        return sum(self.sizes)

    def first_levels(self, model: Model, kind: str, names: Collection[str], rest: bool = False) -> dict[str, int]:
        """The first level with a state in which each property of these names and this kind occurs, or with a step over
        which it occurs; rest: only quiescent states.  A property that never occurs is left out.
        """
        places = [(n, p) for n, level in enumerate(self.quiescent if rest else self.levels) for p in level]
        answers = self.ask(Shown(model, kind, self._quick), [piece for _, piece in places])
        found: dict[str, int] = {}
        for (level, _), shown in zip(places, answers):
            found |= dict.fromkeys(shown - found.keys(), level)
            if found.keys() >= set(names):
                break
        return found

    def steps(self, model: Model) -> tuple[int, ...]:
        """How many steps each action of a model has out of the expanded states."""
        total = np.zeros(len(model.actions), np.int64)
        for counts in self.ask(Counted(model, self._quick), self.expanded):
            total += counts
        return tuple(total.tolist())

    def constant(self, names: Sequence[str]) -> bool:
        """Whether these variables have the same values in all states."""
        pieces = [piece for level in self.levels for piece in level]
        found = set[tuple[int, ...] | None]()
        for bits in self.ask(Alike(self._mask(names)), pieces):
            found.add(bits)
            if len(found) > 1 or None in found:
                return False
        return True

    def values(self, names: Sequence[str], rest: bool = False) -> tuple[States, NDArray[np.int64]]:
        """The different combinations of the values of these variables, rows (n, words) with all other bits 0, in the
        order of keys, and the first level of each.  rest: only those of quiescent states.
        """
        places = [(n, p) for n, level in enumerate(self.quiescent if rest else self.levels) for p in level]
        first: dict[bytes, int] = {}
        for (level, _), rows in zip(places, self.ask(Masked(self._mask(names)), [piece for _, piece in places])):
            for row in rows:
                first.setdefault(row.tobytes(), level)
        rows = np.frombuffer(b"".join(first), np.uint64).reshape(-1, self.kernel.words)
        order = np.argsort(keys_of(rows))
        return rows[order], np.array(list(first.values()), np.int64)[order]

    def run_to(self, names: Sequence[str], rows: States, level: int, rest: bool = False) -> States:
        """The run (k, words) that the sequential search reports to the first state of a level that has one of these
        combinations of values, as `values` gives them.  rest: to the first quiescent one.
        """
        places = (self.quiescent if rest else self.levels)[level]
        ends = np.concatenate(list(self.ask(Having(self._mask(names), rows), places)))
        if self.found is not None:
            return self.found(level, ends[0])
        return shortest_run(self.kernel, self.levels.__getitem__, level, ends, self.run)

    def _mask(self, names: Sequence[str]) -> tuple[int, ...]:
        return tuple(self.kernel.mask(names).tolist())

    @property
    def _quick(self) -> bool:
        return self.distinct <= FEW_STATES


# ---- the states of a search in this process


@frozen(eq=False)
class _Rows:
    """States of these numbers."""

    states: States
    numbers: slice | NDArray[np.int64]

    def read(self) -> States:
        """The states."""
        return self.states[self.numbers]


def survey_of(kernel: NativeKernel, result: SearchResult) -> Survey:
    """Of a search whose states are in memory."""
    states, starts, ends = result.states(), result.level_starts(), result.quiescent_indices
    places = np.searchsorted(ends, starts)
    levels = tuple(_pieces(states, start, end) for start, end in zip(starts, starts[1:]))
    quiescent = tuple(
        tuple(_Rows(states, ends[i : min(i + CHUNK, b)]) for i in range(a, b, CHUNK))
        for a, b in zip(places, places[1:])
    )
    expanded = _pieces(states, 0, result.coverage.expanded)

    def found(level: int, state: NDArray[np.uint64]) -> States:
        start, end = starts[level : level + 2]
        return result.path(int(start) + int(np.flatnonzero((states[start:end] == state).all(axis=1))[0]))

    taken = tuple(a.fired for a in result.actions)
    return Survey(kernel, levels, quiescent, expanded, result.levels, taken, found=found)


def _pieces(states: States, start: int, end: int) -> tuple[Piece, ...]:
    return tuple(_Rows(states, slice(i, min(i + CHUNK, end))) for i in range(start, end, CHUNK))
