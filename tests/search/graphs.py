"""Explicit graphs as sources of successors, and the plain breadth-first search that says what must be found.

A graph's nodes are 0..n-1; `encode` gives each a state of some words. Everything a source can show is listed by node,
so that the reference below can be read in a minute.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

import numpy as np
from attrs import define, field, frozen
from numpy.typing import NDArray

from checker.contract import CUT, PARTS, QUIET, Finding, States
from checker.search.result import SearchResult

INVARIANT, REACHABLE, STEP, QUIESCENCE, ERROR = range(5)
FINDINGS = (
    Finding("invariant", "good", 1),
    Finding("reachable", "goal", 2),
    Finding("step", "allowed", 3),
    Finding("quiescence", "terminated", 4),
    Finding("error", "overflow", 5),
)


@frozen
class Graph:
    """Edges (action, target) of each node in order, initial nodes, and where the findings show."""

    edges: Sequence[Sequence[tuple[int, int]]]
    initial: Sequence[int]
    actions: tuple[str, ...] = ("a", "b")
    bad: frozenset[int] = frozenset()
    goals: frozenset[int] = frozenset()
    bad_steps: frozenset[tuple[int, int]] = frozenset()
    bad_ends: frozenset[int] = frozenset()
    failing: frozenset[int] = frozenset()
    failing_checks: frozenset[int] = frozenset()
    failing_ends: frozenset[int] = frozenset()
    cut: frozenset[int] = frozenset()

    def shows(self, finding: int, node: int) -> bool:
        """Whether a state predicate's finding shows in a node."""
        return node in {INVARIANT: self.bad, REACHABLE: self.goals, ERROR: self.failing_checks}.get(finding, ())


_POINTER, _NUMBER = ctypes.c_void_p, ctypes.c_int64
_EXPAND = ctypes.CFUNCTYPE(
    _NUMBER, _POINTER, _NUMBER, _NUMBER, _POINTER, _POINTER, _NUMBER, _POINTER, _POINTER, _POINTER, _POINTER
)
_CHECK = ctypes.CFUNCTYPE(None, _POINTER, _NUMBER, _POINTER)


def _array(address: int | None, shape: tuple[int, ...], kind: type[Any]) -> NDArray[Any]:
    """The memory at an address as an array."""
    size = int(np.prod(shape)) * np.dtype(kind).itemsize
    if not size or address is None:
        return np.zeros(shape, kind)
    return np.frombuffer((ctypes.c_char * size).from_address(address), dtype=kind).reshape(shape)


@define(eq=False)
class GraphSource:
    """A graph behind the protocol of sources; node k is the state encoding[k] (distinct rows)."""

    graph: Graph
    encoding: States
    findings: tuple[Finding, ...] = FINDINGS
    calls: int = 0
    _nodes: dict[bytes, int] = field(init=False)
    _called: Any = field(init=False)
    _checking: Any = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.encoding = np.ascontiguousarray(self.encoding, dtype=np.uint64)
        self._nodes = {row.tobytes(): node for node, row in enumerate(self.encoding)}
        assert len(self._nodes) == len(self.graph.edges)
        self._called = _EXPAND(self._expand)
        self._checking = _CHECK(self._check)

    @property
    def expand_address(self) -> int:
        return int(ctypes.cast(self._called, _POINTER).value or 0)

    def _expand(
        self, states: int, n: int, start: int, successors: int, parents: int, capacity: int, *results: int
    ) -> int:
        """`expand` as native code calls it: an exception cannot pass."""
        counters, first, quiescent, written = results
        row, count = self.expand(
            _array(states, (n, self.words), np.uint64),
            start,
            _array(successors, (capacity, self.words), np.uint64),
            _array(parents, (capacity,), np.uint32),
            _array(counters, (2 * len(self.graph.actions) + 3,), np.int64),
            _array(first, (PARTS * len(self.findings),), np.int64),
            _array(quiescent, (n,), np.uint8),
        )
        _array(written, (1,), np.int64)[0] = count
        return row

    @property
    def check_address(self) -> int:
        return int(ctypes.cast(self._checking, _POINTER).value or 0)

    def _check(self, states: int, n: int, first: int) -> None:
        """`check` as native code calls it."""
        self.check(_array(states, (n, self.words), np.uint64), _array(first, (len(self.findings),), np.int64))

    @property
    def words(self) -> int:
        return int(self.encoding.shape[1])

    @property
    def actions(self) -> tuple[str, ...]:
        return self.graph.actions

    def nodes(self, states: States) -> list[int]:
        return [self._nodes[row.tobytes()] for row in states]

    def initial(self) -> States:
        return self.encoding[list(self.graph.initial)].reshape(-1, self.words)

    def expand(
        self,
        states: States,
        start: int,
        successors: States,
        parents: NDArray[np.uint32],
        counters: NDArray[np.int64],
        first: NDArray[np.int64],
        quiescent: NDArray[np.uint8],
    ) -> tuple[int, int]:
        self.calls += 1
        graph, actions, findings = self.graph, len(self.graph.actions), len(FINDINGS)
        written = 0
        for row in range(start, len(states)):
            node = self._nodes[states[row].tobytes()]
            edges = graph.edges[node]
            kept = [target for _, target in edges if target not in graph.cut]
            if written + len(kept) > len(successors):
                return row, written
            successors[written : written + len(kept)] = self.encoding[kept].reshape(-1, self.words)
            parents[written : written + len(kept)] = row
            written += len(kept)
            for action in {action for action, _ in edges}:
                counters[action] += 1
            for place, (action, target) in enumerate(edges):
                counters[actions + action] += 1
                if (node, place) in graph.bad_steps:
                    first[STEP] = min(first[STEP], row)
                if target in graph.cut:
                    counters[2 * actions + 2] += 1
                    for finding in (INVARIANT, REACHABLE):
                        if graph.shows(finding, target):
                            place = CUT * findings + finding
                            first[place] = min(first[place], row)
            counters[2 * actions] += len(edges)
            quiescent[row] = not edges
            counters[2 * actions + 1] += not edges
            for finding, ends in ((QUIESCENCE, graph.bad_ends), (ERROR, graph.failing_ends)):
                if not edges and node in ends:
                    place = QUIET * findings + finding
                    first[place] = min(first[place], row)
            if node in graph.failing:
                first[ERROR] = min(first[ERROR], row)
        return len(states), written

    def check(self, states: States, first: NDArray[np.int64]) -> None:
        for row, node in enumerate(self.nodes(states)):
            for finding in (INVARIANT, REACHABLE, ERROR):
                if self.graph.shows(finding, node):
                    first[finding] = min(first[finding], row)


