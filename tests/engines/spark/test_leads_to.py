"""Leads-to properties of what Spark explored: tasks decide by shard; verdict and run are those in memory."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from checker.analysis.check import check
from checker.engines.placement import Placement
from checker.language.model import Model
from checker.models import basic_multicast, nack_multicast
from checker.results.verdict import Verdict
from checker.search.spark.removal import Look, Reply
from checker.search.spark.trimming import _ByShard
from tests.engines.spark.test_spark_engine import workers
from tests.search.liveness import protocols
from tests.search.liveness.test_leads_to import SMALL
from tests.search.spark.processes import below

BY_TASKS = "leads-to properties: the levels are expanded once more, by tasks"
PARTITIONS = (1, 2, 3, 4)
EACH_BUILD = {
    (protocols.Draws, 1),
    (basic_multicast.Acknowledged, 2),
    (basic_multicast.AcknowledgeOnce, 3),
    (nack_multicast.KeepLastOnly, 4),
}


def judged(cls: type[Model], constants: dict[str, Any], engine: str, **how: Any) -> list[Any]:
    """Verdicts of leads-to properties, with all that their runs hold."""
    report = check(cls, "", constants, engine=engine, stop_at_first=False, **how)
    found = [p for p in report.properties if p.kind == "leads-to"]
    return [(p.name, p.verdict, p.trace and evolve(p.trace, engine="")) for p in found]


def on_spark(cls: type[Model], constants: dict[str, Any], master: str, partitions: int) -> tuple[list[Any], list[str]]:
    """The same on Spark from the first level on, and what was said."""
    told = list[str]()
    placement = Placement(master=master, partitions=partitions, handover=0, say=told.append)
    return judged(cls, constants, "spark", placement=placement), told


@pytest.mark.parametrize(
    ("cls", "constants", "partitions"),
    [
        pytest.param(cls, c, n, id=f"{n}-{cls.__name__}-{i}", marks=() if found else pytest.mark.thorough)
        for i, (cls, c) in enumerate(SMALL)
        for n in PARTITIONS
        for found in [(cls, n) in EACH_BUILD and c.get("channels") != "fifo"]
    ],
)
def test_verdicts_and_runs_are_those_in_memory(
    spark: str, cls: type[Model], constants: dict[str, Any], partitions: int
) -> None:
    """Step by step, around the cycle too; and no process decides alone."""
    found, told = on_spark(cls, constants, spark, partitions)
    assert found == judged(cls, constants, "native")
    if any(line.startswith("spark: ") for line in told) and found:  # else the search ended before Spark began
        assert [line for line in told if not line.startswith("spark: ")] == [BY_TASKS]


@pytest.mark.parametrize("engine", ["native", "spark"])
def test_a_finished_search_that_is_resumed_is_decided_by_tasks(spark: str, tmp_path: Path, engine: str) -> None:
    """Whichever engine stored it, and for another number of partitions; verdict and run are those in memory."""
    cls, constants = basic_multicast.AcknowledgeOnce, {"workload": (1, 0), "losses": 1}
    expected = judged(cls, constants, "native")
    assert expected[0][1] is Verdict.VIOLATED
    told = list[str]()
    placement = Placement(tmp_path, master=spark, partitions=2, handover=0, say=told.append)
    assert judged(cls, constants, engine, placement=placement) == expected
    told.clear()
    resumed = evolve(placement, resume=True, partitions=3)
    assert judged(cls, constants, "spark", placement=resumed) == expected
    assert told == [BY_TASKS]


def test_a_small_search_that_is_resumed_is_decided_here(tmp_path: Path) -> None:
    """Its levels have fewer states than those for which Spark starts: a master that does not exist is never called."""
    cls, constants = basic_multicast.AcknowledgeOnce, {"workload": (1, 0), "losses": 1}
    told = list[str]()
    placement = Placement(tmp_path, master="spark://nowhere.invalid:7077", say=told.append)
    expected = judged(cls, constants, "spark", placement=placement)
    assert judged(cls, constants, "spark", placement=evolve(placement, resume=True)) == expected
    assert told == ["leads-to properties: the levels are expanded once more, in this process"]


@pytest.mark.thorough
@pytest.mark.parametrize("stage", [1, 3, 6])
@pytest.mark.parametrize("kind", [Look, Reply])
def test_lost_processes_do_not_show(spark: str, kind: type[Any], stage: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """kill -9 of all Python workers before a stage: what they kept is read from files."""
    run: Callable[..., Any] = _ByShard._stage
    seen: list[Any] = []

    def struck(self: Any, work: Any) -> Any:
        seen.append(work)
        if isinstance(work, kind) and sum(isinstance(one, kind) for one in seen) == stage:
            for process in workers():
                with suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)
        return run(self, work)

    monkeypatch.setattr(_ByShard, "_stage", struck)
    cls, constants = basic_multicast.AcknowledgeOnce, {"workload": (1, 0), "losses": 1}
    found, _ = on_spark(cls, constants, spark, 3)
    assert found == judged(cls, constants, "native")
    assert sum(isinstance(one, kind) for one in seen) >= stage


@pytest.mark.thorough
def test_lost_executors_do_not_show(executors: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Java processes of executors are killed while states are removed: others take their shards."""
    run: Callable[..., Any] = _ByShard._stage
    struck: list[int] = []

    def strike(self: Any, work: Any) -> Any:
        if isinstance(work, Reply) and not struck:
            struck.extend(below(os.getpid(), "CoarseGrainedExecutorBackend")[:1])
            for process in struck:
                os.kill(process, signal.SIGKILL)
        return run(self, work)

    monkeypatch.setattr(_ByShard, "_stage", strike)
    cls, constants = basic_multicast.AcknowledgeOnce, {"workload": (1, 0), "losses": 1}
    found, told = on_spark(cls, constants, executors, 3)
    assert struck and told[-1] == BY_TASKS
    assert found == judged(cls, constants, "native")
