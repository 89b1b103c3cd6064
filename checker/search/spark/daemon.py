"""PySpark's daemon with everything imported before it forks, so that a task begins in milliseconds.

PySpark collects garbage after every task; what stands here before the fork is frozen and never looked at again.
"""

from __future__ import annotations

import gc

import numpy  # noqa: F401 - imported for the forks
from pyspark import daemon

import checker.search.spark.gang  # noqa: F401 - imported for the forks
import checker.search.spark.stages  # noqa: F401 - imported for the forks

if __name__ == "__main__":
    gc.collect()
    gc.freeze()
    daemon.manager()