@define
class Expected:
    """What a search must report; findings map to (steps, node, beyond, cut)."""

    order: list[int] = field(factory=list)
    parents: list[int | None] = field(factory=list)
    levels: list[int] = field(factory=list)
    transitions: int = 0
    quiescent: list[int] = field(factory=list)
    cut: int = 0
    enabled: dict[int, int] = field(factory=dict)
    fired: dict[int, int] = field(factory=dict)
    first_level: dict[int, int] = field(factory=dict)
    found: dict[int, tuple[int, int, bool, bool]] = field(factory=dict)
    expanded: int = 0
    bound: str | None = None


def explore(
    graph: Graph, *, stop_at_first: bool = False, max_depth: int | None = None, max_states: int | None = None
) -> Expected:
    """The textbook search with one queue, level by level. Of occurrences with as many steps the first to be met counts,
    where a state is met when its parent is expanded (an initial one when it is itself), before what its parent's own
    steps show."""
    expected = Expected()
    seen: set[int] = set()
    met: dict[int, tuple[int, int]] = {}

    def find(finding: int, steps: int, anchor: int, node: int, beyond: bool, cut: bool) -> None:
        if finding not in met or (steps, anchor) < met[finding]:
            met[finding] = steps, anchor
            expected.found[finding] = (steps, node, beyond, cut)

    def discover(node: int, parent: int | None, level: int) -> None:
        seen.add(node)
        expected.order.append(node)
        expected.parents.append(parent)
        for finding in (INVARIANT, REACHABLE, ERROR):
            if graph.shows(finding, node):
                find(finding, level, len(expected.order) - 1 if parent is None else parent, node, False, False)

    for node in graph.initial:
        if node not in seen:
            if len(seen) == max_states:
                expected.bound = "states"
                break
            discover(node, None, 0)
    expected.levels.append(len(seen))
    while expected.expanded < len(seen) and expected.bound is None:
        if stop_at_first and any(finding != REACHABLE for finding in expected.found):
            break
        level = len(expected.levels) - 1
        if level == max_depth:
            expected.bound = "depth"
            break
        stop = len(seen)
        while expected.expanded < stop:
            index = expected.expanded
            node = expected.order[index]
            edges = graph.edges[node]
            new = {target for _, target in edges if target not in graph.cut} - seen
            if max_states is not None and len(seen) + len(new) > max_states:
                expected.bound = "states"
                break
            for _, target in edges:
                if target not in graph.cut and target not in seen:
                    discover(target, index, level + 1)
            for place, (action, target) in enumerate(edges):
                expected.fired[action] = expected.fired.get(action, 0) + 1
                expected.first_level.setdefault(action, level + 1)
                if (node, place) in graph.bad_steps:
                    find(STEP, level + 1, index, node, True, False)
                if target in graph.cut:
                    expected.cut += 1
                    for finding in (INVARIANT, REACHABLE):
                        if graph.shows(finding, target):
                            find(finding, level + 1, index, node, True, True)
            for action in {action for action, _ in edges}:
                expected.enabled[action] = expected.enabled.get(action, 0) + 1
            expected.transitions += len(edges)
            if not edges:
                expected.quiescent.append(index)
                if node in graph.bad_ends:
                    find(QUIESCENCE, level, index, node, False, False)
                if node in graph.failing_ends:
                    find(ERROR, level, index, node, False, False)
            if node in graph.failing:
                find(ERROR, level + 1, index, node, True, False)
            expected.expanded += 1
        expected.levels.append(len(seen) - stop)
    return expected


def counting(n: int, words: int, seed: int = 0) -> States:
    """n distinct states of random words."""
    rng = np.random.default_rng(seed)
    while True:
        states = rng.integers(0, 2**64, (n, words), dtype=np.uint64)
        if len(np.unique(states, axis=0)) == n:
            return states


def levels_of(result: SearchResult) -> list[States]:
    """The states of each level."""
    return np.split(result.states(), result.level_starts()[1:-1])
