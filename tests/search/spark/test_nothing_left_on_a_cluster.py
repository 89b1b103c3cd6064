"""What a search on a standalone cluster leaves in directories of temporary files of the driver and of the workers."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.search.spark.processes import below, files_below
from tests.search.spark.standalone import Standalone, executors_python
from tests.search.spark.test_faults import at_level, levels_committed, on_spark, reported, searching

pytestmark = pytest.mark.thorough


@pytest.fixture
def places(tmp_path: Path) -> tuple[Path, Path]:
    """Directories of temporary files: of the driver, and of the workers."""
    made = tmp_path / "driver", tmp_path / "workers"
    for place in made:
        place.mkdir()
    return made


def environment(place: Path) -> dict[str, str]:
    """What makes every process take a directory for temporary files."""
    java = f"-Djava.io.tmpdir={place} -XX:-UsePerfData"
    return {"TMPDIR": str(place), "SPARK_LOCAL_DIRS": str(place), "JDK_JAVA_OPTIONS": java}


@pytest.fixture
def cluster(places: tuple[Path, Path], tmp_path: Path) -> Iterator[Standalone]:
    """A master and two workers with a directory of their own."""
    pytest.importorskip("pyspark")
    from checker.search.spark.java import NoJava, java_home

    try:
        home = java_home()
    except NoJava as error:
        pytest.skip(str(error))
    directory = tmp_path / "cluster"
    directory.mkdir()
    with pytest.MonkeyPatch.context() as patch:
        if home is not None:
            patch.setenv("JAVA_HOME", home)
        patch.setenv("PYSPARK_PYTHON", str(executors_python(directory)))
        there = Standalone(directory)
        try:
            with pytest.MonkeyPatch.context() as of_workers:
                for name, value in environment(places[1]).items():
                    of_workers.setenv(name, value)
                there.start("127.0.0.1", "127.0.0.2")
            for name, value in environment(places[0]).items():
                patch.setenv(name, value)
            yield there
        finally:
            there.stop()


def left(*places: Path) -> list[str]:
    """Files that are there once Java has ended, which ends after the command; a worker has an empty directory of its
    own while it runs."""
    deadline = time.monotonic() + 300
    while (there := sorted(file for place in places for file in files_below(place))) and time.monotonic() < deadline:
        time.sleep(0.2)
    return there


def started(work: Path, cluster: Standalone, *arguments: object) -> Any:
    """A search that does not end by itself while a test waits, in its fourth level or later."""
    words = searching(11, work, *on_spark(cluster.master), *arguments)
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    while levels_committed(work) < 4:
        assert process.poll() is None, process.stderr and process.stderr.read()
        time.sleep(0.02)
    return process


def test_after_a_killed_task_and_a_killed_executor(
    cluster: Standalone, places: tuple[Path, Path], tmp_path: Path
) -> None:
    """kill -9 of a Python process and of an executor with states on its disk: the search ends exactly, and what they
    had in temporary files is gone with it."""
    work = tmp_path / "w"
    words = searching(8, work, *on_spark(cluster.master), "--worker-memory", "4M", "--json", "-")
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    victims = [("pyspark.daemon", 12), ("CoarseGrainedExecutorBackend", 16)]
    for name, level in victims:
        at_level(work, level, process)
        os.kill(below(cluster.workers[-1].pid, name)[-1], signal.SIGKILL)
    output, told = process.communicate(timeout=600)
    assert process.returncode == 0, told
    reported(output, 8)
    assert "MB spilled" in told
    assert left(*places) == []
    assert os.listdir(work / "exchange") == []


def test_after_a_killed_driver(cluster: Standalone, places: tuple[Path, Path], tmp_path: Path) -> None:
    """Python and its JVM: on the workers nothing is left.  What a killed process leaves in its own directory nobody
    removes, Java's files among it."""
    process = started(tmp_path / "w", cluster)
    javas = below(process.pid, "java")
    process.kill()
    process.wait()
    for java in javas:
        os.kill(java, signal.SIGKILL)
    assert left(places[1]) == []
    cluster.stop()
    assert list(places[1].iterdir()) == []
