"""Spark as a place where tasks run: stages, gangs, and what went wrong in them in words.

PySpark is imported here and in `session` only, when a search has grown so large that Spark is wanted.
"""

from __future__ import annotations

import hashlib
import pickle
import threading
import uuid
import zipfile
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

from attrs import define, field

from checker.search.spark import bootstrap
from checker.search.spark.failures import TasksFailed, failed
from checker.search.spark.recurring import IMPORTS, Recurring
from checker.search.spark.session import await_executors, session_on, slots
from checker.stored.owned import private_directory


@define
class SparkRunning:
    """A barrier job in a thread of the driver."""

    context: Any
    group: str
    thread: threading.Thread = field(init=False)
    error: Exception | None = None

    def failure(self) -> TasksFailed | None:
        """The error that ended it. Raises it if another attempt would end in the same way."""
        if self.error is None or type(self.error) is TasksFailed:
            return self.error
        raise self.error

    def done(self) -> bool:
        """Whether the job has ended."""
        return not self.thread.is_alive()

    def cancel(self) -> None:
        """Cancel the job; Spark ends its Python workers, stopped ones too."""
        with suppress(Exception):  # Spark may be gone, and the job with it
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
        return slots(self.context) or int(self.context.defaultParallelism)

    @property
    def local(self) -> bool:
        """Whether everything runs on this machine."""
        return str(self.context.master).startswith("local")

    @property
    def encrypted(self) -> bool:
        """Whether Spark encrypts its own connections."""
        conf = self.context.getConf()
        return any(
            conf.get(name, "false") == "true" for name in ("spark.network.crypto.enabled", "spark.ssl.rpc.enabled")
        )

    def address(self) -> str:
        """The driver's address as executors see it."""
        return "127.0.0.1" if self.local else str(self.context.getConf().get("spark.driver.host"))

    def interface(self) -> str:
        """The address to listen on: loopback for a master on this machine, else the one that Spark's driver was
        given."""
        if self.local:
            return "127.0.0.1"
        conf = self.context.getConf()
        return str(conf.get("spark.driver.bindAddress") or conf.get("spark.driver.host") or "")

    def _tasks(self, function: Callable[[Any, int], Any], argument: Any, count: int) -> tuple[Any, Callable[..., Any]]:
        numbers = self.context.parallelize(range(count), count)
        return numbers, bootstrap.bound(self.archive, pickle.dumps((function, argument)))

    def run(self, function: Callable[[Any, int], Any], argument: Any, count: int) -> list[Any]:
        """One stage. Raises TasksFailed."""
        numbers, work = self._tasks(function, argument, count)
        try:
            return [pickle.loads(result) for result in numbers.mapPartitions(work).collect()]
        except Exception as error:  # noqa: BLE001 - py4j and pyspark have many
            raise failed(error) from error

    @property
    def processes(self) -> int:
        """Tasks that can run at once in an executor, as far as is known."""
        return (
            self.slots
            if str(self.context.master).startswith("local[")
            else int(self.context.getConf().get("spark.executor.cores", "1"))
        )

    def recurring(self, function: Callable[[Any, Any, int], Any], fixed: Any, count: int, silence: float) -> Recurring:
        """Stages of function(fixed, argument, number)."""
        work = bootstrap.bound(self.archive, pickle.dumps((function, fixed)), recurring=True)
        return Recurring.of(self.context, work, count, self.processes, silence, failed)

    def start(self, function: Callable[[Any, int], Any], argument: Any, count: int) -> SparkRunning:
        """A barrier stage, in a thread."""
        numbers, work = self._tasks(function, argument, count)
        running = SparkRunning(self.context, f"checker-{uuid.uuid4().hex[:8]}")

        def job() -> None:
            self.context.setJobGroup(running.group, "a gang of workers", interruptOnCancel=True)
            try:
                numbers.barrier().mapPartitions(work).collect()
            except Exception as error:  # noqa: BLE001 - told to whoever asks
                running.error = failed(error)

        from pyspark import InheritableThread

        running.thread = InheritableThread(job, session=self.session)
        running.thread.daemon = True
        running.thread.start()
        return running


def connect(master: str, log: Path | None = None, partitions: int = 0, imports: Iterable[str] = ()) -> SparkTasks:
    """Tasks on a master, of which `partitions` can run at once if the master has room for them (0: all there is room
    for).

    imports: modules that tasks unpickle; on a local master they are imported once, and not by each process of a task.
    What Spark and Java print goes to `log`. Raises SparkUnavailable.
    """
    session = session_on(master, log)
    from pyspark import cloudpickle

    cloudpickle.register_pickle_by_value(bootstrap)
    await_executors(session.sparkContext, partitions)
    local = str(session.sparkContext.master).startswith("local")
    if local and imports:
        session.sparkContext.environment[IMPORTS] = " ".join(imports)
    return SparkTasks(session, None if local else _archive(session))


def _archive(session: Any) -> str:
    """Send this package along, and what models import beside it; the name of the archive."""
    root = Path(__file__).resolve().parents[2]
    folders = dict.fromkeys((root, root / "models", root / "properties"))  # the latter two may be links
    files = sorted({file for folder in folders for file in folder.rglob("*.py")})
    digest = hashlib.sha256(b"".join(f.read_bytes() for f in files)).hexdigest()[:16]
    path = private_directory() / f"checker-{digest}.zip"  # executors that come later fetch it, too
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in files:
            archive.write(file, file.relative_to(root.parent))
    session.sparkContext.addFile(str(path))
    return path.name
