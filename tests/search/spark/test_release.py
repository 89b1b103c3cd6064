"""What a worker does not hold: pages of libraries' code, which are given back before a shard's states come and read
again where they are needed, and files that it has read.
"""

from __future__ import annotations

import subprocess
import sys
import weakref
from pathlib import Path
from typing import Any, cast

import pytest

from checker.contract import Source
from checker.search.breadth_first import search
from checker.search.checkpoint import Checkpoint
from checker.search.limits import Limits
from checker.search.spark import job as jobs
from checker.search.spark import stages
from checker.search.spark.driver import Driver
from checker.search.spark.job import Job, shard_at
from checker.search.workdir import WorkDirectory
from tests.search.graphs import GraphSource, counting
from tests.search.spark.tasks import HereTasks
from tests.search.test_breadth_first import random_graph

PROGRAM = """
from checker.search.seen_set_native import library
from checker.search.memory import resident
from checker.search.spark.release import release_code
library(1, True)
before = resident()
mappings = release_code()
after = resident()
library(2, True)
print(mappings, before, after)
"""


@pytest.mark.skipif(not Path("/proc/self/smaps").exists(), reason="the system does not tell mappings")
def test_memory_of_code_is_given_back_and_the_code_still_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """LLVM compiles for one word, gives back 15 MB and more, and compiles for two."""
    ran = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    mappings, before, after = map(int, ran.stdout.split())
    assert mappings > 5
    assert after < before - (15 << 20)


def test_a_worker_gives_code_back_for_each_shard_that_it_builds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before the states of stored levels are read; not for a shard that it has."""
    built = list[int]()
    monkeypatch.setattr(jobs, "release_code", lambda: built.append(len(jobs._shards)))
    source = GraphSource(random_graph(100, 3), counting(100, 1))
    with WorkDirectory.create(tmp_path, {}) as work:
        search(cast(Source, source), checkpoint=Checkpoint(work, source.words, 0))
        job = Job("released", lambda: cast(Source, source), work.folder, 2, held=2)
        for number in (0, 1, 0, 1):
            shard_at(job, number, 1)
    assert built == [0, 1]


def test_files_of_candidates_are_mapped_one_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker that held the last one while it reads the next would need memory for two."""
    read, mapped, numbers = stages.read_block, list[weakref.ref[Any]](), list[int]()

    def mapping(*given: Any) -> Any:
        numbers.append(sum(former() is not None for former in mapped))
        found = read(*given)
        mapped.append(weakref.ref(found))
        return found

    monkeypatch.setattr(stages, "read_block", mapping)
    source = cast(Source, GraphSource(random_graph(1_000, 3), counting(1_000, 1)))
    with WorkDirectory.create(tmp_path, {}) as work:
        search(source, checkpoint=Checkpoint(work, 1, 0))
        job = Job("mapped", lambda: source, work.folder, 2)
        Driver(work, job, HereTasks(), source.findings, Limits(), True).run()
        assert sum(level.rows for level in work.levels) > 900
    assert len(numbers) > 10 and not any(numbers)
