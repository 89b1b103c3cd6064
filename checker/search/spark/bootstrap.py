"""What runs first in a task. It reaches executors by value, so it may use nothing of ours before it has found it.

Where the package is not installed, or is another version, it is unpacked from the archive that the driver sent along;
an executor then needs Python and the libraries only, and never the user's models, whose lowered form travels with the job.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


def task(archive: str | None, payload: bytes, numbers: Iterator[int]) -> Iterator[bytes]:
    """Apply the function in the payload to each number; results are pickled, as are reports of what went wrong."""
    import pickle
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
    function, argument = pickle.loads(payload)
    yield from [pickle.dumps(function(argument, number)) for number in numbers]


def bound(archive: str | None, payload: bytes) -> Any:
    """The task as a function of an iterator of numbers, as Spark wants it."""

    def run(numbers: Iterator[int]) -> Iterator[bytes]:
        return task(archive, payload, numbers)

    return run
