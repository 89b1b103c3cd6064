"""Reaching a master, and errors of clusters in words that say what to mend."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from benchmarks.models import TWO_PHASE_COMMIT
from checker.search.folder_errors import WorkDirectoryError
from checker.search.folders import folder_at
from checker.search.spark import session
from checker.search.spark.cluster import connect
from checker.search.spark.session import SparkUnavailable
from checker.search.workdir import read_level
from tests.search.spark import sessions
from tests.search.spark.test_faults import command, on_spark


@pytest.fixture
def listening() -> Iterator[int]:
    """A port of this machine where somebody answers."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


@pytest.mark.parametrize(
    "master",
    [
        "spark://127.0.0.1:{}",
        "spark://127.0.0.1:9,localhost:{}",
        "k8s://https://127.0.0.1:{}",
        "k8s://http://localhost:{}/path",
        "k8s://127.0.0.1:{}",
    ],
)
def test_the_driver_is_known_by_the_address_that_reaches_the_master(master: str, listening: int) -> None:
    """Of several masters one has to answer."""
    assert session._reached_from(master.format(listening)) == "127.0.0.1"


@pytest.mark.parametrize("master", ["local[2]", "local-cluster[2,1,1024]", "yarn"])
def test_a_master_without_an_address_is_not_tried(master: str) -> None:
    """YARN's is in Hadoop's configuration, local ones are here."""
    assert session._reached_from(master) is None


