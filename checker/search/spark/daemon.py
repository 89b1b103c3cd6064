"""PySpark's daemon with everything imported before it forks, so that a task begins in milliseconds.

The modules of layers above, which tasks unpickle, are named by who starts the tasks (`cluster.connect`). A fork
imports the rest of PySpark itself. Spark puts archives of it first in the path, from which each fork would compile half
a second long what it imports; where Spark is part of an installed package, its modules are read from there instead.

PySpark collects garbage after every task; what stands here before the fork is frozen and never looked at again.
"""

from __future__ import annotations

import gc
import os
import sys
from importlib import import_module
from pathlib import Path

import numpy  # noqa: F401 - imported for the forks

import checker.search.spark.stages  # noqa: F401 - imported for the forks
from checker.search.spark.recurring import IMPORTS


def without_archives(path: list[str]) -> list[str]:
    """A path without the archives of Spark, if what they hold is in it unpacked, too: the package that this Spark is
    part of, and the one that it comes with."""
    lib = next((Path(entry).parent for entry in path if Path(entry).name == "pyspark.zip"), None)
    if lib is None:
        return path
    rest = [entry for entry in path if Path(entry).parent != lib]
    found = [next((there for entry in rest if (there := Path(entry) / n).is_dir()), None) for n in ("pyspark", "py4j")]
    return rest if found[0] == lib.parent.parent and found[1] is not None else path


if __name__ == "__main__":
    sys.path[:] = without_archives(sys.path)
    for entry in sys.path_importer_cache.keys() - set(sys.path):
        del sys.path_importer_cache[entry]  # each of them is opened again for each task
    for name in os.environ.get(IMPORTS, "").split():
        import_module(name)
    daemon = import_module("pyspark.daemon")
    gc.collect()
    gc.freeze()
    daemon.manager()
