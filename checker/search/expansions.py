"""Expanding a block of states completely: the one loop around `Source.expand` outside the search itself, which has its
own buffers.

A source stops before a row whose successors do not fit into the buffer.  If that is the first row, nothing was written,
and the buffer has to grow; "nothing written" does not mean "no successors".
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from checker.contract import Source, States, nowhere, uncounted
from checker.frozen import frozen

CAPACITY = 1 << 12


class TooMany(Exception):
    """A state has more successors than are wanted at once."""


@frozen(eq=False)
class Expanded:
    """Rows [start, end) of a block with all their successors (n, words), and the row of each (n,); the arrays hold
    until the next piece."""

    start: int
    end: int
    successors: States
    parents: NDArray[np.uint32]


def expansions(
    source: Source,
    block: States,
    first: NDArray[np.int64] | None = None,
    counters: NDArray[np.int64] | None = None,
    quiescent: NDArray[np.uint8] | None = None,
    capacity: int | None = None,
    most: int | None = None,
) -> Iterator[Expanded]:
    """The block in pieces, in order, as long as more are requested.  first, counters, quiescent: as `Source.expand`
    fills them.  capacity: room of the first buffer for successors; most: the largest room, beyond it TooMany is raised.
    """
    first = nowhere(source) if first is None else first
    counters = uncounted(source) if counters is None else counters
    quiescent = np.zeros(len(block), np.uint8) if quiescent is None else quiescent
    capacity = CAPACITY if capacity is None else capacity
    successors, parents, row = np.empty((capacity, source.words), np.uint64), np.empty(capacity, np.uint32), 0
    while row < len(block):
        end, written = source.expand(block, row, successors, parents, counters, first, quiescent)
        if end == row:
            if most is not None and capacity >= most:
                raise TooMany
            capacity *= 4
            successors, parents = np.empty((capacity, source.words), np.uint64), np.empty(capacity, np.uint32)
            continue
        yield Expanded(row, end, successors[:written], parents[:written])
        row = end


def successors_of(
    source: Source,
    state: NDArray[np.uint64],
    first: NDArray[np.int64] | None = None,
    counters: NDArray[np.int64] | None = None,
    capacity: int | None = None,
) -> States:
    """All successors of one state, in order, duplicates included."""
    (whole,) = expansions(source, np.ascontiguousarray(state).reshape(1, -1), first, counters, capacity=capacity)
    return whole.successors
