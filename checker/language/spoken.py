"""Whether the code of a model is being executed: what it prints does not belong to standard output, which has the
results of the command (`checker.report.written`).

Each thread counts by itself: another one may print a result at the same time.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

_here = threading.local()


@contextmanager
def reading() -> Iterator[None]:
    """The code of a model is executed in this thread."""
    _here.depth = getattr(_here, "depth", 0) + 1
    try:
        yield
    finally:
        _here.depth -= 1


def is_reading() -> bool:
    """Whether this thread executes the code of a model."""
    return bool(getattr(_here, "depth", 0))
