"""A standalone cluster: executors are processes of workers that have neither the checker nor the model."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from benchmarks.models import TWO_PHASE_COMMIT
from checker.search.workdir import WorkDirectory
from tests.search.spark.processes import below
from tests.search.spark.standalone import Standalone, executors_python
from tests.search.spark.test_faults import at_level, command, on_spark, reported, searching

pytestmark = pytest.mark.thorough


def test_counts_are_exact(cluster: Standalone, tmp_path: Path) -> None:
    """The checker and the lowered model travel with the job."""
    done = subprocess.run(
        [*searching(6, tmp_path / "w", *on_spark(cluster.master)), "--json", "-"],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    reported(done.stdout, 6)


SUBMITTED = """
import sys
from pyspark.sql import SparkSession

SparkSession.builder.appName("a program of the user's").getOrCreate()

from checker.cli.program import run

sys.exit(run(sys.argv[1:]))
"""


def test_a_program_that_spark_submit_starts_searches_in_its_session(cluster: Standalone, tmp_path: Path) -> None:
    """The session is the program's own, with Spark's own settings; executors have Python and libraries only."""
    import pyspark

    home = Path(pyspark.__file__).parent
    program, found = tmp_path / "program.py", tmp_path / "found.json"
    program.write_text(SUBMITTED, encoding="utf-8")
    asked = searching(6, tmp_path / "w", *on_spark(cluster.master), "--json", found)[3:]
    root = Path(__file__).resolve().parents[3]
    done = subprocess.run(
        [str(home / "bin" / "spark-submit"), "--master", cluster.master, str(program), *asked],
        capture_output=True,
        text=True,
        timeout=300,
        env={
            **os.environ,
            "SPARK_HOME": str(home),
            "SPARK_LOCAL_IP": "127.0.0.1",
            "PYSPARK_DRIVER_PYTHON": sys.executable,
            "PYTHONPATH": str(root),
        },
    )
    assert done.returncode == 0, done.stderr
    reported(found.read_text(encoding="utf-8"), 6)


def test_a_cluster_without_room_for_an_executor_is_left_with_a_search_to_go_on_with(
    cluster: Standalone, tmp_path: Path
) -> None:
    """An executor that asks for more memory than any worker has never starts: exit code 2 after the wait that was
    asked for, and what one process had found is taken up."""
    (tmp_path / "conf").mkdir()
    (tmp_path / "conf" / "spark-defaults.conf").write_text("spark.executor.memory 64g\nspark.checker.executorWait 3\n")
    done = subprocess.run(
        searching(6, tmp_path / "w", *on_spark(cluster.master)),
        capture_output=True,
        text=True,
        timeout=300,
        env={**os.environ, "SPARK_CONF_DIR": str(tmp_path / "conf")},
    )
    assert done.returncode == 2
    assert "no executor has started within 3 s. Each asks for 64g of memory" in done.stderr
    assert "Traceback" not in done.stderr
    resumed = subprocess.run(
        command("resume", tmp_path / "w", "--json", "-"), capture_output=True, text=True, timeout=200
    )
    reported(resumed.stdout, 6)


def test_counterexamples_are_those_of_one_thread(cluster: Standalone, tmp_path: Path) -> None:
    """Also for a model in a file of the user's, which no executor can see."""
    source = Path("models/basic_multicast.py").read_text(encoding="utf-8")
    mine = tmp_path / "mine.py"
    mine.write_text(source, encoding="utf-8")

    def found(*arguments: object) -> object:
        done = subprocess.run(
            [*command("check", f"{mine}:Ordered", "-D", "workload=2,1", *arguments), "--json", "-"],
            capture_output=True,
            text=True,
            timeout=300,
        )
        report = json.loads(done.stdout)
        assert report["verdict"] == "violated"
        shown = [
            (p["name"], p["verdict"], p["steps"], p["trace"] and p["trace"]["states"]) for p in report["properties"]
        ]
        return report["distinct"], report["transitions"], shown

    assert found(*on_spark(cluster.master), "--workdir", tmp_path / "w") == found()


@pytest.mark.parametrize(
    "model, constants, verdict",
    [
        ("reliable_multicast", ("workload=1,1", "crashes=1"), "holds"),
        ("isis:IgnoreAgreed", ("workload=1,1",), "violated"),
    ],
)
def test_a_reduced_search_is_that_of_one_process(
    cluster: Standalone, tmp_path: Path, model: str, constants: tuple[str, ...], verdict: str
) -> None:
    """Where who may crash is chosen, and with a violation, which the search of all states shows: executors take the
    same steps, and both searches keep their levels where all machines see them."""

    def found(*arguments: object) -> dict[str, Any]:
        given = [part for constant in constants for part in ("-D", constant)]
        done = subprocess.run(
            [*command("check", model, *given, "--reduce", *arguments), "--json", "-"],
            capture_output=True,
            text=True,
            timeout=300,
        )
        report: dict[str, Any] = json.loads(done.stdout)
        assert report.get("verdict") == verdict, done.stderr
        names = ("name", "verdict", "steps")
        properties = [({n: p[n] for n in names}, p["trace"] and p["trace"]["states"]) for p in report["properties"]]
        return (
            {n: report[n] for n in ("distinct", "transitions", "levels")}
            | {"before": report.get("reduced_before")}
            | {"properties": properties}
        )

    expected, work = found(), tmp_path / "w"
    assert found(*on_spark(cluster.master), "--workdir", work) == expected
    searches = (work, work / "ordinary") if verdict == "violated" else (work,)
    for folder in searches:
        assert max(level.shards for level in WorkDirectory.read(folder).levels) == 2


