"""Facts of leads-to under weak fairness on graphs drawn by hand."""

from __future__ import annotations

import numpy as np

from checker.search.liveness import Graph, Lasso, leads_to


def graph(
    states: int, edges: list[tuple[int, int, int]], labels: int, fair: set[int], quiescent: set[int] = frozenset()
) -> Graph:  # type: ignore[assignment]
    """Edges are (source, target, label)."""
    array = np.array(edges, dtype=np.int64).reshape(-1, 3)
    return Graph(
        states,
        array[:, 0],
        array[:, 1],
        array[:, 2],
        np.array([x in fair for x in range(labels)]),
        np.array([s in quiescent for s in range(states)]),
    )


def flags(states: int, *chosen: int) -> np.ndarray:
    """True at the chosen states."""
    return np.isin(np.arange(states), chosen)


def test_an_unfair_loop_may_repeat_for_ever() -> None:
    """Without fairness of the way out, looping at the start breaks the property."""
    g = graph(2, [(0, 0, 0), (0, 1, 1)], 2, {0}, {1})
    assert leads_to(g, flags(2, 0), flags(2, 1)) == Lasso(0, (), (0,))


def test_a_fair_way_out_that_stays_enabled_is_taken() -> None:
    """Weak fairness of label 1, enabled in every state of the loop, forbids looping."""
    g = graph(2, [(0, 0, 0), (0, 1, 1)], 2, {0, 1}, {1})
    assert leads_to(g, flags(2, 0), flags(2, 1)) is None


def test_a_way_out_that_is_disabled_now_and_then_need_not_be_taken() -> None:
    """Weak fairness asks nothing of an action that is not continuously enabled; the cycle visits the state where it is
    disabled."""
    g = graph(3, [(0, 1, 0), (1, 0, 1), (0, 2, 2)], 3, {0, 1, 2}, {2})
    assert leads_to(g, flags(3, 0), flags(3, 2)) == Lasso(0, (), (0, 1))


def test_a_run_that_stops_without_then_breaks_the_property() -> None:
    """A quiescent state ends the run; a fault that is enabled there need not happen."""
    g = graph(3, [(0, 1, 0), (1, 2, 1)], 2, {0}, {1, 2})
    assert leads_to(g, flags(3, 0), flags(3, 2)) == Lasso(0, (0,), ())


def test_every_fair_label_is_served_by_the_cycle() -> None:
    """Labels 0 and 1 loop at one state each; a fair cycle takes both."""
    edges = [(0, 0, 0), (0, 1, 2), (1, 1, 1), (1, 0, 2), (0, 2, 3)]
    lasso = leads_to(graph(3, edges, 4, {0, 1, 2}), flags(3, 0), flags(3, 2))
    assert lasso is not None
    taken = {edges[e][2] for e in lasso.cycle}
    visited = {edges[e][1] for e in lasso.cycle}
    assert {0, 1} <= taken | ({0} if 1 in visited else set()) | ({1} if 0 in visited else set())
    assert [edges[e][0] for e in lasso.cycle] == [0, *[edges[e][1] for e in lasso.cycle[:-1]]]
    assert edges[lasso.cycle[-1]][1] == 0


def test_when_after_then_is_free_to_wait_for_the_next_then() -> None:
    """A state with `then` discharges the obligation even if `then` never comes back."""
    g = graph(2, [(0, 1, 0), (1, 1, 0)], 1, {0})
    assert leads_to(g, flags(2, 0), flags(2, 0)) is None


def test_the_numbers_of_states_and_labels_do_not_show_in_the_cycle() -> None:
    """Labels are served as they are met from the first state of the cycle: any numbering gives the same steps."""
    edges = [(0, 1, 2), (1, 1, 0), (1, 2, 1), (2, 2, 0), (2, 1, 1), (1, 3, 3)]
    rng, cycles = np.random.default_rng(7), set()
    for _ in range(20):
        state, label = rng.permutation(4), rng.permutation(4)
        order = sorted(range(len(edges)), key=lambda e: (state[edges[e][0]], e))
        moved = [(int(state[s]), int(state[t]), int(label[x])) for s, t, x in (edges[e] for e in order)]
        found = leads_to(graph(4, moved, 4, {int(label[0]), int(label[1])}), flags(4, state[0]), flags(4, state[3]))
        assert found is not None
        cycles.add(tuple(order[e] for e in found.cycle))
    assert cycles == {(1, 2, 4)}
