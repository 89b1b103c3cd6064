"""What executors must have: Python with numpy, attrs and llvmlite. Everything that tasks run is run with these
alone."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path
from types import SimpleNamespace

from checker.search.spark import cluster
from tests.search.spark.standalone import executors_python

ROOT = Path(__file__).resolve().parents[3]

TASKS = """
import checker.engines.shipped, checker.engines.spark, checker.search.spark.stages, checker.analysis.graph.on_spark
from checker.catalogue import find
from checker.analysis.sweep.sweep import Task
from checker.analysis.sweep.on_spark import Shipped, search_shipped
from checker.search.limits import Limits
from benchmarks.models import TWO_PHASE_COMMIT

file = find(TWO_PHASE_COMMIT).file
for strict in (False, True):
    task = Task(TWO_PHASE_COMMIT, None, "native", Limits(), True, strict)
    shipped = Shipped(file.name, {file.name: file.read_text()}, "TwoPhaseCommit", task, (({"managers": 3}, {"managers": 3}),))
    print(search_shipped(shipped, 0).distinct)
"""  # noqa: E501


def test_a_worker_does_not_import_the_front_end() -> None:
    """Nor replay, validation or Arrow: each process of a task would have them in memory."""
    done = subprocess.run(
        [sys.executable, "-c", "import checker.search.spark.stages, checker.engines.shipped, sys; print(*sys.modules)"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=100,
    )
    imported = done.stdout.split()
    assert "checker.backends.native.kernel" in imported, done.stderr
    unwanted = ("checker.frontend", "checker.language", "checker.replay", "checker.validation", "pyarrow", "pyspark")
    assert not [name for name in imported if name.startswith(unwanted)]


def test_tasks_need_three_libraries_only(tmp_path: Path) -> None:
    """A sweep's search with all it may look at, and what tasks import."""
    python = executors_python(tmp_path, ("numpy", "numpy.libs", "attr", "attrs", "llvmlite"))
    done = subprocess.run(
        [python, "-c", TASKS],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=100,
        env={"PYTHONPATH": str(ROOT), "HOME": str(tmp_path)},
    )
    assert done.stderr == ""
    assert done.stdout.split() == ["288", "288"]


def test_every_search_of_a_session_sends_the_same_archive() -> None:
    """Spark refuses another file of the same name: the second search of a session would end in an internal error."""
    sent = list[str]()
    session = SimpleNamespace(sparkContext=SimpleNamespace(addFile=sent.append))
    names = {cluster._archive(session) for _ in range(2)}
    assert len(sent) == 2 and len(set(sent)) == 1 and names == {Path(sent[0]).name}
    assert "checker/search/spark/stages.py" in zipfile.ZipFile(sent[0]).namelist()
