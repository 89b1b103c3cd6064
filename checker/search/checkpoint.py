"""A search in one process that commits its levels to a work directory, and takes up what is there.

States are written in the order of discovery by one shard, number 0. What another run committed, perhaps on many shards,
is read level by level; the order within a level then differs, which no count depends on (paths are rebuilt, see
`trails`). A level that was not finished is not committed: whoever resumes expands it from its first state.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping

import numpy as np
from attrs import define, field
from numpy.typing import NDArray

from checker.contract import States
from checker.search.workdir import Level, WorkDirectory, read_block, write_blocks

_PIECE = 1 << 20


@define
class Checkpoint:
    """What `search` tells and asks. `handover`: end the search when a level has at least so many states."""

    directory: WorkDirectory
    words: int
    handover: int | None = None
    _counted: NDArray[np.int64] | None = field(init=False, default=None)
    _began: float = field(init=False, factory=time.perf_counter)

    @property
    def sizes(self) -> list[int]:
        """States of each committed level."""
        return [level.rows for level in self.directory.levels]

    def states(self) -> Iterator[States]:
        """All committed states, level by level, in pieces."""
        for level in self.directory.levels:
            for block in level.files:
                states = read_block(self.directory.data, block, self.words)
                for start in range(0, len(states), _PIECE):
                    yield states[start : start + _PIECE]

    def commit(self, states: States, quiescent: States, counters: NDArray[np.int64], found: Mapping[int, int]) -> bool:
        """Commit the next level; `counters` and `found` are those of the whole search. Whether to go on."""
        directory = self.directory
        number = len(directory.levels)
        before = np.zeros_like(counters) if self._counted is None else self._counted
        earlier: Mapping[int, int] = directory.levels[-1].found if directory.levels else {}
        now = time.perf_counter()
        level = Level(
            number,
            1,
            write_blocks(directory.data, f"{number:05}-states", 0, states),
            write_blocks(directory.data, f"{number:05}-ends", 0, quiescent),
            tuple(int(n) for n in counters - before),
            least(earlier, found),
            now - self._began,
        )
        directory.commit(level)
        self._counted, self._began = counters.copy(), now
        return self.handover is None or len(states) < self.handover


def least(*found: Mapping[int, int]) -> dict[int, int]:
    """For each finding the least number of steps that any of these gives."""
    steps: dict[int, int] = {}
    for some in found:
        for number, n in some.items():
            steps[number] = min(n, steps.get(number, n))
    return steps


__all__ = ["Checkpoint", "least"]