@pytest.mark.parametrize(
    "command_line",
    [
        ("check", TWO_PHASE_COMMIT, "--engine", "spark", "--workdir", "w"),
        ("sweep", TWO_PHASE_COMMIT, "-D", "managers=2..3", "--engine", "spark"),
    ],
    ids=["check", "sweep"],
)
@pytest.mark.parametrize("variable", [False, True], ids=["master", "variable"])
def test_spark_connect_is_refused_with_what_to_name_instead(
    command_line: tuple[str, ...], variable: bool, checker: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a master or by Spark's own variable; before anything is searched."""
    address = "sc://127.0.0.1:15002"
    if variable:
        monkeypatch.setenv("SPARK_REMOTE", address)
    done = checker(*command_line, *(() if variable else ("--master", address)))
    assert done.code == 2
    assert f"{address} {'asks for' if variable else 'is an address of'} Spark Connect" in done.err
    assert "--master spark://HOST:7077, yarn" in done.err and ("unset SPARK_REMOTE" in done.err) == variable
    assert not Path("w").exists()


def test_a_process_that_uses_spark_connect_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A notebook with a remote session, which has no RDDs."""
    pytest.importorskip("pyspark")
    monkeypatch.setenv("SPARK_CONNECT_MODE_ENABLED", "1")
    with pytest.raises(SparkUnavailable, match="uses Spark Connect.*Name the cluster's own master"):
        session.session_on("local[2]", None)


@pytest.mark.parametrize("variable", ["JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS"])
def test_options_of_java_in_the_environment_keep_ours_away(variable: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Java does not start with two collectors; other settings, such as properties, go with ours."""
    for name in ("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv(variable, "-Dproperty=value")
    assert session._java_as_it_comes()
    monkeypatch.setenv(variable, "-Dproperty=value -XX:+UseG1GC")
    assert not session._java_as_it_comes()


def test_sockets_with_names_are_used_where_their_names_have_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are in a directory of this process alone below that of temporary files; the system allows some hundred
    bytes."""
    monkeypatch.setattr(tempfile, "tempdir", "/" + 89 * "t")
    assert session._sockets() == {}
    monkeypatch.setattr(tempfile, "tempdir", "/tmp")
    place = Path(session._sockets()["spark.python.unix.domain.socket.dir"])
    assert place.parent == Path("/tmp") and place.stat().st_mode & 0o777 == 0o700
    assert len(str(place / ".00000000-0000-0000-0000-000000000000.sock")) < session.LONGEST_SOCKET
    place.rmdir()


def test_ctrl_c_stays_what_it_is_when_spark_starts() -> None:
    """Whatever is called meanwhile; PySpark asks Java something within the handler that it installs."""
    former = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with session._interrupts_kept():
            signal.signal(signal.SIGINT, signal.default_int_handler)
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, former)


@pytest.mark.thorough
def test_options_of_java_in_the_settings_of_a_cluster_are_kept(tmp_path: Path) -> None:
    """Such as where Kerberos has its settings; beside the checker's own."""
    (tmp_path / "spark-defaults.conf").write_text("spark.driver.extraJavaOptions -Downer.of=this\n")
    asked = "from checker.search.spark.cluster import connect; system = connect('local[1]').context._jvm.System; "
    asked += "print(*map(system.getProperty, ['owner.of', 'log4j2.configurationFile']))"
    environment = {**os.environ, "SPARK_CONF_DIR": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, timeout=300, env=environment)
    owner, logged = done.stdout.split()
    assert (owner, logged) == ("this", str(Path(session.__file__).with_name("log4j2.properties")))


@pytest.mark.parametrize("master", ["spark://127.0.0.1:9", "k8s://https://127.0.0.1:9"])
def test_a_master_that_does_not_answer_is_said_to_be_so(master: str) -> None:
    """With the address that was tried."""
    with pytest.raises(SparkUnavailable, match="cannot be reached.*127.0.0.1:9"):
        session._reached_from(master)


@pytest.mark.parametrize(
    "master, reason",
    [
        ("mesos:x", "Master must either be yarn or start with spark, k8s, or local"),
        pytest.param("yarn", "either HADOOP_CONF_DIR or YARN_CONF_DIR must be set", marks=pytest.mark.thorough),
    ],
)
def test_why_spark_does_not_start_is_said(
    master: str, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In Spark's words, which only its log has if Java has ended."""
    for name in ("HADOOP_CONF_DIR", "YARN_CONF_DIR"):
        monkeypatch.delenv(name, raising=False)
    arguments = on_spark(master)
    done = subprocess.run(
        command("check", TWO_PHASE_COMMIT, *arguments, "--workdir", tmp_path / "w"),
        capture_output=True,
        text=True,
        timeout=200,
    )
    assert done.returncode == 2
    assert f"Spark does not start on {master}: " in done.stderr
    assert reason in done.stderr


# ---- Python on executors


def test_another_python_on_executors_is_a_clear_error(spark: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pickled code of one version is not read by another."""
    tasks = connect(spark)
    monkeypatch.setattr(tasks.context, "pythonVer", "2.7")
    with pytest.raises(
        SparkUnavailable,
        match=f"another Python than the driver, {sys.version_info.major}.{sys.version_info.minor}: set PYSPARK_PYTHON",
    ):
        _import(tasks, "json")


def test_an_executor_without_python_is_a_clear_error(spark: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """PYSPARK_PYTHON names a file that is on the driver's machine only."""
    tasks = connect(spark)
    monkeypatch.setattr(tasks.context, "pythonExec", "/nowhere/bin/python")
    with pytest.raises(SparkUnavailable, match="the executors have no /nowhere/bin/python: set PYSPARK_PYTHON"):
        _import(tasks, "json")


def test_a_python_that_does_not_start_is_a_clear_error(
    spark: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program of that name that chooses among versions, and has not got this one; with what it says."""
    chooser = tmp_path / "python3.10"
    chooser.write_text("#!/bin/sh\necho 'python3.10: command not found' >&2; exit 127\n")
    chooser.chmod(0o755)
    tasks = connect(spark)
    monkeypatch.setattr(tasks.context, "pythonExec", str(chooser))
    with pytest.raises(
        SparkUnavailable,
        match=r"the executors' Python does not start \(python3.10: command not found\): set " r"PYSPARK_PYTHON",
    ):
        _import(tasks, "json")


def test_a_library_that_executors_lack_is_named(spark: str) -> None:
    """With those that are needed."""
    with pytest.raises(SparkUnavailable, match="no module no_such_module: install numpy, attrs and llvmlite"):
        _import(connect(spark), "no_such_module")


def _import(tasks: Any, name: str) -> None:
    """Import a module in tasks."""
    tasks.run(import_module, name, 2)


# ---- work directories


def test_a_work_directory_that_an_executor_does_not_see_is_a_clear_error(tmp_path: Path) -> None:
    """The name of the machine, and what to do."""
    with pytest.raises(
        WorkDirectoryError,
        match=f"is not there on {socket.gethostname()}: it was removed, or this machine sees another directory",
    ):
        read_level(folder_at(tmp_path / "elsewhere"), 0)


def test_a_cluster_needs_a_named_work_directory() -> None:
    """Found out before anything is explored."""
    done = subprocess.run(
        command("check", TWO_PHASE_COMMIT, *on_spark("spark://127.0.0.1:9")),
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert done.returncode == 2
    assert "needs a work directory that the driver and all executors see" in done.stderr


def test_a_forked_process_leaves_the_session_alone(spark: str) -> None:
    """It inherits the session without the threads that would end it, and would wait for them for ever."""
    child = os.fork()
    if child == 0:
        sessions.end()
        os._exit(7)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    assert connect(spark).session.range(3).count() == 3
