"""A plain breadth-first search over a source of successors, for tests only."""

from __future__ import annotations

import numpy as np
from attrs import frozen

from checker.backends.native.kernel import NativeKernel
from checker.contract import NEVER, PARTS


@frozen
class Explored:
    """What a search found."""

    distinct: int
    transitions: int
    depth: int
    found: frozenset[str]
    quiescent: int
    cut: int


def explore(kernel: NativeKernel, capacity: int = 1 << 12, limit: int = 10_000_000) -> Explored:
    """All reachable states."""
    counters = np.zeros(2 * len(kernel.actions) + 3, np.int64)
    first = np.full(PARTS * len(kernel.findings), NEVER, np.int64)
    frontier = np.unique(kernel.initial(), axis=0)
    seen = {row.tobytes() for row in frontier}
    kernel.check(frontier, first)
    depth = 0
    while len(frontier):
        depth += 1
        fresh = []
        start = 0
        while start < len(frontier):
            successors = np.zeros((capacity, kernel.words), np.uint64)
            parents, quiescent = np.zeros(capacity, np.uint32), np.zeros(len(frontier), np.uint8)
            row, written = kernel.expand(frontier, start, successors, parents, counters, first, quiescent)
            if row == start and not written:
                capacity *= 2
            for k in range(written):
                name = successors[k].tobytes()
                if name not in seen:
                    seen.add(name)
                    fresh.append(successors[k])
            start = row
        frontier = np.array(fresh, np.uint64).reshape(-1, kernel.words)
        kernel.check(frontier, first)
        assert len(seen) < limit
    shown = {i % len(kernel.findings) for i in np.flatnonzero(first < NEVER)}
    return Explored(
        distinct=len(seen),
        transitions=int(counters[-3]),
        depth=depth,
        found=frozenset(kernel.findings[i].name for i in shown),
        quiescent=int(counters[-2]),
        cut=int(counters[-1]),
    )
