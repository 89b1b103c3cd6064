"""The states in the files of a work directory: by number, as a sample, or all."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from attrs import define, field
from numpy.typing import NDArray

from checker.contract import States
from checker.search.block_files import Block, read_block
from checker.search.folders import Folder
from checker.search.workdir import WorkDirectory
from checker.validation.sample import evenly


@define(eq=False)
class StoredStates:
    """States by number, counted through some files; each file is mapped, and its checksum compared, once.  shown: the
    words of a state that are given, the first of those stored.
    """

    data: Folder
    blocks: Sequence[Block]
    words: int
    shown: int
    _ends: NDArray[np.int64] = field(init=False)
    _known: dict[int, States] = field(init=False, factory=dict)

    def __attrs_post_init__(self) -> None:
        self._ends = np.cumsum([block.rows for block in self.blocks], dtype=np.int64)

    def block(self, number: int) -> States:
        """The states of a file."""
        if number not in self._known:
            self._known[number] = read_block(self.data, self.blocks[number], self.words)[:, : self.shown]
        return self._known[number]

    def rows(self, numbers: NDArray[np.int64]) -> States:
        """The states of these numbers, ascending."""
        places = np.searchsorted(self._ends, numbers, side="right")
        starts = self._ends - [block.rows for block in self.blocks]
        parts = [np.asarray(self.block(i)[numbers[places == i] - starts[i]]) for i in sorted(set(places.tolist()))]
        return np.concatenate(parts) if parts else np.zeros((0, self.shown), np.uint64)


def stored_levels(directory: WorkDirectory, words: int) -> tuple[States, tuple[int, ...]]:
    """All states of a stored search, level by level, and where each level begins, with their number at the end."""
    read = (read_block(directory.data, block, words) for level in directory.levels for block in level.files)
    states = np.concatenate([np.zeros((0, words), np.uint64), *read])
    return states, (0, *np.cumsum([level.rows for level in directory.levels if level.rows]).tolist())


def stored_rows(directory: WorkDirectory, words: int, most: int) -> States:
    """About this many states of a stored search, at most, spread over its files."""
    blocks = [block for level in directory.levels for block in level.files if block.rows]
    files = evenly(len(blocks), most)
    each = max(1, most // max(1, len(files)))
    read = (read_block(directory.data, blocks[i], words) for i in files)
    return np.concatenate([np.zeros((0, words), np.uint64), *(some[evenly(len(some), each)] for some in read)])
