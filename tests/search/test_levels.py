"""What is kept of a level besides its states: the states at rest in a checkpoint, and the order of what it shows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, cast

import numpy as np
from attrs import define, field
from numpy.typing import NDArray

from checker.contract import States
from checker.search.breadth_first import search
from checker.search.checkpoint import Checkpoint
from checker.search.limits import Limits
from checker.search.trails import Held, Request, Trail, answer, trails
from tests.search.graphs import ERROR, INVARIANT, QUIESCENCE, Graph, GraphSource, counting


@define
class Committed:
    """A checkpoint that keeps the states at rest of each commit."""

    at_rest: list[States] = field(factory=list)

    @property
    def sizes(self) -> list[int]:
        """Of no level."""
        return []

    def states(self) -> Iterator[States]:
        """Nothing is taken up."""
        return iter(())

    def commit(self, states: States, quiescent: States, counters: NDArray[np.int64], found: Mapping[int, int]) -> bool:
        """Go on."""
        self.at_rest.append(quiescent.copy())
        return True


def test_a_source_without_findings_is_searched() -> None:
    """A model without properties, in which nothing can fail, has states to count all the same."""
    source = GraphSource(Graph([[(0, 1)], [(0, 2)], [(0, 0)]], [0]), counting(3, 2), findings=())
    result = search(source)
    assert (result.distinct, result.complete, result.violations) == (3, True, ())


def test_each_level_of_a_checkpoint_has_the_states_at_rest_of_the_level_before() -> None:
    """Each once, in the order of discovery: `outcomes` of a resumed search reads them there."""
    # at rest: 2; 4; 7, 8; 10, at 1, 2, 3, 4 steps
    to = [(1, 2, 3), (4, 5), (), (5, 6), (), (7,), (8, 9), (), (), (10,), ()]
    source = GraphSource(Graph([[(0, target) for target in targets] for targets in to], [0]), counting(len(to), 2))
    committed = Committed()
    search(source, checkpoint=cast(Checkpoint, committed), stop_at_first=False)
    assert [source.nodes(rows) for rows in committed.at_rest] == [[], [], [2], [4], [7, 8], [10]]


@define
class Resumed(Committed):
    """A checkpoint that holds levels, read one after the other."""

    levels: tuple[States, ...] = ()
    read: int = 0

    @property
    def sizes(self) -> list[int]:
        """States of each level."""
        return [len(level) for level in self.levels]

    def states(self) -> Iterator[States]:
        """Level by level."""
        for level in self.levels:
            self.read += 1
            yield level


def test_no_more_of_a_checkpoint_is_read_when_a_limit_is_met() -> None:
    """Memory is full when the first level has been taken up: the two others are left where they are."""
    source = GraphSource(Graph([[(0, 1)], [(0, 2)], [(0, 3)], []], [0]), counting(4, 2))
    for memory, read in ((1, 1), (None, 3)):
        resumed = Resumed(levels=tuple(source.encoding[n : n + 1] for n in range(3)))
        result = search(source, checkpoint=cast(Checkpoint, resumed), limits=Limits(max_memory=memory))
        assert (resumed.read, result.bound) == (read, "memory" if memory else None)
        assert result.distinct == (1 if memory else 4)


def test_what_shows_on_a_step_is_found_before_what_shows_at_rest_at_its_end() -> None:
    """A state at rest is noticed when it is expanded, a whole level after the steps that lead to its level."""
    states = np.zeros((2, 1), dtype=np.uint64)
    resting = Trail(0, 1, states, (0, 0), at_rest=True)
    stepping = Trail(1, 1, states, (5, 0))
    later = Trail(2, 1, states, (0, 1), at_rest=True)
    assert _numbers(later, resting, stepping) == [1, 0, 2]


def test_initial_states_that_show_are_ranked_by_their_place() -> None:
    """The finding of the first initial state comes first, whatever its number."""
    states = np.zeros((1, 1), dtype=np.uint64)
    assert _numbers(Trail(0, 0, states, (3,)), Trail(1, 0, states, (2,))) == [1, 0]


def test_a_trail_begins_in_an_initial_state_that_leads_to_the_finding() -> None:
    """Not in the first one, from which nothing leads there."""
    source = GraphSource(Graph([[], [(0, 2)], [(0, 3)], []], [0, 1], bad=frozenset({3})), counting(4, 2))
    levels = [[Held(source.encoding[rows])] for rows in ([0, 1], [2], [3])]
    (trail,) = trails(source, lambda level: levels[level], 3, {INVARIANT: 2})
    assert (source.nodes(trail.states), trail.ordinals[0]) == ([1, 2, 3], 1)


def test_all_states_of_a_level_that_show_something_are_listed_once() -> None:
    """A source names the first state only: a level is asked in ever smaller parts, the last of which is shorter than
    the others."""
    n, bad = 150, [0, 63, 64, 149]
    source = GraphSource(
        Graph(
            [[] if node in bad else [(0, node)] for node in range(n)],
            [0],
            bad=frozenset(bad),
            bad_ends=frozenset(bad),
            failing=frozenset(bad),
        ),
        counting(n, 2),
    )
    asked = {
        "checked": frozenset({INVARIANT}),
        "expanded": frozenset({ERROR}),
        "resting": frozenset({QUIESCENCE, ERROR}),
    }
    found = answer(source, Request(Held(source.encoding), **asked))
    assert {kind: source.nodes(states) for kind, states in found.items()} == {
        ("checked", INVARIANT): bad,
        ("expanded", ERROR): bad,
        ("resting", QUIESCENCE): bad,
    }


def _numbers(*trails: Trail) -> list[Any]:
    return [trail.number for trail in sorted(trails, key=lambda trail: trail.rank)]
