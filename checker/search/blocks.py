"""States in blocks: back ends and files take some thousands of states at a time.

A block is a view where the states are contiguous, so a file that is mapped into memory is read block by block.  Where
it stops: loops that need the number of the first row of a block, or that write into it, count for themselves.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from checker.contract import States


def blocks(states: States, rows: int) -> Iterator[States]:
    """The states in order, at most this many at a time, each block contiguous."""
    for start in range(0, len(states), rows):
        yield np.ascontiguousarray(states[start : start + rows])
