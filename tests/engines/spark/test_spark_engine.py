"""The same model, natively and on Spark: the same counts, findings and paths, whatever the partition."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import checker
from benchmarks.models import TWO_PHASE_COMMIT
from checker.catalogue import find
from checker.engines import spark
from checker.engines.explored import Explored
from checker.engines.placement import Placement
from checker.engines.registry import explore
from checker.engines.request import Request
from checker.engines.shipped import shipped_kernel
from checker.frontend.lower import lower
from checker.language.define import define
from checker.language.definition import Definition
from checker.language.errors import UsageError
from checker.search.limits import Limits
from checker.search.spark.driver import Driver, SearchFailed
from checker.search.workdir import WorkDirectory
from tests.search.spark.processes import below, running
from tests.search.spark.test_work_directory import told

MODELS: list[tuple[str, dict[str, Any]]] = [
    (TWO_PHASE_COMMIT, {"managers": 4}),
    ("basic_multicast:Ordered", {}),
    ("isis:SmallestProposal", {"workload": (1, 1)}),
    ("byzantine_generals:OneRound", {}),
]


def case(name: str, constants: dict[str, Any]) -> Definition:
    return define(find(name).cls, constants, None)


def natively(definition: Definition, stop_at_first: bool = True) -> Explored:
    return explore(Request(definition, stop_at_first=stop_at_first))


def on_spark(
    definition: Definition, name: str, placement: Placement, stop_at_first: bool = True, limits: Limits = Limits()
) -> Explored:
    return explore(
        Request(definition, name, engine="spark", placement=placement, limits=limits, stop_at_first=stop_at_first)
    )


@pytest.mark.parametrize(
    "name, constants, partitions",
    [
        pytest.param(n, c, p, id=f"{p}-{n}", marks=() if p == 2 + i % 2 else pytest.mark.thorough)
        for i, (n, c) in enumerate(MODELS)
        for p in (2, 3)
    ],
)
def test_a_search_on_spark_tells_what_one_thread_tells(
    spark: str, name: str, constants: dict[str, Any], partitions: int
) -> None:
    """Counts, levels, action counts, all findings and the states that lead to them; outcomes too."""
    definition = case(name, constants)
    expected = natively(definition, False)
    placement = Placement(master=spark, partitions=partitions, handover=50)
    explored = on_spark(definition, name, placement, False)
    assert told(explored) == told(expected)
    if definition.model.outcome:
        assert explored.outcomes() == expected.outcomes()


@pytest.mark.parametrize("partitions", [1, 2, 3, 8])
def test_the_number_of_partitions_does_not_show(spark: str, partitions: int) -> None:
    """Also not where it exceeds the tasks that run at once; a violation ends the search at the same level."""
    definition = case("basic_multicast:Ordered", {})
    explored = on_spark(
        definition, "basic_multicast:Ordered", Placement(master=spark, partitions=partitions, handover=0)
    )
    assert told(explored) == told(natively(definition))


def test_a_small_search_never_starts_spark(tmp_path: Path) -> None:
    """A master that does not exist is never called."""
    definition = case(TWO_PHASE_COMMIT, {"managers": 3})
    explored = on_spark(definition, TWO_PHASE_COMMIT, Placement(tmp_path, master="spark://nowhere.invalid:7077"))
    assert told(explored) == told(natively(definition))


@pytest.mark.parametrize("partitions, memory", [(2, (1 << 20) - 1), (4, (2 << 20) - 1)])
def test_too_little_memory_for_a_shard_is_said(spark: str, partitions: int, memory: int) -> None:
    """Each needs a megabyte to begin with; of four, each of the two processes has two."""
    definition = case(TWO_PHASE_COMMIT, {"managers": 3})
    with pytest.raises(UsageError, match="bytes of memory for a shard are too few"):
        on_spark(
            definition,
            TWO_PHASE_COMMIT,
            Placement(master=spark, partitions=partitions, handover=0, worker_memory=memory),
        )


def test_partitions_and_task_slots_are_told(spark: str) -> None:
    """There may be more partitions than tasks that run at once."""
    definition = case(TWO_PHASE_COMMIT, {"managers": 3})
    lines: list[str] = []
    for partitions in (2, 3):
        on_spark(
            definition, TWO_PHASE_COMMIT, Placement(master=spark, partitions=partitions, handover=0, say=lines.append)
        )
    assert lines[::2] == ["spark: 2 partitions, 2 task slots", "spark: 3 partitions, 2 task slots"]
    assert all("MB between shards" in line for line in lines[1::2])


def test_a_search_changes_engines_and_partitions_between_levels(spark: str, tmp_path: Path) -> None:
    """Natively to depth 4, on three partitions to 8, on two to 12, natively to the end."""
    name, definition = TWO_PHASE_COMMIT, case(TWO_PHASE_COMMIT, {"managers": 5})
    explore(Request(definition, name, limits=Limits(max_depth=4), placement=Placement(tmp_path)))
    on_spark(definition, name, Placement(tmp_path, True, spark, 3), limits=Limits(max_depth=8))
    on_spark(definition, name, Placement(tmp_path, True, spark, 2), limits=Limits(max_depth=12))
    explored = explore(Request(definition, name, placement=Placement(tmp_path, resume=True)))
    assert told(explored) == told(natively(definition))


def test_a_network_that_is_too_small_starts_the_search_over(spark: str) -> None:
    """Packed states have room for a number of messages that is a guess; a wrong guess costs time only."""
    name = "nack_multicast"
    definition = case(name, {})
    explored = on_spark(definition, name, Placement(master=spark, partitions=2, handover=0), limits=Limits(max_depth=6))
    expected = explore(Request(definition, limits=Limits(max_depth=6)))
    assert (explored.distinct, explored.transitions, explored.bound) == (
        expected.distinct,
        expected.transitions,
        "depth",
    )


# ---- faults


def workers() -> list[int]:
    """The Python workers of this process's Spark. (Java has the name of the daemon in its command, too.)"""
    daemons = below(os.getpid(), "-m checker.search.spark.daemon")
    parents = {process.pid: process.parent for process in running()}
    return [p for p in daemons if parents.get(p) in daemons]


