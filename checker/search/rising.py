"""Whether every step of a search on disk leads to a later level: then its graph has no cycle.

Level by level the states are put into a set on disk (`runs`), and the level is expanded once more: no successor may be
in the set.  Where it stops: a step that leads back need not close a cycle; that is decided in memory only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from checker.contract import Source, States
from checker.search.block_files import read_block
from checker.search.disk import Disk
from checker.search.expansions import expansions
from checker.search.runs import Runs, distinct, ordered
from checker.search.workdir import Level, WorkDirectory

SUCCESSORS = 1 << 16
"""Successors that are compared at once."""


def rising(source: Source, work: WorkDirectory, disk: Disk, memory: int, pause: Callable[[], object]) -> bool:
    """Whether every step leads to a later level.  memory: bytes for the filter of the set; pause: called now and then,
    an exception from it ends the test.
    """
    words = source.words

    def pieces(level: Level) -> Iterator[States]:
        for block in level.files:
            pause()
            yield np.ascontiguousarray(read_block(work.data, block, words))

    known = Runs(disk, words, memory, pause)
    try:
        for level in work.levels:
            for states in pieces(level):
                known.add(ordered(states))
            for states in pieces(level):
                for piece in expansions(source, states, capacity=SUCCESSORS):
                    keys = distinct(ordered(piece.successors))
                    if len(known.unknown(keys)) < len(keys):
                        return False
        return True
    finally:
        known.close()
