"""The first code of a task. It is sent to executors by value, so it may use nothing of this package before it has found
it.

Where the package is not installed, or has another version, it is unpacked from the archive that the driver sent; an
executor then needs Python and the libraries only, and never the user's models, whose lowered form is part of the job.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

MARK = "checker-failure: "


def find(archive: str | None) -> None:
    """Make the package importable."""
    import sys

    if archive is not None and "checker" not in sys.modules:
        import tempfile
        import zipfile
        from pathlib import Path

        from pyspark import SparkFiles

        files = Path(SparkFiles.getRootDirectory())  # of this application alone, where nobody else can put anything
        directory = files / archive.removesuffix(".zip")
        if not directory.exists():
            unpacking = Path(tempfile.mkdtemp(dir=files))
            zipfile.ZipFile(SparkFiles.get(archive)).extractall(unpacking)
            try:
                unpacking.rename(directory)
            except OSError:
                pass  # another task was faster
        sys.path.insert(0, str(directory))


def noted(error: Exception) -> None:
    """Add a line to the traceback, which is all that the driver gets: the classes of an error, its message and the
    machine, as data (read by `failures`).
    """
    import json
    import socket

    classes = [f"{kind.__module__}.{kind.__qualname__}" for kind in type(error).__mro__]
    message = str(error) or type(error).__name__
    module, host = getattr(error, "name", None), socket.gethostname()
    note = {"classes": classes, "message": message, "module": module, "host": host}
    error.add_note(MARK + json.dumps(note, default=str))


def bound(archive: str | None, payload: bytes, recurring: bool = False) -> Any:
    """A task as a function of an iterator of numbers, as Spark requires it.  recurring: a further argument comes with
    each stage.
    """

    def run(numbers: Iterator[int]) -> Iterator[bytes]:
        try:
            find(archive)
            from checker.search.spark.payload import applied

            yield from applied(payload, numbers, recurring)
        except Exception as error:
            noted(error)
            raise

    return run