def test_leads_to_properties_are_decided_by_tasks(cluster: Standalone, tmp_path: Path) -> None:
    """On both machines, right after the search and when its finished directory is resumed; with the run of one
    process."""

    def found(*asked: object) -> tuple[list[Any], str]:
        done = subprocess.run([*command(*asked), "--json", "-"], capture_output=True, text=True, timeout=300)
        report = json.loads(done.stdout)
        assert report.get("verdict") == "violated", done.stderr
        told = [(p["name"], p["verdict"], p["steps"], p["trace"]) for p in report["properties"]]
        return [(*t[:3], t[3] and (t[3]["states"], t[3].get("loop"))) for t in told], done.stderr

    check = ("check", "basic_multicast:AcknowledgeOnce", "-D", "workload=1,0", "-D", "losses=1", "--all")
    (expected, _), work = found(*check), tmp_path / "w"
    assert any(verdict == "violated" and steps for _, verdict, steps, _ in expected)
    by_tasks = "leads-to properties: the levels are expanded once more, by tasks"
    for asked in ((*check, "--workdir", work), ("resume", work)):
        answer, said = found(*asked, *on_spark(cluster.master))
        assert answer == expected
        assert by_tasks in said


def test_a_worker_that_is_killed_leaves_a_search_that_ends_on_the_others(cluster: Standalone, tmp_path: Path) -> None:
    """kill -9 of a worker takes its executor along, and nothing starts it again: the search goes on with one worker
    less."""
    cluster.add_worker()
    arguments = ["--engine", "spark", "--master", cluster.master, "--handover", "0", "--partitions", "3"]
    process = subprocess.Popen(
        [*searching(8, tmp_path / "w", *arguments), "--json", "-"], stdout=subprocess.PIPE, text=True
    )
    at_level(tmp_path / "w", 12, process)
    os.kill(cluster.workers[-1].pid, signal.SIGKILL)
    output, _ = process.communicate(timeout=300)
    reported(output, 8)


def test_a_task_that_is_speculated_counts_once(cluster: Standalone, tmp_path: Path) -> None:
    """A Python worker stops for a while; Spark starts its task a second time on the other machine, and takes the first
    of both that ends."""
    (tmp_path / "conf").mkdir()
    events = tmp_path / "events"
    events.mkdir()
    settings = {
        "spark.speculation": "true",
        "spark.speculation.interval": "100ms",
        "spark.speculation.minTaskRuntime": "500ms",
        "spark.speculation.quantile": "0.5",
        "spark.eventLog.enabled": "true",
        "spark.eventLog.dir": events.as_uri(),
        "spark.eventLog.compress": "false",
        "spark.eventLog.rolling.enabled": "false",
    }
    (tmp_path / "conf" / "spark-defaults.conf").write_text(
        "".join(f"{name} {value}\n" for name, value in settings.items())
    )
    with (tmp_path / "errors").open("w") as errors:
        process = subprocess.Popen(
            [*searching(8, tmp_path / "w", *on_spark(cluster.master)), "--json", "-"],
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            env={**os.environ, "SPARK_CONF_DIR": str(tmp_path / "conf")},
        )
        at_level(tmp_path / "w", 12, process)
        stopped = [
            worker for worker in below(cluster.workers[1].pid, "pyspark.daemon") if not below(worker, "pyspark.daemon")
        ]
        for worker in stopped:
            os.kill(worker, signal.SIGSTOP)
        output, _ = process.communicate(timeout=300)
    reported(output, 8)
    assert stopped
    starts = [
        json.loads(line)["Task Info"]
        for file in events.iterdir()
        for line in file.read_text().splitlines()
        if '"SparkListenerTaskStart"' in line
    ]
    assert any(task["Speculative"] for task in starts)
    assert "started over" not in (tmp_path / "errors").read_text()


@pytest.mark.parametrize(
    "python, said",
    [
        ("absent", "the executors have no /nowhere/bin/python: set PYSPARK_PYTHON"),
        (
            "other",
            f"another Python than the driver, {sys.version_info.major}.{sys.version_info.minor}: set PYSPARK_PYTHON",
        ),
        ("bare", "install numpy, attrs and llvmlite there"),
    ],
)
def test_a_python_of_executors_that_does_not_do_is_said(
    cluster: Standalone, python: str, said: str, tmp_path: Path
) -> None:
    """One that is not there, one of another version, one without the libraries."""
    named = [
        found
        for minor in (10, 12, 13, 14)
        if minor != sys.version_info.minor and (found := shutil.which(f"python3.{minor}"))
    ]
    others = [found for found in named if subprocess.run([found, "-c", ""], capture_output=True).returncode == 0]
    if python == "other" and not others:
        pytest.skip("no other Python is installed")
    place = {
        "absent": lambda: "/nowhere/bin/python",
        "other": lambda: others[0],
        "bare": lambda: str(executors_python(tmp_path, ())),
    }[python]()
    environment = {**os.environ, "PYSPARK_PYTHON": place}
    done = subprocess.run(
        searching(6, tmp_path / "w", *on_spark(cluster.master)),
        capture_output=True,
        text=True,
        timeout=300,
        env=environment,
    )
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_a_search_on_a_cluster_needs_a_directory_that_all_see(cluster: Standalone) -> None:
    """A temporary directory of the driver's machine would be seen by no other."""
    done = subprocess.run(
        command("check", TWO_PHASE_COMMIT, *on_spark(cluster.master)), capture_output=True, text=True, timeout=100
    )
    assert done.returncode == 2
    assert "needs a work directory that the driver and all executors see" in done.stderr
