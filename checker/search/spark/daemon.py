"""PySpark's daemon with everything imported before it forks, so that a task begins in milliseconds.

The modules of layers above, which tasks unpickle, are named by who starts the tasks (`cluster.connect`).

PySpark collects garbage after every task; what stands here before the fork is frozen and never looked at again.
"""

from __future__ import annotations

import gc
import os
from importlib import import_module

import numpy  # noqa: F401 - imported for the forks
from pyspark import daemon

import checker.search.spark.stages  # noqa: F401 - imported for the forks
from checker.search.spark.recurring import IMPORTS

if __name__ == "__main__":
    for name in os.environ.get(IMPORTS, "").split():
        import_module(name)
    gc.collect()
    gc.freeze()
    daemon.manager()
