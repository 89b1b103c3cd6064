"""A model as a graph whose edges are labelled with events only: explored by compiled code
(checker.analysis.compare.events), or by the interpreter.

A step with several events is a path through nodes between states.  A protocol that emits two events in two steps and
one that emits them in one step are therefore not distinguished.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
from attrs import define as mutable
from attrs import evolve, field, frozen
from numpy.typing import NDArray

from checker.analysis.compare.events import Kinds, recorder, word_of
from checker.analysis.compare.side import Side
from checker.analysis.compare.steps_native import BLOCK, Allowance, as_bytes, successors
from checker.analysis.latency.measures import instrumented
from checker.backends.interpreter.interpreter import Interpreter, Raw
from checker.backends.native.kernel import NativeKernel
from checker.contract import States
from checker.engines.growing import with_room
from checker.engines.native import compiled, state_of
from checker.engines.request import Request
from checker.language.define import define
from checker.language.definition import Definition
from checker.results.comparison import Word
from checker.results.validated import Validation
from checker.search.blocks import blocks
from checker.validation.sample import Reached
from checker.validation.validation import Validator, first_starts

Numbers = NDArray[np.int64]
# odd, so that each word matters
MIXERS = np.array([1, *(pow(0x9E3779B97F4A7C15, i, 1 << 64) | 1 for i in range(1, 32))], np.uint64)


@frozen(eq=False)
class Rows:
    """Numbers of many rows, one after the other: those of row i are values[offsets[i]:offsets[i + 1]]."""

    offsets: Numbers
    values: Numbers

    @classmethod
    def of(cls, rows: Numbers, values: Numbers, count: int) -> Rows:
        """Pairs (row, value) in any order."""
        order = np.argsort(rows, kind="stable")
        return cls(np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=count))]), values[order])

    def of_all(self, rows: Numbers) -> Numbers:
        """The values of all these rows."""
        starts, counts = self.offsets[rows], self.offsets[rows + 1] - self.offsets[rows]
        ends = np.cumsum(counts)
        return self.values[np.repeat(starts - ends + counts, counts) + np.arange(ends[-1] if len(ends) else 0)]


@frozen(eq=False)
class EventGraph:
    """States are 0..states - 1, of which the first `initial` are initial states; further nodes are inside steps.

    edges: of each state, (target, number of a word) by rows of `words`; silent and loud: by node, edges without and
    with one event.  ends: the states at which the run may be over.
    """

    states: int
    initial: int
    ends: NDArray[np.bool_]
    words: tuple[Word, ...]
    steps: Rows  # places in the two arrays below
    targets: Numbers
    labels: Numbers
    silent: Rows
    loud: Rows  # targets * events + event
    events: tuple[str, ...]
    raw: Callable[[int], Raw]
    validation: Validation | None = None


@mutable(eq=False)
class Building:
    """States and steps as they are found."""

    initial: int = 0
    sources: list[Numbers] = field(factory=list)
    targets: list[Numbers] = field(factory=list)
    labels: list[Numbers] = field(factory=list)
    words: dict[Word, int] = field(factory=dict)
    ends: list[NDArray[np.bool_]] = field(factory=list)

    def label(self, word: Word) -> int:
        """The number of the events of a step."""
        return self.words.setdefault(word, len(self.words))

    def add(self, sources: Any, targets: Any, labels: Any) -> None:
        """Steps."""
        for part, values in zip((self.sources, self.targets, self.labels), (sources, targets, labels)):
            part.append(np.asarray(values, np.int64))

    def graph(self, events: dict[str, int], raw: Callable[[int], Raw]) -> EventGraph:
        """The graph, with events numbered as in `events`, which grows."""
        ends = np.concatenate(self.ends)
        count, words = len(ends), tuple(self.words)
        none = [np.zeros(0, np.int64)]
        sources, targets, labels = (np.concatenate(x or none) for x in (self.sources, self.targets, self.labels))
        sources, targets, labels = distinct_steps(sources, targets, labels, count, len(words))
        lengths = np.array([len(w) for w in words], np.int64)
        quiet = lengths[labels] == 0 if len(words) else np.zeros(0, np.bool_)
        inside: dict[tuple[Word, int], int] = {}  # what is left of a step, and where it leads -> node
        loud: list[tuple[int, int, int]] = []
        for source, target, label in zip(sources[~quiet].tolist(), targets[~quiet].tolist(), labels[~quiet].tolist()):
            word = words[label]
            while word:
                rest = word[1:]
                known = not rest or (rest, target) in inside
                node = target if not rest else inside.setdefault((rest, target), count + len(inside))
                loud.append((source, node, events.setdefault(word[0], len(events))))
                if known:
                    break
                source, word = node, rest
        nodes = count + len(inside)
        moves = np.array(loud, np.int64).reshape(-1, 3)
        return EventGraph(
            states=count,
            initial=self.initial,
            ends=np.concatenate([ends, np.zeros(len(inside), np.bool_)]),
            words=words,
            steps=Rows.of(sources, np.arange(len(sources)), count),
            targets=targets,
            labels=labels,
            silent=Rows.of(sources[quiet], targets[quiet], nodes),
            loud=Rows.of(moves[:, 0], moves[:, 1] << 32 | moves[:, 2], nodes),
            events=tuple(events),
            raw=raw,
        )


def interpreted_graph(
    definition: Definition, kinds: Mapping[str, Kinds], events: dict[str, int], deadline: float
) -> EventGraph | int:
    """Explored by the interpreter; the number of states found if the time is over first."""
    interpreter, building = Interpreter(definition), Building()
    numbers = {raw: i for i, raw in enumerate(r for r in interpreter.initial() if interpreter.kept(r))}
    building.initial = len(numbers)
    states, ends = list(numbers), []
    for number, state in enumerate(states):
        if time.monotonic() > deadline:
            return len(states)
        end = True
        for step in interpreter.steps(state):
            end &= not step.progress
            if step.after is None or not interpreter.kept(step.after):
                continue
            if step.after not in numbers:
                numbers[step.after] = len(states)
                states.append(step.after)
            building.add([number], [numbers[step.after]], [building.label(word_of(step.events, kinds))])
        ends.append(end)
    building.ends.append(np.array(ends, np.bool_))
    return building.graph(events, states.__getitem__)


def native_graph(
    side: Side, kinds: Mapping[str, Kinds], events: dict[str, int], allowance: Allowance
) -> EventGraph | int:
    """The graph explored by compiled code within the time; the number of states found if the time is over first, 0 if a
    step emits more events than are recorded.
    """
    recording, texts = recorder(kinds)
    recorded = define(instrumented(side.cls, recording), side.constants, [recording.__name__])
    explored = _explored(recorded, texts, allowance)
    if explored.overflow or not explored.complete:
        return 0 if explored.overflow else len(explored.states)
    plain, states = side.definition, explored.states
    validator = Validator(recorded, explored.kernel, sum(map(len, explored.building.sources)))
    validation = validator.run(Reached.among(states), *first_starts(explored.kernel))
    with allowance.running():
        graph = explored.building.graph(events, lambda number: state_of(plain, explored.kernel, states[number]))
        return evolve(graph, validation=validation)


def _explored(definition: Definition, texts: Callable[[int], str], allowance: Allowance) -> _NativeExploration:
    """All states of a recording copy; starts again with more room where a network turns out too small."""

    def attempt(room: Mapping[str, int]) -> _NativeExploration:
        # quickly, since the numbering of states takes longer than their steps
        kernel = compiled(Request(definition), room, quick=True)
        found = _NativeExploration(kernel, texts)
        with allowance.running() as deadline:
            found.run(deadline)
        return found

    return with_room(attempt)


@mutable(eq=False)
class _NativeExploration:
    kernel: NativeKernel
    texts: Callable[[int], str]
    complete: bool = False
    overflow: bool = False  # a step tells more than is recorded
    building: Building = field(factory=Building)
    _known: dict[bytes, int] = field(factory=dict)
    _words: dict[bytes, int] = field(factory=dict)

    @property
    def states(self) -> States:
        """The states (n, words) in the order in which they were found."""
        return np.frombuffer(b"".join(self._known), np.uint64).reshape(-1, self.kernel.words)

    def run(self, deadline: float) -> None:
        """Explore."""
        mask = self.kernel.mask(["Events.last", "Events.full"])
        frontier, _ = self._numbered(self.kernel.initial() & ~mask)
        self.building.initial = len(frontier)
        while len(frontier):
            following = []
            for block in blocks(frontier, BLOCK):
                if time.monotonic() > deadline:
                    return
                first = self._known[block[0].tobytes()]
                found, parents, quiescent = successors(self.kernel, block)
                labels = self._labels(found & mask)
                if labels is None:
                    self.overflow = True
                    return
                new, targets = self._numbered(found & ~mask)
                following.append(new)
                self.building.add(first + parents.astype(np.int64), targets, labels)
                self.building.ends.append(quiescent.astype(np.bool_))
            frontier = np.concatenate(following)
        self.complete = True

    def _numbered(self, states: States) -> tuple[States, Numbers]:
        """Which rows are new, and the numbers of all."""
        distinct, places = distinct_rows(states)
        before = len(self._known)
        known = self._known
        numbers = np.array([known.setdefault(row, len(known)) for row in as_bytes(distinct)], np.int64)
        new = np.flatnonzero(numbers >= before)
        return distinct[new], numbers[places]

    def _labels(self, rows: States) -> Numbers | None:
        distinct, places = distinct_rows(rows)
        numbers = []
        for row in distinct:
            if row.tobytes() not in self._words:
                values = self.kernel.decode(row)
                if values["Events.full"]:
                    return None
                self._words[row.tobytes()] = self.building.label(tuple(map(self.texts, values["Events.last"])))
            numbers.append(self._words[row.tobytes()])
        return np.array(numbers, np.int64)[places]


def distinct_rows(rows: States) -> tuple[States, Numbers]:
    """Rows (n, words) without repetition, and the place of each among them."""
    keys = np.zeros(len(rows), np.uint64)
    if rows.shape[1] <= len(MIXERS):
        keys = (rows * MIXERS[: rows.shape[1]]).sum(axis=1, dtype=np.uint64)
    order = np.argsort(keys)
    sorted_rows = rows[order]
    new = np.ones(len(rows), np.bool_)
    new[1:] = keys[order[1:]] != keys[order[:-1]]
    if (sorted_rows[1:] != sorted_rows[:-1])[~new[1:]].any():  # rows that differ have one key: sort the rows themselves
        order = np.lexsort(rows.T)
        sorted_rows = rows[order]
        new[1:] = (sorted_rows[1:] != sorted_rows[:-1]).any(axis=1)
    places = np.empty(len(rows), np.int64)
    places[order] = np.cumsum(new) - 1
    return sorted_rows[new], places


def distinct_steps(
    sources: Numbers, targets: Numbers, labels: Numbers, states: int, words: int
) -> tuple[Numbers, Numbers, Numbers]:
    """Steps in order and each once, where they can be numbered; otherwise unchanged, which has the same meaning."""
    if states * states * words >= 1 << 62:
        return sources, targets, labels
    keys = np.sort((sources * states + targets) * words + labels)
    keys = keys[np.concatenate([[True], keys[1:] != keys[:-1]])] if len(keys) else keys
    return keys // words // states, keys // words % states, keys % words


def shortest_run(graph: EventGraph, word: Word, to_the_end: bool) -> Iterator[tuple[int, Word]]:
    """A run of fewest steps whose events begin with `word` (`to_the_end`: whose events are `word`, and which may be
    over then): each state with the events of the step to it.
    """
    start: list[tuple[int, int]] = [(s, 0) for s in range(graph.initial)]
    came: dict[tuple[int, int], tuple[tuple[int, int], Word] | None] = dict.fromkeys(start)
    for node in (queue := list(start)):
        state, done = node
        if done == len(word) and (not to_the_end or graph.ends[state]):
            path: list[tuple[int, Word]] = []
            while (before := came[node]) is not None:
                path.append((node[0], before[1]))
                node = before[0]
            yield node[0], ()
            yield from reversed(path)
            return
        for edge in graph.steps.of_all(np.array([state])).tolist():
            events = graph.words[graph.labels[edge]]
            beyond = to_the_end and done + len(events) > len(word)
            if beyond or events[: len(word) - done] != word[done : done + len(events)]:
                continue
            following = (int(graph.targets[edge]), min(done + len(events), len(word)))
            if following not in came:
                came[following] = (node, events)
                queue.append(following)