@pytest.mark.parametrize("name", ["SIGKILL", "SIGSTOP"])
def test_a_worker_that_dies_or_stops_costs_time_only(spark: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """kill -9, or a process that is stopped and never goes on, in the middle of a search. (Spark itself waits for a
    stopped task.)"""
    # twice that must be more than Spark takes to be rid of a stopped worker, 4 s on an idle machine
    monkeypatch.setattr("checker.search.spark.driver.SILENCE_SECONDS", 5.0)
    commit: Callable[..., None] = WorkDirectory.commit
    hit: list[int] = []

    def commit_and_strike(self: WorkDirectory, level: Any) -> None:
        commit(self, level)
        if level.number == 8 and not hit:
            hit.append(workers()[0])
            os.kill(hit[0], getattr(signal, name))

    monkeypatch.setattr(WorkDirectory, "commit", commit_and_strike)
    definition = case(TWO_PHASE_COMMIT, {"managers": 5})
    try:
        explored = on_spark(definition, TWO_PHASE_COMMIT, Placement(master=spark, partitions=2, handover=0))
    finally:
        for stopped in hit:  # which Spark may hold for idle: it would give it the next test's task, and wait
            with suppress(ProcessLookupError):
                os.kill(stopped, signal.SIGKILL)
    assert hit
    assert told(explored) == told(natively(definition))


def test_a_directory_that_becomes_read_only_ends_a_search_that_goes_on_when_it_is_not(
    spark: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Found by tasks in the middle of the search; no attempt is made again, and what was committed stays."""
    data = tmp_path / "w" / "data"
    commit: Callable[..., None] = WorkDirectory.commit

    def mounted(*arguments: object) -> bool:
        return subprocess.run(["mount", *map(str, arguments)], capture_output=True).returncode == 0

    def commit_and_mount(self: WorkDirectory, level: Any) -> None:
        commit(self, level)
        if level.number == 8 and not (mounted("--bind", data, data) and mounted("-o", "remount,bind,ro", data)):
            pytest.skip("directories cannot be mounted here")

    name, definition = TWO_PHASE_COMMIT, case(TWO_PHASE_COMMIT, {"managers": 5})
    monkeypatch.setattr(WorkDirectory, "commit", commit_and_mount)
    try:
        with pytest.raises(UsageError, match="it is on a read-only file system"):
            on_spark(definition, name, Placement(tmp_path / "w", master=spark, partitions=2, handover=0))
    finally:
        subprocess.run(["umount", "-l", str(data)], capture_output=True)
    monkeypatch.undo()
    explored = on_spark(definition, name, Placement(tmp_path / "w", True, spark, 2))
    assert told(explored) == told(natively(definition))


def test_tasks_of_a_command_begin_with_optimised_code_and_those_of_tests_with_quick_code(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A search that came to Spark is a long one."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))  # where no code is, which would be taken, whichever it is
    model = lower(case("basic_multicast:Ordered", {}))
    first: Any = shipped_kernel(model, spark.QUICK)()
    second: Any = shipped_kernel(model, False)()
    assert spark.QUICK and first.quick and not second.quick
    program = "from checker.engines import spark; print(spark.QUICK)"
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True).stdout == "False\n"


def test_a_program_searches_on_spark_by_the_public_function(spark: str, tmp_path: Path) -> None:
    """`checker.check(engine="spark")` begins on Spark where the handover is 0, and `resume` goes on there."""
    native = checker.check("isis", workload=(1, 1, 0))
    found = checker.check("isis", workload=(1, 1, 0), engine="spark", master=spark, handover=0)
    assert (found.verdict, found.levels, found.transitions) == ("holds", native.levels, native.transitions)
    checker.check("isis", workload=(1, 1, 0), workdir=tmp_path / "w", max_states=500)
    resumed = checker.resume(tmp_path / "w", engine="spark", master=spark, handover=0)
    assert (resumed.verdict, resumed.levels, resumed.transitions) == ("holds", native.levels, native.transitions)


def test_a_directory_that_is_removed_is_not_named_to_be_resumed(spark: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without --workdir levels are in a temporary directory, which ends with the command."""

    def lost(_: object) -> None:
        raise SearchFailed("the executors are lost")

    monkeypatch.setattr(Driver, "run", lost)
    with pytest.raises(UsageError, match="With --workdir the search could be resumed") as error:
        on_spark(case(TWO_PHASE_COMMIT, {"managers": 3}), TWO_PHASE_COMMIT, Placement(master=spark, handover=0))
    assert "checker resume" not in str(error.value)
