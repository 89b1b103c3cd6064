"""Shortest paths to findings, rebuilt from the states of each level alone.

The path that the sequential search would report is the least, in the order of initial states and then of successors,
among the shortest paths to where the finding shows. Going back from there, level by level, the states that have a
successor in the set in hand are found by expanding the stored level again; going forward, the first initial state in
the first set and then at each step the first successor in the next one make the path. By induction this is the chain of
first parents: the least state of a set is the first successor, in that set, of the least state of the set before.

Cost: at most one more expansion of the levels before the finding, for all findings together. Nothing depends on how the
levels are cut into blocks. Stops being true: sets of one level that lead to a finding must fit into memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Protocol

import numpy as np
from attrs import define, field, frozen
from numpy.typing import NDArray

from checker.contract import CUT, NEVER, QUIET, STEPS, Source, States, nowhere
from checker.search.blocks import blocks
from checker.search.expansions import expansions, successors_of
from checker.search.numbering import Numbering, numbering

BLOCK = 1 << 14
_FEW = 64
Numbers = frozenset[int]


class NotShown(Exception):
    """A finding does not occur at its reported level."""


class Piece(Protocol):
    """Some states of a level that can be sent to another process."""

    def read(self) -> States:
        """The states, (rows, words)."""


@frozen(eq=False)
class Held:
    """A piece in memory."""

    states: States

    def read(self) -> States:
        """The states."""
        return self.states


@frozen
class Trail:
    """The path to the first occurrence of a finding.

    states    (k, words) from an initial state on. ordinals: which initial state, then which successor at each step.
    beyond    the finding shows on a step out of the last state; cut: in a successor that a constraint excludes.
    """

    number: int
    steps: int
    states: States
    ordinals: tuple[int, ...]
    beyond: bool = False
    cut: bool = False

    at_rest: bool = False  # it shows when the last state is expanded, and is no step

    @property
    def rank(self) -> tuple[int, int, tuple[int, ...], bool, int]:
        """Sorts trails as the sequential search sorts its findings: by steps, then by the state it was expanding."""
        anchor = self.ordinals if self.at_rest or self.steps == 0 else self.ordinals[: self.steps]
        return self.steps, len(anchor), anchor, self.beyond, self.number


@frozen
class Request:
    """What to look for in a piece: rows with findings (in the state, over a step out of it, or because it is
    quiescent), and rows with a successor in a set.
    """

    piece: Piece
    checked: Numbers = frozenset()
    expanded: Numbers = frozenset()
    resting: Numbers = frozenset()
    targets: Mapping[int, Sequence[Piece]] = field(factory=dict)


Found = dict[tuple[str, int], States]
"""(kind of question: "checked", "expanded", "resting" or "leading", finding) -> the states of the piece for which it is
true.
"""

Run = Callable[[Sequence[Request]], Iterable[Found]]


def trails(
    source: Source,
    levels: Callable[[int], Sequence[Piece]],
    depth: int,
    wanted: Mapping[int, int],
    run: Run | None = None,
) -> list[Trail]:
    """The trail of each wanted finding, number -> steps, in the order in which the sequential search lists them.

    levels(i) gives the states at i steps, for 0 <= i < depth. `run` answers requests, perhaps in other processes.
    """
    search = _Rebuild(source, levels, depth, run or (lambda requests: [answer(source, r) for r in requests]))
    return sorted((search.trails(wanted)), key=lambda trail: trail.rank)


def shortest_runs(
    source: Source, levels: Callable[[int], Sequence[Piece]], level: int, ends: States, run: Run | None = None
) -> list[States]:
    """The path that the sequential search would report to each of some states of a level, (k, words) each."""
    search = _Rebuild(source, levels, level + 1, run or (lambda requests: [answer(source, r) for r in requests]))
    sets = search.backward({n: {level: state.reshape(1, -1)} for n, state in enumerate(ends)})
    return [search.forward(sets[n])[0] for n in range(len(ends))]


def shortest_run(
    source: Source, levels: Callable[[int], Sequence[Piece]], level: int, ends: States, run: Run | None = None
) -> States:
    """The path (k, words) that the sequential search would report to the one of some states of a level that it finds
    first.
    """
    search = _Rebuild(source, levels, level + 1, run or (lambda requests: [answer(source, r) for r in requests]))
    return search.forward(search.backward({0: {level: ends}})[0])[0]


@define
class _Rebuild:
    source: Source
    levels: Callable[[int], Sequence[Piece]]
    depth: int
    run: Run

    def trails(self, wanted: Mapping[int, int]) -> list[Trail]:
        ends: dict[int, dict[int, States]] = {}
        shown: dict[int, States] = {}
        resting: set[int] = set()
        for level in sorted(set(wanted.values())):
            here = {n for n, steps in wanted.items() if steps == level}
            moving = {n for n in here if self.source.findings[n].kind != "quiescence"}
            for n, states in self._ask(level, "checked", moving).items():
                ends.setdefault(n, {})[level] = states
            for n, states in self._ask(level - 1, "expanded", moving).items():
                shown[n] = states
                ends.setdefault(n, {})[level - 1] = states
            # a state that is expanded comes after all that its level was reached by; initial states are in order
            for n, states in self._ask(level, "resting", here - set(ends) if level else here).items():
                resting.add(n)
                known = ends.setdefault(n, {}).get(level)
                ends[n][level] = states if known is None else np.concatenate([known, states])
        if set(ends) < set(wanted):
            raise NotShown(min(set(wanted) - set(ends)))
        sets = self.backward(ends)
        return [self._trail(n, steps, sets[n], shown.get(n), n in resting) for n, steps in wanted.items()]

    def _ask(self, level: int, what: str, numbers: set[int]) -> dict[int, States]:
        if not numbers or not 0 <= level < self.depth:
            return {}
        asked: dict[str, Any] = {what: frozenset(numbers)}
        return self._gather(self.run([Request(piece, **asked) for piece in self.levels(level)]), what)

    def _gather(self, answers: Iterable[Found], what: str) -> dict[int, States]:
        parts: dict[int, list[States]] = {}
        for found in answers:
            for (kind, n), states in found.items():
                if kind == what and len(states):
                    parts.setdefault(n, []).append(states)
        return {n: np.concatenate(some) for n, some in parts.items()}

    def backward(self, ends: Mapping[int, Mapping[int, States]]) -> dict[int, dict[int, States]]:
        """For each finding and level the states from which its ends are reached in the fewest steps."""
        sets: dict[int, dict[int, States]] = {n: dict(by_level) for n, by_level in ends.items()}
        top = max((level for by_level in sets.values() for level in by_level), default=0)
        for level in range(top - 1, -1, -1):
            targets = {n: [Held(s[level + 1])] for n, s in sets.items() if level + 1 in s}
            leading = self._gather(self.run([Request(p, targets=targets) for p in self.levels(level)]), "leading")
            for n, states in leading.items():
                ended = sets[n].get(level)
                sets[n][level] = states if ended is None else np.concatenate([states, ended])
        return sets

    def forward(self, sets: Mapping[int, States]) -> tuple[States, tuple[int, ...]]:
        """The least path through the sets of levels 0, 1, ...; it ends where no successor is in the next set."""
        initial = self.source.initial()
        starts = Members(sets[0]).contains(initial) if 0 in sets else np.zeros(1, dtype=np.bool_)
        if not starts.any():
            raise NotShown("no initial state leads to it")
        place = int(np.argmax(starts))
        path, ordinals = [initial[place]], [place]
        while len(path) in sets:
            successors = successors_of(self.source, path[-1])
            inside = Members(sets[len(path)]).contains(successors)
            if not inside.any():
                break
            place = int(np.argmax(inside))
            path.append(successors[place])
            ordinals.append(place)
        return np.stack(path), tuple(ordinals)

    def _trail(self, n: int, steps: int, sets: Mapping[int, States], shown: States | None, resting: bool) -> Trail:
        path, ordinals = self.forward(sets)
        if not steps <= len(path) <= steps + 1:
            raise NotShown(n)
        beyond = len(path) == steps
        cut = False
        if beyond:
            if shown is None:
                raise NotShown(n)
            first = nowhere(self.source)
            _expand_into(self.source, path[-1:], first)
            cut = first[n] == NEVER
        return Trail(n, steps, path, ordinals, beyond, cut, resting)


# ---- in a process that has a piece


def answer(source: Source, request: Request) -> Found:
    """Answer a request, block by block."""
    targets = {n: Members(np.concatenate([p.read() for p in pieces])) for n, pieces in request.targets.items()}
    parts: dict[tuple[str, int], list[States]] = {}
    states = request.piece.read()
    for block in blocks(states, BLOCK):
        shown = {
            "checked": _showing(source, block, request.checked, source.check, (STEPS,)),
            "expanded": _showing(source, block, request.expanded, partial(_expand_into, source), (STEPS, CUT)),
            "resting": _showing(source, block, request.resting, partial(_expand_into, source), (QUIET,)),
            "leading": _leading(source, block, targets) if targets else {},
        }
        for what, found in shown.items():
            for n, rows in found.items():
                parts.setdefault((what, n), []).append(block[rows])
    return {key: np.concatenate(some) for key, some in parts.items()}


def _expand_into(source: Source, block: States, first: NDArray[np.int64]) -> None:
    for _ in expansions(source, block, first):
        pass


Look = Callable[[States, NDArray[np.int64]], None]


def _showing(
    source: Source, block: States, numbers: Numbers, look: Look, parts: tuple[int, ...]
) -> dict[int, NDArray[np.intp]]:
    """All rows with findings in parts of `first`. A source reports only the first row, so a piece with a finding is
    examined in smaller pieces.
    """
    rows: dict[int, list[int]] = {n: [] for n in numbers}
    waiting = [(0, len(block))] if numbers else []
    while waiting:
        start, stop = waiting.pop()
        first = nowhere(source)
        look(block[start:stop], first)
        shown = [n for n in numbers if min(first[n + part * len(source.findings)] for part in parts) != NEVER]
        if stop - start == 1:
            for n in shown:
                rows[n].append(start)
        elif shown:
            size = _FEW if stop - start > _FEW else 1
            waiting += [(at, min(at + size, stop)) for at in range(start, stop, size)]
    return {n: np.array(sorted(some), dtype=np.intp) for n, some in rows.items() if some}


def _leading(source: Source, block: States, targets: Mapping[int, Members]) -> dict[int, NDArray[np.intp]]:
    """For each set the rows that have a successor in it."""
    marks = {n: np.zeros(len(block), dtype=np.bool_) for n in targets}
    for piece in expansions(source, block):
        for n, members in targets.items():
            marks[n][piece.parents[members.contains(piece.successors)]] = True
    return {n: np.flatnonzero(some) for n, some in marks.items() if some.any()}


@define
class Members:
    """A set of states, (n, words), that answers for blocks. Hashes only choose where to look; states are compared."""

    states: States
    _numbering: Numbering = field(init=False)
    _marks: NDArray[np.bool_] = field(init=False)
    _shift: np.uint64 = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._numbering = numbering(self.states)
        bits = max(10, min(27, len(self.states).bit_length() + 3))
        self._shift = np.uint64(64 - bits)
        self._marks = np.zeros(1 << bits, dtype=np.bool_)
        self._marks[_hash(self.states) >> self._shift] = True

    def contains(self, states: States) -> NDArray[np.bool_]:
        """Which rows are members, (n,)."""
        return self.find(states) >= 0

    def find(self, states: States) -> NDArray[np.int64]:
        """Which member each row is, (n,): its place among the states of the set, -1 if it is none."""
        rows = np.flatnonzero(self._marks[_hash(states) >> self._shift])
        found = np.full(len(states), -1, np.int64)
        found[rows] = self._numbering.find(states[rows])
        return found


def _hash(states: States) -> NDArray[np.uint64]:
    key = np.full(len(states), 0x2545F4914F6CDD1D, dtype=np.uint64)
    for word in range(states.shape[1]):
        key = (key ^ states[:, word]) * np.uint64(0x9E3779B97F4A7C15)
        key ^= key >> np.uint64(32)
    return key * np.uint64(0xD6E8FEB86659FD93)
