"""Strongly connected components of random graphs, against their definition."""

from __future__ import annotations

import numpy as np
import pytest

from checker.search import components
from checker.search.components import strong_components


def by_definition(states: int, edges: list[tuple[int, int]]) -> list[int]:
    """For each state the least state that it reaches, and that reaches it."""
    reached = np.eye(states, dtype=bool)
    for source, target in edges:
        reached[source, target] = True
    for middle in range(states):
        reached |= np.outer(reached[:, middle], reached[middle])
    return [int(np.flatnonzero(row)[0]) for row in reached & reached.T]


@pytest.mark.parametrize("many", [0, components.MANY], ids=["compiled", "Python"])
def test_a_component_has_the_states_that_reach_each_other(many: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """With no states or steps, loops of one state, equal steps, and steps in any order."""
    monkeypatch.setattr(components, "MANY", many)
    random, sizes = np.random.default_rng(0), set[int]()
    for _ in range(400):
        states = int(random.integers(0, 12))
        edges = random.integers(0, max(states, 1), (int(random.integers(0, 2 * states)) if states else 0, 2))
        found = strong_components(states, edges[:, 0], edges[:, 1])
        assert found.tolist() == by_definition(states, [(int(a), int(b)) for a, b in edges]), edges
        sizes.add(len(set(found.tolist())))
    assert len(sizes) > 8


def test_a_chain_may_be_longer_than_the_stack_of_python() -> None:
    """And a circle: its last step joins all states."""
    states = np.arange(50_000)
    assert (strong_components(50_000, states[:-1], states[1:]) == states).all()
    assert (strong_components(50_000, states, np.roll(states, -1)) == 0).all()
