"""Why tasks failed, as exception classes: decisions depend on the class, never on the text of a message.

For a Python error in a task Spark passes on only the text of its traceback.  A task therefore adds a line to it
(`bootstrap.noted`): the classes of the error and its message, as data; `failed` reads that line.  TEXTS lists errors
that are known only from a text: those before the first line of this package runs in a task.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable

from checker.search.disk import DiskFull, SpillError
from checker.search.folder_errors import FullWorkDirectoryError, WorkDirectoryError
from checker.search.spark.bootstrap import MARK
from checker.search.spark.session import JAVA_ENDED, SparkUnavailable, lost
from checker.stored.errors import StoredFileError

_VERSION = f"{sys.version_info.major}.{sys.version_info.minor}"

TEXTS: tuple[tuple[str, Callable[[re.Match[str]], str]], ...] = (
    (
        r"PYTHON_VERSION_MISMATCH",  # pyspark/worker.py, before it reads the task
        lambda _: (
            f"the executors run another Python than the driver, {_VERSION}: set PYSPARK_PYTHON to one of the "
            f"same version"
        ),
    ),
    (
        r'Cannot run program "([^"]+)"',  # java.lang.ProcessBuilder, an IOException like many others
        lambda found: f"the executors have no {found[1]}: set PYSPARK_PYTHON to where Python {_VERSION} is on them",
    ),
    (
        # PythonWorkerFactory of Spark, a SparkException without a condition
        r"Error from python worker:\n(.*?)\nPYTHONPATH was:.*PythonWorkerFactory\.startDaemon",
        lambda found: (
            f"the executors' Python does not start ({found[1].strip().splitlines()[-1]}): set PYSPARK_PYTHON "
            f"to where Python {_VERSION} is on them"
        ),
    ),
)
"""Known texts of errors, each with its remedy on the cluster."""


class TasksFailed(Exception):
    """Tasks failed for good, with the reason of the last one."""


class NobodyWorks(TasksFailed):
    """No task runs and none begins: all executors are lost, and no new ones come. Another attempt would wait just as
    long.
    """


class Silent(TasksFailed):
    """A task reports nothing: its process was stopped, or is disconnected. Another attempt has another process."""


def failed(error: Exception) -> Exception:
    """Raise the error for a failed job: raises SparkUnavailable if the cluster must be repaired first, SpillError if a
    disk of an executor must, WorkDirectoryError if the work directory must, else TasksFailed.
    """
    if lost(error):
        return SparkUnavailable(JAVA_ENDED)
    text = str(error)
    notes = re.findall(rf"^{MARK}(\{{.*\}})$", text, re.M)
    if notes:
        return _noted(**json.loads(notes[-1]))
    for pattern, what in TEXTS:
        found = re.search(pattern, text, re.S)
        if found:
            return SparkUnavailable(what(found))
    return TasksFailed(last_error(text))


def _noted(classes: list[str], message: str, module: str | None, host: str) -> Exception:
    def is_a(kind: type[BaseException]) -> bool:
        return f"{kind.__module__}.{kind.__qualname__}" in classes

    if is_a(SpillError):
        return (DiskFull if is_a(DiskFull) else SpillError)(f"{message} (machine {host})")
    if is_a(StoredFileError):
        return (FullWorkDirectoryError if is_a(FullWorkDirectoryError) else WorkDirectoryError)(message)
    if is_a(ModuleNotFoundError):
        return SparkUnavailable(
            f"the executors' Python has no module {module}: install numpy, attrs and llvmlite there "
            f"(pyarrow for work directories by URL and for tables)"
        )
    return TasksFailed(message)


def last_error(text: str) -> str:
    """The message of an error, from the text of a traceback."""
    lines = [line.strip() for line in text.splitlines() if "Error: " in line or "Exception: " in line]
    return (lines[-1] if lines else text).split("Error: ", 1)[-1]
