"""A search in one process that commits its levels to a work directory, and resumes from the levels in it.

States are written in the order of discovery by one shard, number 0. Levels that another run committed, perhaps on many
shards, are read level by level; the order within a level then differs, which affects no count (paths are rebuilt, see
`trails`). An unfinished level is not committed: a resumed search expands it from its first state.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping

import numpy as np
from attrs import define, field
from numpy.typing import NDArray

from checker.contract import States
from checker.search.block_files import Block, pieces, write_blocks
from checker.search.blocks import blocks
from checker.search.workdir import Level, WorkDirectory

_PIECE = 1 << 20


@define
class Deferred:
    """Records the levels of a search in memory, to commit them if it outgrows its memory: until then nothing is
    written. States are not copied.
    """

    _noted: list[tuple[States, States, NDArray[np.int64], dict[int, int]]] = field(init=False, factory=list)

    @property
    def sizes(self) -> list[int]:
        """The sizes of levels to be resumed: there are none."""
        return []

    def states(self) -> Iterator[States]:
        """The states of these levels: none."""
        return iter(())

    def commit(self, states: States, quiescent: States, counters: NDArray[np.int64], found: Mapping[int, int]) -> bool:
        """Take note of the next level, as for `Checkpoint`."""
        self._noted.append((states, quiescent, counters.copy(), dict(found)))
        return True

    def commit_to(self, directory: WorkDirectory, words: int, piece: int) -> None:
        """Commit all levels to an empty work directory, `piece` states to a file, and forget them."""
        checkpoint = Checkpoint(directory, words, piece=piece)
        for level in self._noted:
            checkpoint.commit(*level)
        self._noted.clear()


@define
class Checkpoint:
    """The interface to `search`. `handover`: end the search at the first level with at least this many states; `piece`:
    the largest number of states in a file (None: a level is a file).
    """

    directory: WorkDirectory
    words: int
    handover: int | None = None
    piece: int | None = None
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
                yield from pieces(self.directory.data, block, self.words, _PIECE)

    def commit(self, states: States, quiescent: States, counters: NDArray[np.int64], found: Mapping[int, int]) -> bool:
        """Commit the next level; `counters` and `found` are those of the whole search. Returns whether to continue."""
        directory = self.directory
        number = len(directory.levels)
        before = np.zeros_like(counters) if self._counted is None else self._counted
        earlier: Mapping[int, int] = directory.levels[-1].found if directory.levels else {}
        now = time.perf_counter()
        level = Level(
            number,
            1,
            self._files(f"{number:05}-states", states),
            self._files(f"{number:05}-ends", quiescent),
            tuple(int(n) for n in counters - before),
            least(earlier, found),
            now - self._began,
        )
        directory.commit(level)
        self._counted, self._began = counters.copy(), now
        return self.handover is None or len(states) < self.handover

    def _files(self, stem: str, states: States) -> tuple[Block, ...]:
        rows = self.piece or max(1, len(states))
        return tuple(
            block for piece in blocks(states, rows) for block in write_blocks(self.directory.data, stem, 0, piece)
        )


def least(*found: Mapping[int, int]) -> dict[int, int]:
    """For each finding the least number of steps among the given results."""
    steps: dict[int, int] = {}
    for some in found:
        for number, n in some.items():
            steps[number] = min(n, steps.get(number, n))
    return steps
