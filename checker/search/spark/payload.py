"""What goes with the tasks of a stage besides their numbers, and how a task reads it.  It imports nothing of ours: the
first code that runs in a task reads it, and so does the driver."""

from __future__ import annotations

import pickle
from functools import lru_cache
from typing import Any

ARGUMENT = "checker.argument"
"""The local property of Spark that holds the argument of a stage."""


@lru_cache(maxsize=2)
def unpickled(payload: bytes) -> Any:
    """What was pickled; a process reads the same but once."""
    return pickle.loads(payload)
