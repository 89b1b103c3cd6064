"""Leads-to under weak fairness, on an explored graph.

A run breaks `when leads to then` if it comes to a state with `when` and from there on `then` never holds. Such a run
either stops, in a state where nothing is enabled but actions without a fairness assumption, or stays for ever in a
strongly connected component of the states without `then`. Staying is allowed by weak fairness exactly if, for every
fair label (an action with its arguments), some state of the component has it disabled or some step inside the component
takes it; for weak fairness it is enough to look at maximal components, since a smaller one gives a label fewer ways out
(Lichtenstein & Pnueli 1985; Emerson & Lei 1987).

The graph must be complete: under a bound or a state constraint a missing edge could hide a way out, or a cycle.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from attrs import evolve
from numpy.typing import NDArray

from checker.frozen import frozen
from checker.search.components import strong_components
from checker.search.edges import Edges, Indices

Flags = NDArray[np.bool_]

_UNSEEN, _ROOT = -2, -1


@frozen(eq=False)
class Graph:
    """States 0..n-1 in order of discovery, and every step, those of a state in their order: sources (ascending),
    targets, labels (edges,); `fair` (labels,) tells which labels are fair.

    ends (n,): a run may end there, because no fair label is enabled.
    """

    states: int
    sources: Indices
    targets: Indices
    labels: Indices
    fair: Flags
    ends: Flags


@frozen
class Lasso:
    """A fair run that breaks the property: `stem` leads from the state `start` (with `when`) to the first state of the
    cycle, `cycle` back to it.

    Both are edge numbers.  An empty cycle: the run stops at the end of the stem.
    """

    start: int
    stem: tuple[int, ...]
    cycle: tuple[int, ...]


def _least(starts: Indices) -> int:
    return int(starts[0])


def leads_to(graph: Graph, when: Flags, then: Flags, first: Callable[[Indices], int] = _least) -> Lasso | None:
    """The first (least start, then shortest stem) fair run on which `when` (n,) is not followed by `then` (n,), or
    None.  first: which of some states, ascending, the search found first; default: states are in that order.
    """
    allowed = ~then
    inside = np.flatnonzero(allowed[graph.sources] & allowed[graph.targets])
    components = strong_components(graph.states, graph.sources[inside], graph.targets[inside])
    internal = inside[components[graph.sources[inside]] == components[graph.targets[inside]]]
    fair_component = _fair_components(graph, components, internal)
    ends = allowed & (graph.ends | fair_component[components])
    starts = np.flatnonzero(when & allowed & _reaching(graph, inside, ends))
    if not len(starts):
        return None
    start = first(starts)
    stem, last = _shortest(graph, inside, start, ends)
    if graph.ends[last]:
        return Lasso(start, tuple(stem), ())
    component = internal[components[graph.sources[internal]] == components[last]]
    return Lasso(start, tuple(stem), tuple(_cycle(graph, component, last)))


def _fair_components(graph: Graph, components: Indices, internal: Indices) -> Flags:
    """For each component, whether a fair run can stay in it."""
    count, labels = int(components.max(initial=-1)) + 1, len(graph.fair)
    sizes = np.bincount(components, minlength=count)
    staying = np.zeros(count, dtype=np.bool_)
    staying[components[graph.sources[internal]]] = True
    fair_edges = np.flatnonzero(graph.fair[graph.labels] & staying[components[graph.sources]])
    enabled = _distinct(graph.sources[fair_edges] * labels + graph.labels[fair_edges])
    pairs, states = np.unique(components[enabled // labels] * labels + enabled % labels, return_counts=True)
    everywhere = pairs[states == sizes[pairs // labels]]
    taken = _distinct(components[graph.sources[internal]] * labels + graph.labels[internal])
    starved = everywhere[np.searchsorted(taken, everywhere, "left") == np.searchsorted(taken, everywhere, "right")]
    staying[starved // labels] = False
    return staying


def _distinct(values: Indices) -> Indices:
    """The distinct values, in order.  They come almost sorted, which a stable sort uses (and hashing does not)."""
    ordered = np.sort(values, kind="stable")
    return ordered[np.diff(ordered, prepend=-1) != 0]


def _reaching(graph: Graph, edges: Indices, ends: Flags) -> Flags:
    """States from which some end is reached over the edges (ends included)."""
    sources, incoming = graph.sources[edges], Edges.by(graph.states, graph.targets[edges])
    reached = ends.copy()
    frontier = np.flatnonzero(ends)
    while len(frontier):
        before = sources[incoming.of(frontier)]
        frontier = _distinct(before[~reached[before]])
        reached[frontier] = True
    return reached


def _outgoing(graph: Graph, edges: Indices) -> Edges:
    """Some of the edges, by their source."""
    found = Edges.by(graph.states, graph.sources[edges])
    return evolve(found, order=edges[found.order])


def _shortest(graph: Graph, edges: Indices, start: int, ends: Flags) -> tuple[list[int], int]:
    """Edges of a shortest path from start to some end, and that end."""
    if ends[start]:
        return [], start
    return _walk(graph, _outgoing(graph, edges), start, lambda targets, edges: ends[targets])


def _walk(
    graph: Graph, outgoing: Edges, start: int, found: Callable[[Indices, Indices], Flags]
) -> tuple[list[int], int]:
    """A shortest path of one edge or more from start, and its end: found(targets, edges), (k,), tells which edges end
    it.

    Breadth-first, level by level in blocks; among equally short paths the first in the order of the edges.
    """
    came = np.full(graph.states, _UNSEEN, dtype=np.int64)
    came[start] = _ROOT
    frontier = np.array([start])
    while len(frontier):
        edges = outgoing.of(frontier)
        targets = graph.targets[edges]
        hits = np.flatnonzero(found(targets, edges))
        if len(hits):
            return _back(graph, came, int(edges[hits[0]])), int(targets[hits[0]])
        fresh = np.flatnonzero(came[targets] == _UNSEEN)
        first = np.sort(fresh[np.unique(targets[fresh], return_index=True)[1]])
        frontier = targets[first]
        came[frontier] = edges[first]
    raise AssertionError("a component is strongly connected, an end was reachable")


def _back(graph: Graph, came: Indices, edge: int) -> list[int]:
    path = [edge]
    while (before := int(came[graph.sources[path[-1]]])) >= 0:
        path.append(before)
    return path[::-1]


def _met(graph: Graph, outgoing: Edges, start: int) -> Indices:
    """The place of each state in breadth-first order from start, or -1."""
    places = np.full(graph.states, -1, dtype=np.int64)
    frontier, met = np.array([start]), 0
    while len(frontier):
        places[frontier] = np.arange(met, met + len(frontier))
        met += len(frontier)
        targets = graph.targets[outgoing.of(frontier)]
        targets = targets[places[targets] < 0]
        frontier = targets[np.sort(np.unique(targets, return_index=True)[1])]
    return places


def _cycle(graph: Graph, edges: Indices, start: int) -> list[int]:
    """A closed walk inside a component that is fair to every label.  Labels are served in the order in which they are
    met from start, which does not depend on how states and labels are numbered.
    """
    outgoing = _outgoing(graph, edges)
    places = _met(graph, outgoing, start)
    fair = np.flatnonzero((places[graph.sources] >= 0) & graph.fair[graph.labels])
    fair = fair[np.argsort(places[graph.sources[fair]], kind="stable")]
    walk: list[int] = []
    visited = [start]
    by_label = np.argsort(graph.labels[fair], kind="stable")
    parts = np.split(by_label, np.flatnonzero(np.diff(graph.labels[fair[by_label]])) + 1) if len(fair) else []
    for met in sorted(parts, key=lambda part: int(part[0])):
        label, enabled = graph.labels[fair[met[0]]], graph.sources[fair[met]]
        if not np.isin(visited, enabled).all() or (graph.labels[walk] == label).any():
            continue
        disabled = np.ones(graph.states, dtype=np.bool_)
        disabled[enabled] = False

        def served(targets: Indices, edges: Indices, label: int = int(label), disabled: Flags = disabled) -> Flags:
            return disabled[targets] | (graph.labels[edges] == label)

        part, _ = _walk(graph, outgoing, visited[-1], served)
        walk += part
        visited += graph.targets[part].tolist()
    if not walk or visited[-1] != start:
        walk += _walk(graph, outgoing, visited[-1], lambda targets, edges: targets == start)[0]
    return walk
