"""The weak bisimulation quotient of two event graphs: much smaller than the graphs, so that both sides can be walked in
parallel.

Two nodes are bisimilar if the same events may come next, each leading to bisimilar nodes, and the run may be over at
both or at neither; steps without events are skipped.  The quotient is computed backwards from the ends, each node after
all its successors, and bisimilar nodes of both graphs are one class.  Most of a state records past events that have no
effect on future ones, so few classes remain; where both models have the same class, nothing is left to compare.

Where it stops: nodes on a cycle, or before one, cannot be computed backwards from the ends.  Each of them is a class of
its own, with its steps without events.
"""

from __future__ import annotations

import time

import numpy as np
from attrs import define, field, frozen
from numpy.typing import NDArray

from checker.analysis.compare.event_graph import EventGraph, Numbers, Rows

# an event and the class it leads to as one number: (1 + event) << EVENT | class; without an event: the class alone
EVENT = 32
CLASS = (1 << EVENT) - 1


@frozen(eq=False)
class Quotient:
    """Classes of nodes.  starts: those of the initial states of either graph; ends: where the run may be over; silent:
    where steps without events lead; loud: (1 + event) << EVENT | class."""

    starts: tuple[Numbers, Numbers]
    ends: NDArray[np.bool_]
    silent: Rows
    loud: Rows


def quotient(graphs: tuple[EventGraph, EventGraph], deadline: float) -> Quotient | None:
    """The classes of two graphs that number events alike; None if the time is over first."""
    edges, ends = _union(graphs)
    classes = _Classes()
    number = np.full(len(ends), -1, np.int64)
    forward = Rows.of(edges[0], np.arange(edges.shape[1]), len(ends))
    backward = Rows.of(edges[2], edges[0], len(ends))
    open_edges = np.diff(forward.offsets)
    ready = np.flatnonzero(open_edges == 0)
    while len(ready):
        if time.monotonic() > deadline:
            return None
        found = forward.of_all(ready)
        rows = np.repeat(np.arange(len(ready)), np.diff(forward.offsets)[ready])
        number[ready] = classes.numbers(rows, edges[1, found] << EVENT | number[edges[2, found]], ends[ready])
        before, times = np.unique(backward.of_all(ready), return_counts=True)
        open_edges[before] -= times
        ready = before[open_edges[before] == 0]
    return _with_cycles(classes, number, edges, ends, (graphs[0].initial, len(graphs[0].ends), graphs[1].initial))


def _union(graphs: tuple[EventGraph, EventGraph]) -> tuple[Numbers, NDArray[np.bool_]]:
    """Edges of both graphs as (3, edges): source, 0 or 1 + event, target; and where runs may be over.  The nodes of the
    second graph are numbered after those of the first.
    """
    parts, first = [], 0
    for graph in graphs:
        nodes = np.arange(len(graph.ends))
        silent, loud = (np.repeat(nodes, np.diff(rows.offsets)) for rows in (graph.silent, graph.loud))
        moving = silent != graph.silent.values  # a step without an event that leads nowhere else tells nothing
        sources, targets = silent[moving], graph.silent.values[moving]
        parts.append(np.stack([sources + first, np.zeros_like(sources), targets + first]))
        parts.append(np.stack([loud + first, (graph.loud.values & CLASS) + 1, (graph.loud.values >> EVENT) + first]))
        first += len(nodes)
    return np.concatenate(parts, axis=1), np.concatenate([graph.ends for graph in graphs])


@define(eq=False)
class _Classes:
    """Classes found so far, each as the events that may come next (sorted), and whether the run may be over."""

    next: list[Numbers] = field(factory=list)
    over: list[bool] = field(factory=list)
    _known: dict[bytes, int] = field(factory=dict)
    _nodes: dict[bytes, int] = field(factory=dict)  # what stands at a node -> its class

    def numbers(self, rows: Numbers, keys: Numbers, ends: NDArray[np.bool_]) -> Numbers:
        """The classes of nodes 0, 1, ...: keys as in Quotient, those of node rows[i]."""
        order = np.lexsort((keys, rows))
        rows, keys = rows[order], keys[order]
        new = np.ones(len(rows), np.bool_)
        new[1:] = (rows[1:] != rows[:-1]) | (keys[1:] != keys[:-1])
        rows, keys = rows[new], keys[new]
        places = np.searchsorted(rows, np.arange(len(ends) + 1)).tolist()
        text = keys.tobytes()
        found = np.empty(len(ends), np.int64)
        for i, over in enumerate(ends.tolist()):
            here = text[8 * places[i] : 8 * places[i + 1]] + bytes([over])
            number = self._nodes.get(here)
            if number is None:
                number = self._nodes[here] = self._class(keys[places[i] : places[i + 1]], over)
            found[i] = number
        return found

    def _class(self, keys: Numbers, over: bool) -> int:
        """The class of a node: its own events, and those of the nodes that it reaches without an event."""
        silent = keys[keys <= CLASS].tolist()
        if silent:
            keys = np.unique(np.concatenate([keys[len(silent) :], *(self.next[s] for s in silent)]))
            over = over or any(self.over[s] for s in silent)
        number = self._known.setdefault(keys.tobytes() + bytes([over]), len(self.next))
        if number == len(self.next):
            self.next.append(keys)
            self.over.append(over)
        return number


def _with_cycles(
    classes: _Classes, number: Numbers, edges: Numbers, ends: NDArray[np.bool_], sizes: tuple[int, int, int]
) -> Quotient:
    """All classes, those of single nodes last.  sizes: initial states and nodes of the first graph, initial states of
    the second.
    """
    single, folded = np.flatnonzero(number < 0), len(classes.next)
    number[single] = folded + np.arange(len(single))
    count = folded + len(single)
    sources, labels, targets = edges[:, number[edges[0]] >= folded]
    quiet = labels == 0
    rows = np.repeat(np.arange(folded), [len(keys) for keys in classes.next])
    moves = np.concatenate([*classes.next, labels[~quiet] << EVENT | number[targets[~quiet]]])
    initial, nodes, second = sizes
    return Quotient(
        (np.unique(number[:initial]), np.unique(number[nodes : nodes + second])),
        np.concatenate([np.array(classes.over, np.bool_), ends[single]]),
        Rows.of(number[sources[quiet]], number[targets[quiet]], count),
        Rows.of(np.concatenate([rows, number[sources[~quiet]]]), moves, count),
    )
