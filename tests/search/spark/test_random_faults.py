"""A random walk over faults: whatever happens at whatever moment, a search on shards ends with the counts of one
process, after it was resumed if need be, or refuses a damaged directory by the name of a file.

Faults strike at a random operation: a disk that is full from then on, an error of the disk, a task that is lost, alone
or with all that processes have in memory, the end of the driver, a file of the work directory that is cut, changed or
missing. The order of operations of the two threads of a task is the system's, so a seed fixes what happens, and about
when.
"""

from __future__ import annotations

import errno
import os
import random
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from attrs import define

from checker.contract import Source
from checker.search.block_files import read_block
from checker.search.breadth_first import search
from checker.search.checkpoint import Checkpoint
from checker.search.disk import Disk
from checker.search.folders import LocalFolder
from checker.search.limits import Limits
from checker.search.spark import job as jobs
from checker.search.spark.driver import Driver, SearchFailed
from checker.search.spark.failures import TasksFailed
from checker.search.spark.job import Job
from checker.search.workdir import WorkDirectory
from checker.stored.errors import StoredFileError
from tests.search.graphs import GraphSource, counting, levels_of
from tests.search.spark.tasks import HereTasks
from tests.search.test_breadth_first import random_graph

FAULTS = ("full", "error", "lost", "killed", "cut", "changed", "missing")
DAMAGES = FAULTS[4:]
MOST_OPERATIONS = 700
"""Of a search with spilled states: about so many are counted."""
ROUNDS = 12


class Killed(BaseException):
    """The driver ends here."""


@define
class Faults:
    """Strikes at an operation, by its number."""

    kind: str
    at: int
    directory: Path
    chance: random.Random
    count: int = 0
    struck: bool = False
    working: bool = False
    """Whether a task is under way."""

    def step(self, writes: bool = False) -> None:
        """One operation."""
        self.count += 1
        if self.count < self.at or (self.struck and not (self.kind == "full" and writes)):
            return
        if self.kind in ("full", "error"):
            if writes:
                self.struck = True
                number = errno.ENOSPC if self.kind == "full" else errno.EIO
                raise OSError(number, os.strerror(number))
            return
        if self.kind == "lost" and not self.working:
            return
        self.struck = True
        if self.kind == "lost":
            if self.chance.random() < 0.5:  # else other processes keep what they have
                jobs._shards.clear()
            raise TasksFailed("a task was lost")
        if self.kind == "killed":
            raise Killed
        self._damage()

    def _damage(self) -> None:
        there = sorted(p for p in self.directory.rglob("*") if p.is_file() and p.name != "driver.lock")
        there = [p for p in there if not p.name.startswith("alive-")]
        file = self.chance.choice(there)
        data = bytearray(file.read_bytes())
        if self.kind == "missing" or not data:
            file.unlink()
        elif self.kind == "cut":
            file.write_bytes(data[: self.chance.randrange(len(data))])
        else:
            place = self.chance.randrange(len(data))
            data[place] ^= 1 << self.chance.randrange(8)
            other = file.with_name(file.name + "-changed")  # a file that is mapped into memory stays as it was
            other.write_bytes(data)
            other.replace(file)


