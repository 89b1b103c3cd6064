"""Faults of machines and disks, each in processes of its own: the report afterwards is the one without them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmarks.models import TWO_PHASE_COMMIT
from checker.cli.program import run
from tests.search.spark.processes import below, running

STATES = {4: 1_568, 6: 50_816, 7: 296_448, 8: 1_745_408}
TRANSITIONS = {4: 8_257, 6: 402_305, 7: 2_744_705, 8: 18_507_777}


def command(*arguments: object) -> list[str]:
    return [sys.executable, "-m", "checker", *map(str, arguments)]


def searching(managers: int, workdir: Path, *arguments: object) -> list[str]:
    return command("check", TWO_PHASE_COMMIT, "-D", f"managers={managers}", "--workdir", workdir, *arguments)


def on_spark(master: str) -> tuple[object, ...]:
    return ("--engine", "spark", "--master", master, "--handover", 0, "--partitions", 2)


def reported(output: str, managers: int) -> None:
    """The counts that every checker finds."""
    report = json.loads(output)
    assert (report["distinct"], report["transitions"], report["verdict"]) == (
        STATES[managers],
        TRANSITIONS[managers],
        "holds",
    )


def levels_committed(workdir: Path) -> int:
    """How many levels a search has committed so far."""
    return len(list((workdir / "levels").glob("*.json"))) if (workdir / "levels").exists() else 0


def at_level(workdir: Path, level: int, process: Any) -> None:
    """Wait until a search has committed so many levels."""
    deadline = time.monotonic() + 150
    while levels_committed(workdir) < level and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.005)
    assert levels_committed(workdir) >= level


@pytest.mark.thorough
def test_executors_of_their_own_find_the_same(executors: str, tmp_path: Path) -> None:
    """local-cluster: executors are processes that share nothing with the driver but the work directory."""
    found = tmp_path / "found.json"
    arguments = ["-D", "managers=4", *map(str, on_spark(executors)), "--workdir", str(tmp_path / "w")]
    assert run(["check", TWO_PHASE_COMMIT, *arguments, "--json", str(found)]) == 0
    reported(found.read_text(encoding="utf-8"), 4)


def test_a_master_that_is_not_there_is_a_clear_error(tmp_path: Path) -> None:
    """At once, and not after Spark has tried for a minute."""
    arguments = on_spark("spark://127.0.0.1:9")
    done = subprocess.run(searching(6, tmp_path / "w", *arguments), capture_output=True, text=True, timeout=100)
    assert done.returncode == 2
    assert "the master spark://127.0.0.1:9 cannot be reached" in done.stderr


@pytest.mark.thorough
def test_an_executor_that_is_killed_costs_time_only(tmp_path: Path) -> None:
    """kill -9 of a Java executor takes its Python worker with it; Spark starts another."""
    process = subprocess.Popen(
        [*searching(8, tmp_path / "w", *on_spark("local-cluster[2,1,1024]")), "--json", "-"],
        stdout=subprocess.PIPE,
        text=True,
    )
    at_level(tmp_path / "w", 12, process)
    executors = below(process.pid, "CoarseGrainedExecutorBackend")
    os.kill(executors[-1], signal.SIGKILL)
    output, _ = process.communicate(timeout=300)
    reported(output, 8)


@pytest.mark.thorough
@pytest.mark.parametrize("engine", ["native", "spark"])
def test_a_driver_that_is_killed_leaves_a_search_to_go_on_with(engine: str, tmp_path: Path) -> None:
    """kill -9 of the driver; another process resumes, on either engine."""
    work = tmp_path / "w"
    process = subprocess.Popen(
        searching(8, work, *on_spark("local[2]")), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    at_level(work, 14, process)
    daemons = below(process.pid, "-m checker.search.spark.daemon")
    process.kill()
    process.wait()
    assert 14 <= levels_committed(work) < 27
    deadline = time.monotonic() + 60
    while {there.pid for there in running()} & set(daemons) and time.monotonic() < deadline:
        time.sleep(0.1)
    more = ("--master", "local[2]", "--partitions", 1) if engine == "spark" else ()
    done = subprocess.run(
        [*command("resume", work, "--engine", engine, *more), "--json", "-"],
        capture_output=True,
        text=True,
        timeout=300,
    )
    reported(done.stdout, 8)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 1 MB, where the system allows one to be made."""
    disk = tmp_path / "disk"
    disk.mkdir()
    made = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(disk)], capture_output=True)
    if made.returncode:
        pytest.skip("file systems cannot be mounted here")
    yield disk
    subprocess.run(["umount", "-l", str(disk)], check=True)


@pytest.mark.parametrize("engine", ["native", pytest.param("spark", marks=pytest.mark.thorough)])
def test_a_full_disk_is_a_clear_error_after_which_the_search_goes_on(engine: str, small_disk: Path) -> None:
    """What was committed stays; with more room the search ends as if there had always been."""
    arguments = () if engine == "native" else on_spark("local[2]")
    failed = subprocess.run(searching(7, small_disk / "w", *arguments), capture_output=True, text=True, timeout=200)
    assert failed.returncode == 2
    assert "the disk is full" in failed.stderr and f"checker resume {small_disk / 'w'}" in failed.stderr
    subprocess.run(["mount", "-o", "remount,size=200m", str(small_disk)], check=True)
    done = subprocess.run(
        [*command("resume", small_disk / "w"), "--json", "-"], capture_output=True, text=True, timeout=200
    )
    reported(done.stdout, 7)


@pytest.mark.thorough
def test_the_end_of_the_drivers_java_is_one_clear_message_and_the_search_is_resumed(tmp_path: Path) -> None:
    """kill -9 of the Java process: exit code 2, no traceback, and what was committed is taken up."""
    searching_now = subprocess.Popen(
        [*searching(8, tmp_path / "w", *on_spark("local[2]"))],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    at_level(tmp_path / "w", 8, searching_now)
    for java in below(searching_now.pid, "java"):
        os.kill(java, signal.SIGKILL)
    _, errors = searching_now.communicate(timeout=120)
    assert searching_now.returncode == 2
    assert "error: the Java process of Spark's driver has ended" in errors and "Traceback" not in errors
    assert f"checker resume {tmp_path / 'w'}" in errors
    done = subprocess.run(command("resume", tmp_path / "w", "--json", "-"), capture_output=True, text=True, timeout=200)
    reported(done.stdout, 8)
