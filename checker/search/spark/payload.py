"""The data that accompany the tasks of a stage besides their numbers, and how a task reads them.  This module imports
nothing of the package: the first code in a task reads it, and so does the driver.
"""

from __future__ import annotations

import base64
import pickle
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

ARGUMENT = "checker.argument"
"""The local property of Spark that holds the argument of a stage."""


@lru_cache(maxsize=2)
def unpickled(payload: bytes) -> Any:
    """An unpickled object; a process unpickles the same bytes only once."""
    return pickle.loads(payload)


def applied(payload: bytes, numbers: Iterator[int], recurring: bool) -> list[bytes]:
    """The function in the payload applied to each number, after the fixed arguments and the argument of the stage, if
    it has one; results are pickled.
    """
    function, *given = unpickled(payload) if recurring else pickle.loads(payload)
    if recurring:
        from pyspark import TaskContext

        context = TaskContext.get()
        assert context is not None
        given.append(pickle.loads(base64.b64decode(str(context.getLocalProperty(ARGUMENT)))))
    return [pickle.dumps(function(*given, number)) for number in numbers]
