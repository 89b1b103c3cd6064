"""After a command on Spark nothing is left in directories of temporary files: its own, Java's and Spark's."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from benchmarks.models import TWO_PHASE_COMMIT
from tests.search.spark.processes import files_below
from tests.search.spark.test_faults import command, levels_committed, on_spark, searching

pytestmark = pytest.mark.thorough


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The directory that every process takes for temporary files."""
    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setenv("TMPDIR", str(place))
    monkeypatch.setenv("SPARK_LOCAL_DIRS", str(place))
    monkeypatch.setenv("JDK_JAVA_OPTIONS", f"-Djava.io.tmpdir={place} -XX:-UsePerfData")
    return place


def left(place: Path) -> list[str]:
    """What is there once Java has ended, which ends after the command."""
    deadline = time.monotonic() + 300
    while (there := sorted((*files_below(place), *os.listdir(place)))) and time.monotonic() < deadline:
        time.sleep(0.1)
    return there


def test_after_commands_that_end(temporary: Path, tmp_path: Path) -> None:
    """A search that puts states on disk, questions with a predicate, a sweep; also one that is refused."""
    work, master = tmp_path / "w", "local[2]"
    spark = ("--engine", "spark", "--master", master)
    asked = [
        (0, searching(6, work, *on_spark(master), "--worker-memory", "2M")),
        (0, command("query", work, "SELECT count(*) FROM edges", "--master", master, "--predicate", "x=True")),
        (0, command("sweep", TWO_PHASE_COMMIT, "-D", "managers=2..3", *spark)),
        (2, searching(6, work, *on_spark(master))),
    ]
    for code, words in asked:
        done = subprocess.run(words, capture_output=True, text=True, timeout=300)
        assert done.returncode == code, done.stderr
        assert left(temporary) == [], words
    assert sorted(p.name for p in (work / "exchange").iterdir()) == []


def test_after_ctrl_c(temporary: Path, tmp_path: Path) -> None:
    """In the middle of a search, which is far too large to end before: what is committed stays in the work directory,
    and nothing else anywhere."""
    work = tmp_path / "w"
    process = subprocess.Popen(
        searching(11, work, *on_spark("local[2]")), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    while levels_committed(work) < 4:
        assert process.poll() is None, process.communicate()[1]
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, told = process.communicate()
    assert process.returncode == 4, told
    assert left(temporary) == []
    assert os.listdir(work / "exchange") == []
