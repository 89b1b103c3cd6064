"""Where the tasks of a search run: each shard on an executor of its own, as long as that is there."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from checker.search.folders import folder_at
from checker.search.spark.alive import Alive
from checker.search.spark.cluster import connect
from checker.search.spark.recurring import Place, settled
from checker.search.spark.session import executors_of
from tests.search.spark.processes import running

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.thorough
def test_a_shard_prefers_the_same_executor_at_each_level(executors: str) -> None:
    """Four shards on two executors: two on each, which Spark knows from the partitions of the stage."""
    tasks = connect(executors)
    there = executors_of(tasks.context)
    stages = tasks.recurring(int, None, 4, 60.0)
    scheduler, numbers = tasks.context._jsc.sc(), stages.numbers._jrdd.rdd()
    found = [str(scheduler.getPreferredLocs(numbers, shard).mkString()) for shard in range(4)]
    assert len(there) == 2
    assert found == [f"executor_{there[shard % 2][1]}_{there[shard % 2][0]}" for shard in range(4)]


A, B, C = ("0", "host"), ("1", "host"), ("2", "other")


def test_shards_are_spread_evenly_over_executors_and_their_processes() -> None:
    """Also over the processes of a local master, which has no executors."""
    assert settled((), 4, [A, B], 2) == (Place(A, 0), Place(B, 0), Place(A, 1), Place(B, 1))
    assert settled((), 3, [A, B], 1) == (Place(A, 0), Place(B, 0), Place(A, 0))
    assert settled((), 3, [], 2) == (Place(None, 0), Place(None, 1), Place(None, 0))


@given(st.integers(1, 9), st.lists(st.sets(st.sampled_from("012345"), min_size=1), min_size=1, max_size=4))
def test_when_executors_come_and_go_a_shard_keeps_its_place_if_it_can(count: int, there: list[set[str]]) -> None:
    """No executor ever has more than its share, and one that has no more stays with the shards that it has."""
    places: tuple[Place, ...] = ()
    for names in there:
        executors = [(name, "host") for name in sorted(names)]
        share = -(-count // len(executors))
        former, places = places, settled(places, count, executors, 2)
        assert len(places) == count
        for executor in executors:
            before = {number for number, place in enumerate(former) if place.executor == executor}
            now = {number for number, place in enumerate(places) if place.executor == executor}
            assert len(now) <= share and len(before & now) == min(len(before), share)
            processes = [places[number].process for number in now - before]
            assert before or abs(processes.count(0) - processes.count(1)) <= 1


class Silent:
    """Who hears nothing and wants all."""

    def hear(self, shards: Sequence[Alive]) -> None: ...

    def over(self) -> bool:
        return False


@pytest.mark.thorough
def test_the_shard_of_a_lost_executor_gets_another_place(
    executors: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It prefers one that is there, and the other shard stays where it was."""
    tasks, exchange = connect(executors), folder_at(tmp_path)
    monkeypatch.setitem(tasks.context.environment, "PYTHONPATH", str(ROOT))  # where executors find `process`
    exchange.make()
    stages = tasks.recurring(process, None, 2, 60.0)
    former = stages.places
    pids = stages.run(None, exchange, Silent())
    assert pids is not None and pids == stages.run(None, exchange, Silent())
    lost = next(p.parent for p in running() if p.pid == next(q.parent for q in running() if q.pid == pids[1]))
    os.kill(lost, signal.SIGKILL)
    deadline = time.monotonic() + 60
    while former[1].executor in executors_of(tasks.context) and time.monotonic() < deadline:
        time.sleep(0.1)
    again = stages.run(None, exchange, Silent())
    assert again is not None and again[0] == pids[0]
    assert stages.places[0] == former[0] and stages.places[1].executor != former[1].executor
    place = stages.places[1].executor
    assert place is not None and place in executors_of(tasks.context)
    found = tasks.context._jsc.sc().getPreferredLocs(stages.numbers._jrdd.rdd(), 1).mkString()
    assert str(found) == f"executor_{place[1]}_{place[0]}"


def process(_: Any, argument: None, number: int) -> int:
    """The process of a task; it takes so long that each task has one of its own, as in a search."""
    time.sleep(0.5)
    return os.getpid()
