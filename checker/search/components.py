"""Strongly connected components, by a depth-first search (R. Tarjan, "Depth-first search and linear graph algorithms",
1972): in Python for graphs of up to MANY steps, by scipy's compiled code for larger ones.  To import scipy takes a
third of the time of a whole check of a small model.
"""

from __future__ import annotations

import numpy as np

from checker.search.edges import Edges, Indices

MANY = 100_000
"""Steps that Python searches in less time than it imports scipy (0.05 to 0.1 s; 0.17 s)."""


def strong_components(states: int, sources: Indices, targets: Indices) -> Indices:
    """For each state 0..states-1 the least state of its strongly connected component."""
    return (_searched if len(sources) <= MANY else _searched_compiled)(states, sources, targets)


def _searched(states: int, sources: Indices, targets: Indices) -> Indices:
    """The least state of each component, by Tarjan's algorithm without recursion."""
    edges = Edges.by(states, sources)
    following, at, until = targets[edges.order].tolist(), edges.starts[:-1].tolist(), edges.starts[1:].tolist()
    met, low, found = [0] * states, [0] * states, [-1] * states
    waiting, number = list[int](), 0  # met, and their component is not complete
    for root in range(states):
        path = [] if met[root] else [root]
        while path:
            state = path[-1]
            if not met[state]:
                number += 1
                met[state] = low[state] = number
                waiting.append(state)
            if at[state] < until[state]:
                target = following[at[state]]
                at[state] += 1
                if not met[target]:
                    path.append(target)
                elif found[target] < 0:
                    low[state] = min(low[state], met[target])
                continue
            path.pop()
            if path:
                low[path[-1]] = min(low[path[-1]], low[state])
            if low[state] == met[state]:
                component = [waiting.pop()]
                while component[-1] != state:
                    component.append(waiting.pop())
                least = min(component)
                for member in component:
                    found[member] = least
    return np.array(found, np.int64)


def _searched_compiled(states: int, sources: Indices, targets: Indices) -> Indices:
    """The same by scipy."""
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components

    ones = np.ones(len(sources), dtype=np.int8)
    matrix = coo_matrix((ones, (sources, targets)), shape=(states, states)).tocsr()
    numbers = connected_components(matrix, directed=True, connection="strong")[1]
    result: Indices = np.unique(numbers, return_index=True)[1][numbers]
    return result
