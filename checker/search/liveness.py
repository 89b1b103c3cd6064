"""Leads-to under weak fairness, on an explored graph.

A run breaks `when leads to then` if it comes to a state with `when` and from there on `then` never holds.  Such a run either stops, in a state where nothing but
faults is enabled, or stays for ever in a strongly connected component of the states without `then`.  Staying is allowed by weak fairness exactly if, for every fair
label (an action with its arguments), some state of the component has it disabled or some step inside the component takes it; for weak fairness it is enough to
look at maximal components, since a smaller one gives a label fewer ways out (Lichtenstein & Pnueli 1985; Emerson & Lei 1987).

The graph must be complete: under a bound or a state constraint a missing edge could hide a way out, or a cycle.
"""

from __future__ import annotations

from collections import deque

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

Indices = NDArray[np.int64]
Flags = NDArray[np.bool_]


@frozen(eq=False)
class Graph:
    """States 0..n-1 in order of discovery, and every step: sources, targets, labels (edges,); `fair` (labels,) tells which labels are fair.

    quiescent (n,): nothing but faults is enabled.
    """

    states: int
    sources: Indices
    targets: Indices
    labels: Indices
    fair: Flags
    quiescent: Flags


@frozen
class Lasso:
    """A fair run that breaks the property: `stem` leads from the state `start` (with `when`) to the first state of the cycle, `cycle` back to it.

    Both are edge numbers.  An empty cycle: the run stops at the end of the stem.
    """

    start: int
    stem: tuple[int, ...]
    cycle: tuple[int, ...]


def leads_to(graph: Graph, when: Flags, then: Flags) -> Lasso | None:
    """The first (least start, then shortest stem) fair run on which `when` (n,) is not followed by `then` (n,), or None."""
    allowed = ~then
    inside = np.flatnonzero(allowed[graph.sources] & allowed[graph.targets])
    components = _components(graph, inside)
    internal = inside[components[graph.sources[inside]] == components[graph.targets[inside]]]
    fair_component = _fair_components(graph, components, internal)
    ends = allowed & (graph.quiescent | fair_component[components])
    starts = np.flatnonzero(when & allowed & _reaching(graph, inside, ends))
    if not len(starts):
        return None
    start = int(starts[0])
    stem, last = _shortest(graph, inside, start, ends)
    if graph.quiescent[last]:
        return Lasso(start, tuple(stem), ())
    component = internal[components[graph.sources[internal]] == components[last]]
    return Lasso(start, tuple(stem), tuple(_cycle(graph, component, last)))


def _components(graph: Graph, edges: Indices) -> Indices:
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components

    ones = np.ones(len(edges), dtype=np.int8)
    matrix = coo_matrix((ones, (graph.sources[edges], graph.targets[edges])), shape=(graph.states, graph.states))
    result: Indices = connected_components(matrix.tocsr(), directed=True, connection="strong")[1].astype(np.int64)
    return result


def _fair_components(graph: Graph, components: Indices, internal: Indices) -> Flags:
    """For each component, whether a fair run can stay in it."""
    count, labels = int(components.max(initial=-1)) + 1, len(graph.fair)
    sizes = np.bincount(components, minlength=count)
    staying = np.zeros(count, dtype=np.bool_)
    staying[components[graph.sources[internal]]] = True
    fair_edges = np.flatnonzero(graph.fair[graph.labels] & staying[components[graph.sources]])
    enabled = np.unique(np.stack([graph.sources[fair_edges], graph.labels[fair_edges]]), axis=1)
    pairs, states = np.unique(components[enabled[0]] * labels + enabled[1], return_counts=True)
    everywhere = pairs[states == sizes[pairs // labels]]
    taken = np.unique(components[graph.sources[internal]] * labels + graph.labels[internal])
    starved = everywhere[~np.isin(everywhere, taken)]
    staying[starved // labels] = False
    return staying


def _reaching(graph: Graph, edges: Indices, ends: Flags) -> Flags:
    """States from which some end is reached over the edges (ends included)."""
    from scipy.sparse import coo_matrix

    ones = np.ones(len(edges), dtype=np.int8)
    backward = coo_matrix((ones, (graph.targets[edges], graph.sources[edges])), shape=(graph.states, graph.states)).tocsr()
    reached = ends.copy()
    frontier = np.flatnonzero(ends)
    while len(frontier):
        before = np.unique(backward[frontier].indices)
        frontier = before[~reached[before]].astype(np.int64)
        reached[frontier] = True
    return reached


def _outgoing(graph: Graph, edges: Indices) -> tuple[Indices, Indices]:
    order = edges[np.argsort(graph.sources[edges], kind="stable")]
    starts = np.searchsorted(graph.sources[order], np.arange(graph.states + 1))
    return order, starts


def _shortest(graph: Graph, edges: Indices, start: int, ends: Flags) -> tuple[list[int], int]:
    """Edges of a shortest path from start to some end, and that end."""
    return _walk(graph, _outgoing(graph, edges), start, lambda state, edge: bool(ends[state]))


def _walk(graph: Graph, outgoing: tuple[Indices, Indices], start: int, found: object) -> tuple[list[int], int]:
    """Shortest path from start to a state (with the edge that led there, -1 at the start) that is found."""
    order, starts = outgoing
    assert callable(found)
    if found(start, -1):
        return [], start
    came: dict[int, int] = {start: -1}
    queue = deque([start])
    while queue:
        state = queue.popleft()
        for edge in order[starts[state] : starts[state + 1]]:
            target = int(graph.targets[edge])
            if found(target, int(edge)):
                return _back(graph, came, int(edge)), target
            if target not in came:
                came[target] = int(edge)
                queue.append(target)
    raise AssertionError("a component is strongly connected, an end was reachable")


def _back(graph: Graph, came: dict[int, int], edge: int) -> list[int]:
    path = [edge]
    while (before := came[int(graph.sources[path[-1]])]) >= 0:
        path.append(before)
    return path[::-1]


def _cycle(graph: Graph, edges: Indices, start: int) -> list[int]:
    """A closed walk inside a component that is fair to every label."""
    outgoing = _outgoing(graph, edges)
    members = set(graph.sources[edges].tolist())
    enabled: dict[int, set[int]] = {s: set() for s in members}
    for edge in np.flatnonzero(np.isin(graph.sources, np.array(sorted(members)))):
        if graph.fair[graph.labels[edge]]:
            enabled[int(graph.sources[edge])].add(int(graph.labels[edge]))
    walk: list[int] = []
    at = start
    for label in sorted(set().union(*enabled.values())):
        visited = {start, *(int(graph.targets[e]) for e in walk)}
        if any(label not in enabled[s] for s in visited) or any(graph.labels[e] == label for e in walk):
            continue

        def served(state: int, edge: int, label: int = label) -> bool:
            return label not in enabled[state] or edge >= 0 and graph.labels[edge] == label

        part, at = _walk(graph, outgoing, at, served)
        walk += part
    if not walk or at != start:
        part, at = _walk(graph, outgoing, at, lambda state, edge: state == start and edge >= 0)
        walk += part
    return walk