@pytest.fixture
def striking(monkeypatch: pytest.MonkeyPatch) -> Callable[[Faults | None], None]:
    """Has faults strike from now on, or none."""
    now: list[Faults | None] = [None]

    def step(name: str, writes: bool) -> None:
        if now[0] is not None and not name.startswith("alive-") and threading.current_thread().name != "watch":
            now[0].step(writes)

    def before(kind: type, method: str, writes: bool, after: bool = False) -> None:
        original = getattr(kind, method)

        def counted(self: Any, *arguments: Any, **options: Any) -> Any:
            name = str(getattr(arguments[0], "name", arguments[0]) if arguments else "").rpartition("/")[2]
            step(name, writes)
            found = original(self, *arguments, **options)
            if after:
                step(name, False)
            return found

        monkeypatch.setattr(kind, method, counted)

    for method in ("create", "finish"):
        before(LocalFolder, method, True)
    before(LocalFolder, "publish", True, after=True)
    for method in ("read", "words", "remove"):
        before(LocalFolder, method, False)
    spilled = Disk.write

    def write(self: Disk, file: Any, data: memoryview) -> None:
        try:
            step("", True)
        except OSError as error:
            raise self._failed(error) from None
        spilled(self, file, data)

    monkeypatch.setattr(Disk, "write", write)
    run = HereTasks.run

    def task(self: HereTasks, function: Any, argument: Any, count: int, *rest: Any) -> list[Any]:
        def watched(argument: Any, number: int) -> Any:
            if now[0] is None:
                return function(argument, number)
            now[0].working = True
            try:
                step("", False)
                return function(argument, number)
            finally:
                now[0].working = False

        return run(self, watched, argument, count, *rest)

    monkeypatch.setattr(HereTasks, "run", task)

    def strike(faults: Faults | None) -> None:
        now[0] = faults

    return strike


def attempt(source: GraphSource, path: Path, shards: int, memory: int | None) -> None:
    """Begin a search, or go on with it, in a process that has nothing in memory yet."""
    jobs._shards.clear()
    jobs._sources.clear()
    if not (path / "search.json").exists() and not any(path.rglob("*.json")):
        work = WorkDirectory.create(path, {})
    else:
        work = WorkDirectory.open(path)
    killed = False
    try:
        if not work.levels:
            search(cast(Source, source), stop_at_first=False, checkpoint=Checkpoint(work, source.words, 0))
        job = Job(str(path), lambda: cast(Source, source), path, shards, memory)
        Driver(work, job, HereTasks(), source.findings, Limits(), False).run()
    except Killed:
        killed = True
        raise
    finally:
        if killed and work._claim is not None:
            work._claim.release()  # all that the system does for a process that was killed
        else:
            work.close()


def stored(source: GraphSource, path: Path) -> tuple[list[set[bytes]], int]:
    """The states of each level of a directory, and all transitions."""
    with WorkDirectory.open(path) as work:
        levels = [
            {bytes(row) for block in level.files for row in np.array(read_block(work.data, block, source.words))}
            for level in work.levels
            if level.rows
        ]
        assert [len(level) for level in levels] == [level.rows for level in work.levels if level.rows]
        return levels, sum(level.counters[-3] for level in work.levels)


SEEDS = [pytest.param(seed, marks=[pytest.mark.thorough] if seed % 80 else []) for seed in range(400)]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_search_with_faults_ends_exactly_or_is_refused(
    seed: int, striking: Callable[[Faults | None], None], tmp_path: Path
) -> None:
    """Three faults, one after the other; then none."""
    chance = random.Random(seed)
    source = GraphSource(random_graph(1_500, 3), counting(1_500, 1 + seed % 2))
    whole = search(cast(Source, source), stop_at_first=False)
    shards, memory = chance.choice([1, 2, 3]), chance.choice([None, 1 << 12])
    path = tmp_path / "w"
    damaged = False
    for round_ in range(ROUNDS):
        kind = chance.choice(FAULTS) if round_ < 3 else None
        faults = None if kind is None else Faults(kind, chance.randrange(1, MOST_OPERATIONS), path, chance)
        striking(faults)
        try:
            attempt(source, path, shards, memory)
            break
        except (StoredFileError, SearchFailed, Killed, OSError) as error:
            damaged |= faults is not None and faults.struck and kind in DAMAGES
            assert (faults is not None and faults.struck) or damaged, "nothing had gone wrong"
            assert isinstance(error, Killed) or str(error), "an error says what is wrong"
            if faults is None and damaged:
                assert isinstance(error, StoredFileError) and str(path) in str(error)
                return
        finally:
            damaged |= faults is not None and faults.struck and kind in DAMAGES
            striking(None)
    else:
        pytest.fail("the search does not end")
    try:
        levels, transitions = stored(source, path)
    except StoredFileError as error:
        assert damaged and str(path) in str(error)
        return
    assert levels == [set(map(bytes, states)) for states in levels_of(whole)]
    assert transitions == whole.transitions
