"""Spark as a place where tasks run: stages, and their failures in words.

PySpark is imported here and in `session` only, when a search has grown so large that Spark is used.
"""

from __future__ import annotations

import hashlib
import pickle
import tempfile
import uuid
import zipfile
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from attrs import define

from checker.search.folders import Folder, folder_at
from checker.search.spark import bootstrap
from checker.search.spark.alive import Unheard, spoken
from checker.search.spark.failures import Silent
from checker.search.spark.guard import guarded
from checker.search.spark.recurring import IMPORTS, SHARD, Recurring, collected, environment
from checker.search.spark.session import await_executors, executors_of, session_on, slots
from checker.stored.owned import private_directory

SILENCE_SECONDS = 60.0
"""A task that reports nothing for this long counts as stopped."""
ATTEMPTS = 3
"""How often tasks are started again after one has stopped."""


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

    def run(
        self,
        function: Callable[[Any, int], Any],
        argument: Any,
        count: int,
        exchange: Folder | None = None,
        attempts: int = ATTEMPTS,
    ) -> list[Any]:
        """function(argument, number) for each number below count, in any process, repeated if need be. Raises
        TasksFailed.

        exchange: a folder visible to all, for the reports of tasks. When one reports nothing for SILENCE_SECONDS, all
        begin again, at most ATTEMPTS times. A local master has a temporary folder. On a cluster without one, each task
        has a guard on its machine (`guard`).
        """
        if exchange is None:
            if not str(self.context.master).startswith("local"):
                return self._guarded(function, argument, count)
            with tempfile.TemporaryDirectory(prefix="checker-", ignore_cleanup_errors=True) as name:
                return self.run(function, argument, count, folder_at(name), attempts)
        for _ in range(attempts - 1):
            with suppress(Silent):
                return self._watched(function, argument, count, exchange)
        return self._watched(function, argument, count, exchange)

    def _watched(self, function: Callable[[Any, int], Any], argument: Any, count: int, exchange: Folder) -> list[Any]:
        work = bootstrap.bound(self.archive, pickle.dumps((spoken, (function, argument, exchange))))
        numbers = self.context.parallelize(range(count), count).mapPartitions(work)
        found = collected(self.context, numbers, exchange, Unheard(), SILENCE_SECONDS)
        assert found is not None, "nobody wants to hear no more"
        return found

    def _guarded(self, function: Callable[[Any, int], Any], argument: Any, count: int) -> list[Any]:
        """Run in separate processes: an idle one may have been stopped, and would never report it."""
        work = bootstrap.bound(self.archive, pickle.dumps((guarded, (function, argument, SILENCE_SECONDS))))
        with environment(self.context, SHARD, uuid.uuid4().hex):
            numbers = self.context.parallelize(range(count), count).mapPartitions(work)
            numbers._jrdd  # noqa: B018 - this is when the environment is noted
        found = collected(self.context, numbers, None, Unheard(), SILENCE_SECONDS)
        assert found is not None, "nobody wants to hear no more"
        return found

    @property
    def beside(self) -> int:
        """The largest number of tasks that can run at once on a machine."""
        executors = executors_of(self.context)
        machines = Counter(host for _, host in executors)
        return self.slots if not executors else -(-self.slots * max(machines.values()) // len(executors))

    def recurring(self, function: Callable[[Any, Any, int], Any], fixed: Any, count: int, silence: float) -> Recurring:
        """Stages of function(fixed, argument, number), in which each task must report within `silence` seconds."""
        work = bootstrap.bound(self.archive, pickle.dumps((function, fixed)), recurring=True)
        processes = max(1, self.slots // max(1, len(executors_of(self.context))))
        return Recurring(self.context, work, count, processes, silence)


def connect(master: str, log: Path | None = None, partitions: int = 0, imports: Iterable[str] = ()) -> SparkTasks:
    """Tasks on a master, of which `partitions` can run at once if the master has room for them (0: as many as fit).

    imports: modules that tasks unpickle; on a local master they are imported once, and not by each process of a task.
    The output of Spark and Java goes to `log`. Raises SparkUnavailable.
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
    """Send this package, and the modules beside it that models import, to the executors; return the name of the
    archive.
    """
    path = _packed()
    session.sparkContext.addFile(str(path))
    return path.name


@cache
def _packed() -> Path:
    """The archive, made once: Spark refuses another file of the same name in the session that has the first."""
    root = Path(__file__).resolve().parents[2]
    folders = dict.fromkeys((root, root / "models", root / "properties"))  # the latter two may be links
    files = sorted({file for folder in folders for file in folder.rglob("*.py")})
    digest = hashlib.sha256(b"".join(f.read_bytes() for f in files)).hexdigest()[:16]
    path = private_directory() / f"checker-{digest}.zip"  # executors that come later fetch it, too
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in files:
            archive.write(file, file.relative_to(root.parent))
    return path
