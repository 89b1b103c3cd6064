"""Leads-to properties by shard: states are removed by tasks, each those of its shard, and what the oracle says comes
out, for any number of shards and whatever process a task meets."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from functools import partial
from itertools import count, cycle
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from attrs import define, evolve

from checker.analysis.check import check
from checker.engines import committed, spilling, stored_runs
from checker.engines.placement import Placement, Spill
from checker.results.verdict import Verdict
from checker.search import out_of_core, trimming
from checker.search.folders import folder_at
from checker.search.limits import Limits
from checker.search.spark import job as jobs
from checker.search.spark.failures import TasksFailed
from checker.search.spark.job import Job
from checker.search.spark.trimming import Tasks, trimmed_by_shard
from tests.search.liveness import protocols
from tests.search.liveness.comparing import differences
from tests.search.liveness.test_random_runs import drawn
from tests.search.spark.tasks import HereStages, HereTasks


@define
class _Restless(HereStages):
    """Each third stage fails after its tasks; before each fourth task the process is a new one."""

    def run(self, argument: Any, exchange: Any, listener: Any) -> Any:
        done = super().run(argument, exchange, listener)
        if next(STAGES) % 3 == 2:
            raise TasksFailed("lost")
        return done


STAGES, TASKS = count(), count()


@define
class _Losing(HereTasks):
    def recurring(self, function: Callable[..., Any], fixed: Any, many: int, silence: float) -> HereStages:
        def forgetful(fixed: Any, argument: Any, number: int) -> Any:
            if next(TASKS) % 4 == 3:
                jobs._sources.clear()
                jobs._kept.clear()
            return function(fixed, argument, number)

        return _Restless(self, forgetful, fixed, many)


class ByShard:
    """Searches whose levels are in work directories and whose leads-to properties are decided by shard."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder, self.number, self.told = folder, 0, list[str]()
        self.tasks: HereTasks = HereTasks()
        self.shards, self.held = cycle((1, 2, 3, 4)), cycle((4, 1))
        monkeypatch.setattr(spilling, "available_memory", lambda: 0)
        monkeypatch.setattr(spilling, "gc", SimpleNamespace(collect=lambda: 0))
        monkeypatch.setattr(out_of_core, "LEAST_STATES", 8)
        monkeypatch.setattr(trimming, "BLOCK", 10)
        monkeypatch.setattr(stored_runs, "within_process", lambda limits: evolve(limits, max_memory=1 << 30))
        monkeypatch.setattr(committed, "stored_behaviour", self.stored_behaviour)

    def stored_behaviour(self, request: Any, kernel: Any, *others: Any) -> Any:
        """With tasks in this process."""

        def trim(judged: Any, sizes: Any, limits: Limits) -> Any:
            job = Job(uuid.uuid4().hex, bool, request.placement.workdir, next(self.shards), held=next(self.held))  # type: ignore[arg-type]
            return trimmed_by_shard(cast(Tasks, self.tasks), job, judged, kernel.words, sizes, limits)

        return stored_runs.stored_behaviour(request, kernel, *others[:3], trim)

    @property
    def placement(self) -> Placement:
        """Another work directory each time."""
        self.number += 1
        return Placement(self.folder / str(self.number), say=self.told.append, spill=Spill(self.folder))

    def compared(self, seeds: range) -> list[str]:
        """The verdicts of the oracle; AssertionError if a search differs, or leaves files behind."""
        verdicts = []
        for seed in seeds:
            found = drawn(seed, self.folder)
            if found is not None and found[2].runs.states:
                text, cls, oracle = found
                placement = self.placement
                different = list(differences(cls, oracle, placement=placement))
                assert not different, f"seed {seed}: {different}\n{text}"
                assert folder_at(cast(Path, placement.workdir) / "exchange").names() == []
                verdicts += [oracle.verdict(name) for name in oracle.judged]
        assert self.told.count("leads-to properties: the levels are expanded once more, by tasks") >= len(seeds) // 2
        return verdicts


@pytest.fixture
def by_shard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ByShard:
    return ByShard(tmp_path, monkeypatch)


def removing_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """States are removed as long as that is possible, however much room there is."""
    rounds: Callable[..., Any] = trimming.rounds
    monkeypatch.setattr(
        "checker.search.spark.trimming.rounds", lambda once, _: rounds(once, lambda left: not left.states)
    )


def test_random_models_are_judged_by_shard_as_the_oracle_judges_them(by_shard: ByShard) -> None:
    """One to four shards, of which a process keeps all or one: verdicts, and runs that break what is violated."""
    verdicts = by_shard.compared(range(9))
    assert min(verdicts.count("holds"), verdicts.count("violated")) > 4


def test_lost_tasks_and_processes_do_not_show(by_shard: ByShard, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stages fail and are run again, and processes are new ones, which read the removed states from their files."""
    by_shard.tasks = _Losing()
    removing_all(monkeypatch)
    verdicts = by_shard.compared(range(5800, 5806))
    assert {"holds", "violated"} <= set(verdicts)


@pytest.mark.thorough
@pytest.mark.parametrize("lost", [False, True])
@pytest.mark.parametrize("first", [6000, 6100])
def test_many_random_models_are_judged_by_shard_as_the_oracle_judges_them(
    first: int, lost: bool, by_shard: ByShard, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same of hundreds, until nothing more can be removed."""
    by_shard.tasks = _Losing() if lost else HereTasks()
    removing_all(monkeypatch)
    verdicts = by_shard.compared(range(first, first + 40))
    assert min(verdicts.count("holds"), verdicts.count("violated")) > 10


def test_tasks_that_keep_failing_end_the_decision(by_shard: ByShard) -> None:
    """After four attempts of a stage, with the reason."""

    class Failing(HereTasks):
        attempts = 0

        def recurring(self, *_: Any) -> Any:
            return self

        def run(self, *_: Any) -> Any:
            Failing.attempts += 1
            raise TasksFailed("no room")

    by_shard.tasks = Failing()
    with pytest.raises(TasksFailed, match="no room"):
        check(protocols.Draws, "", placement=by_shard.placement)
    assert Failing.attempts == 4


def test_a_limit_of_time_ends_the_decision_by_shard(by_shard: ByShard, monkeypatch: pytest.MonkeyPatch) -> None:
    """The property is undecided, and the limit is named."""
    ended = partial(by_shard.stored_behaviour)
    late = Limits(max_seconds=0.0).begun()
    monkeypatch.setattr(committed, "stored_behaviour", lambda *given: evolve(ended(*given), limits=late))

    class Slow(HereTasks):
        def recurring(self, *_: Any) -> Any:
            return self

        def run(self, _: Any, __: Any, listener: Any) -> Any:  # type: ignore[override]
            return None if listener.over() else []

    by_shard.tasks = Slow()
    (found,) = (p for p in check(protocols.Draws, "", placement=by_shard.placement).properties if p.kind == "leads-to")
    assert found.verdict is Verdict.UNKNOWN and "seconds" in str(found.reason)
