"""The data of every task of a search on Spark, and how a process makes an up-to-date shard from them.

A process keeps the shards that it has built. A shard is brought up to a level by accepting the committed files that it
has not read, all of them if the process is new: the loss of a process costs only time. Levels may have been written by
another number of shards; then each shard reads all files and keeps the states that it owns.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from attrs import field, frozen

from checker.contract import Source, States
from checker.search.block_files import Block, BlockWriter, pieces
from checker.search.folder_errors import WorkDirectoryError
from checker.search.folders import Folder, folder_at
from checker.search.memory import available_memory
from checker.search.spark.release import release_code
from checker.search.spark.shard import Partition, Shard
from checker.search.workdir import Level, read_level

Made = TypeVar("Made")

MEMORY_SHARE = 0.7
"""The share of a machine's free memory for the states and tables of all its processes."""
LEAST_BUDGET = 1 << 20
"""The least memory of a shard: with less than tables and buffers take at the start, nearly every block would be a
separate run.
"""
PIECE = 1 << 20
_FLUSH = 1 << 18


@frozen
class Job:
    """One search: its identity, how to make its source, where its files are, and the number of shards.

    memory: bytes for the states and tables of a process, for its `held` shards; it never has more of them at a time.
    beside: the number of processes on a machine, which share its memory if none was stated. spill: where states beyond
    memory go; None: Spark's local directories. quick: shards begin with quickly compiled code.
    """

    identity: str
    source: Callable[[], Source]
    folder: Folder = field(converter=folder_at)
    shards: int
    memory: int | None = None
    held: int = 1
    beside: int = 1
    spill: Path | None = None
    quick: bool = False

    @property
    def data(self) -> Folder:
        """Committed files."""
        return self.folder / "data"

    @property
    def budget(self) -> int | None:
        """Bytes for one shard."""
        return None if self.memory is None else self.memory // self.held

    @property
    def exchange(self) -> Folder:
        """Candidates."""
        return self.folder / "exchange"


_sources: dict[str, Any] = {}
"""What was made for the present job: its source, or what else its tasks need of a model."""
_shards: dict[tuple[str, int, int], Shard] = {}
"""The shards of this process, the most recently used last."""
_kept: dict[tuple[str, int], Any] = {}
"""What tasks keep of a shard that are no level of a search, the most recently used last."""
_shares: dict[str, int] = {}
"""The share of memory of each search for which none was stated."""


def source_of(job: Job) -> Source:
    """The source, made once in a process."""
    return once(job, job.source)


def once(job: Job, make: Callable[[], Made]) -> Made:
    """What tasks of a job need of its model, made once in a process; all of other jobs is dropped."""
    if job.identity not in _sources:
        for held in (_sources, _shards, _kept, _shares):
            held.clear()
        _sources[job.identity] = make()
    made: Made = _sources[job.identity]
    return made


def kept(job: Job, number: int, make: Callable[[], Made]) -> Made:
    """What this process keeps of a shard, made if it is not there."""
    found: Made | None = _kept.pop((job.identity, number), None)
    while found is None and len(_kept) >= job.held:
        del _kept[next(iter(_kept))]
    _kept[job.identity, number] = found = make() if found is None else found
    return found


def forget(job: Job, number: int) -> None:
    """Drop a shard that may be incomplete."""
    _shards.pop((job.identity, job.shards, number), None)
    _kept.pop((job.identity, number), None)


def shard_at(job: Job, number: int, levels: int, next_level: bool = False) -> Shard:
    """This process's shard with exactly this number of committed levels; with `next_level` it may have one more."""
    source = source_of(job)
    shard = _shards.pop((job.identity, job.shards, number), None)
    if shard is None or shard.level > levels - (0 if next_level else 1):
        while len(_shards) >= job.held:
            del _shards[next(iter(_shards))]  # the one unused for longest; its files are enough to build it again
        shard = Shard(source, number, job.shards, budget(job), spill_directory(job, number), quick=job.quick)
        release_code()  # before the states come
    try:
        for level in range(shard.level + 1, levels):
            _load(job, shard, read_level(job.folder, level))
    except BaseException:
        forget(job, number)
        raise
    _shards[job.identity, job.shards, number] = shard
    return shard


def budget(job: Job) -> int:
    """Bytes for one shard in this process: the stated number, else its share of the memory that was free at the
    beginning.
    """
    if job.budget is not None:
        return job.budget
    share = int(MEMORY_SHARE * available_memory()) // job.beside
    return _shares.setdefault(job.identity, max(LEAST_BUDGET, share // job.held))


def spill_directory(job: Job, number: int) -> Path:
    """Where a shard stores states beyond memory. Spark tells the directories of an executor to its processes."""
    local = os.environ.get("SPARK_LOCAL_DIRS", "").split(",")
    return job.spill or (Path(local[number % len(local)]) if local[0] else job.exchange.scratch)


def _load(job: Job, shard: Shard, level: Level) -> None:
    accepted = expected = 0
    for own in owned(job, shard.source.words, level, shard.number):
        expected += len(own)
        accepted += shard.accept(own)
    if accepted != expected:
        raise WorkDirectoryError(f"{job.folder}: a state of level {level.number} was committed twice")
    shard.advance()


def owned(job: Job, words: int, level: Level, number: int) -> Iterator[States]:
    """The states of a committed level that a shard owns, in pieces."""
    same = level.shards == job.shards
    partition = Partition(words, job.shards)
    for block in level.files:
        if same and block.shard != number:
            continue
        for piece in pieces(job.data, block, words, PIECE):
            yield piece if same else partition.owned(piece, number)


class Outbox:
    """Candidates of one sender for each receiver, in files."""

    def __init__(self, job: Job, shard: Shard) -> None:
        self._router = shard.router
        stem = f"{shard.level + 1:05}-{shard.number:03}-to"
        self._writers = [BlockWriter(job.exchange, stem, receiver) for receiver in range(job.shards)]
        self._waiting: list[list[States]] = [[] for _ in range(job.shards)]
        self._rows = [0] * job.shards

    def send(self, receiver: int, states: States) -> None:
        """Write states (n, words) when there are enough."""
        self._waiting[receiver].append(states)
        self._rows[receiver] += len(states)
        if self._rows[receiver] * states.shape[1] * 8 >= _FLUSH:
            self._flush(receiver)

    def _flush(self, receiver: int) -> None:
        if self._rows[receiver]:
            # a copy, also of one block: a store may read it after the block is taken back
            self._writers[receiver].write(np.concatenate(self._waiting[receiver]))
            for block in self._waiting[receiver]:
                self._router.take_back(block)
            self._waiting[receiver], self._rows[receiver] = [], 0

    def close(self) -> tuple[Block, ...]:
        """The files; each Block's shard is its receiver."""
        for receiver in range(len(self._writers)):
            self._flush(receiver)
        return tuple(block for writer in self._writers for block in writer.close(durable=False))
