"""How many rows a batch of the search expands, and how they are cut into ranges: buffers should be full, and a batch
short enough for limits and progress to be tested in time.
"""

from __future__ import annotations

from attrs import define

from checker.search.batch import MOST_ROWS, Batches

PARTS_PER_THREAD = 4
SHARES = 2
"""Ranges for a thread in a small level: a range begins a buffer of its own."""
LEAST_ROWS = 64
SLOW_BATCH, QUICK_BATCH = 0.25, 0.1


@define(eq=False)
class Pace:
    """The pace of a search.  rows: of a range; branching: successors of a row, lately."""

    batches: Batches
    rows: int = LEAST_ROWS
    branching: float = 8.0

    @property
    def most_ranges(self) -> int:
        """Ranges of a batch."""
        threads = self.batches.threads.size
        return 1 if threads == 1 else PARTS_PER_THREAD * threads

    def ranges(self, start: int, stop: int) -> list[tuple[int, int]]:
        """Ranges of the rows [start, stop) for the next batch: one for a single thread, else several for each."""
        threads = self.batches.threads.size
        rows = max(1, min(self.rows, int(0.9 * self.batches.capacity / self.branching), MOST_ROWS))
        most = self.most_ranges
        if most > 1:
            rows = min(rows, max(LEAST_ROWS, -(-(stop - start) // (SHARES * threads))))
        stop = min(stop, start + most * rows, (start | 0xFFFFFFFF) + 1)  # parents are stored as 32 bits and a carry
        return [(first, min(first + rows, stop)) for first in range(start, stop, rows)]

    def adapt(self, written: int, ranges: list[tuple[int, int]], seconds: float) -> None:
        """Change the pace after a batch that wrote this many successors in this time."""
        rows = ranges[-1][1] - ranges[0][0]
        self.branching = max(0.5, written / rows, 0.75 * self.branching)
        if 2 * written > self.batches.capacity * len(ranges):
            self.batches.enlarge()
        if seconds > SLOW_BATCH:
            self.rows = max(1, self.rows // 2)
        elif seconds < QUICK_BATCH:
            self.rows = min(MOST_ROWS, 2 * self.rows)
