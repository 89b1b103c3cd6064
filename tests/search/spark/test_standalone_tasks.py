"""Tasks on a standalone cluster that are no levels of a search: tables of a graph, and the configurations of a sweep. A
process of theirs that stands still costs time only; a cluster without executors is left."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmarks.models import TWO_PHASE_COMMIT
from checker.analysis.graph.query import open_graph
from checker.cli.program import run
from tests.search.spark.processes import below, running
from tests.search.spark.standalone import Standalone
from tests.search.spark.test_faults import STATES, TRANSITIONS, at_level, on_spark, reported, searching

pytestmark = pytest.mark.thorough

PATIENCE = 8.0
PROGRAM = f"""
import sys
from checker.cli.program import run
from checker.search.spark import cluster, driver

cluster.SILENCE_SECONDS = driver.SILENCE_SECONDS = {PATIENCE}
sys.exit(run(sys.argv[1:]))
"""


def command(*arguments: object) -> list[str]:
    """The command line, which misses a task after seconds instead of a minute."""
    return [sys.executable, "-c", PROGRAM, *map(str, arguments)]


def stopped(cluster: Standalone, process: Any, at_work: Callable[[], bool]) -> list[int]:
    """Python processes of tasks on one of the workers, stopped while tasks are at work there."""
    deadline = time.monotonic() + 200
    while process.poll() is None and time.monotonic() < deadline:
        daemons = below(cluster.workers[1].pid, "pyspark.daemon")
        tasks = [number for number in daemons if not below(number, "pyspark.daemon")]
        if tasks and at_work():
            for number in tasks:
                os.kill(number, signal.SIGSTOP)
            return tasks
        time.sleep(0.01)
    pytest.fail("no task was seen at work")


@pytest.fixture
def ended(cluster: Standalone) -> Iterator[None]:
    """No Python process of the cluster is left stopped."""
    yield
    for number in (n for worker in cluster.workers for n in below(worker.pid, "pyspark.daemon")):
        try:
            os.kill(number, signal.SIGKILL)
        except ProcessLookupError:
            pass


def counted(work: Path) -> list[tuple[int, ...]]:
    """What the tables of a search hold, and whether each edge has its target."""
    sql = "SELECT (SELECT count(*) FROM states), count(*), count(target), count(DISTINCT step) FROM edges"
    with open_graph(work) as graph:
        return list(graph.rows(sql).rows)


@pytest.mark.usefixtures("ended")
def test_tables_are_written_although_a_process_stands_still(cluster: Standalone, tmp_path: Path) -> None:
    """Its tasks are begun again, and what the first attempt wrote is no part of the tables."""
    pytest.importorskip("duckdb")
    work = tmp_path / "w"
    subprocess.run(searching(7, work), check=True, capture_output=True, timeout=200)
    asked = command("query", work, "SELECT count(*) FROM edges", "--master", cluster.master)
    process = subprocess.Popen(asked, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def writing() -> bool:
        return any(work.glob("graph-*/watched/alive-*"))

    assert stopped(cluster, process, writing)
    output, errors = process.communicate(timeout=300)
    assert process.returncode == 0, errors
    assert str(TRANSITIONS[7]) in output
    assert [row[:3] for row in counted(work)] == [(STATES[7], TRANSITIONS[7], TRANSITIONS[7])]
    assert not list(work.glob("graph-*/watched")) and not list(work.glob("graph-*/raw"))


def sweeping(cluster: Standalone, found: Path) -> Any:
    """A sweep under way on the cluster."""
    asked = command(
        *("sweep", TWO_PHASE_COMMIT, "-D", "managers=7..9"),
        *("--engine", "spark", "--master", cluster.master, "--json", found),
    )
    return subprocess.Popen(asked, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def guards(cluster: Standalone) -> list[int]:
    """Guards of tasks on one of the workers."""
    return below(cluster.workers[1].pid, "select.select")


@pytest.mark.usefixtures("ended")
def test_a_sweep_ends_although_a_process_stands_still(cluster: Standalone, tmp_path: Path) -> None:
    """Its guard kills it, and Spark begins the task again; the rows are those of a sweep here."""
    process = sweeping(cluster, tmp_path / "found.json")
    assert stopped(cluster, process, lambda: bool(guards(cluster)))
    output, errors = process.communicate(timeout=300)
    assert process.returncode == 0, errors
    assert run(["sweep", TWO_PHASE_COMMIT, "-D", "managers=7..9", "--json", str(tmp_path / "here.json")]) == 0
    rows = [json.loads((tmp_path / name).read_text(encoding="utf-8"))["rows"] for name in ("found.json", "here.json")]
    there, here = ([(r["verdict"], r["distinct"], r["transitions"], r["depth"]) for r in some] for some in rows)
    assert there == here
    assert not guards(cluster)


def test_a_sweep_whose_executors_are_lost_ends(cluster: Standalone, tmp_path: Path) -> None:
    """kill -9 of all workers: exit code 2 after twice the wait for a task, where Spark itself would wait for ever."""
    process = sweeping(cluster, tmp_path / "found.json")
    deadline = time.monotonic() + 200
    while not guards(cluster) and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.01)
    assert process.poll() is None
    for worker in cluster.workers:
        os.kill(worker.pid, signal.SIGKILL)
    _, errors = process.communicate(timeout=300)
    assert process.returncode == 2, errors
    assert "the executors are lost" in errors and "Traceback" not in errors
    assert not [p for p in running() if "select.select" in p.command and "-I -S" in p.command]


def test_a_search_whose_executors_are_lost_ends_and_can_be_resumed(cluster: Standalone, tmp_path: Path) -> None:
    """The only worker that is left is killed in the middle: exit code 2, and one process goes on where it was."""
    for worker in cluster.workers:
        if worker.poll() is None:
            worker.kill()
    cluster.add_worker()
    work = tmp_path / "w"
    process = subprocess.Popen(
        command(*searching(8, work, *on_spark(cluster.master))[3:]), stderr=subprocess.PIPE, text=True
    )
    at_level(work, 12, process)
    cluster.workers[-1].kill()
    _, errors = process.communicate(timeout=300)
    assert process.returncode == 2, errors
    assert "the executors are lost" in errors and f"checker resume {work}" in errors and "Traceback" not in errors
    resumed = [sys.executable, "-m", "checker", "resume", str(work), "--json", "-"]
    reported(subprocess.run(resumed, capture_output=True, text=True, timeout=200).stdout, 8)
