"""What a test has read from its own directory is forgotten when the test ends.

A command reads a few model files and ends; a process reads thousands of them for its tests.  Each stayed in the table
of modules, and its folder in Python's path, which `checker.importing` goes through for the next one: reading a model of
ten lines took 4 milliseconds of CPU at first, and 52 after 1,500 others.

Where it stops: what is read for a fixture of several tests, or from elsewhere, stays.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def forgetting(folder: Path) -> Iterator[None]:
    """Forget the modules that are loaded here from below a folder, and the places there in which they import."""
    from checker import importing

    known, read = dict(sys.modules), set(sys.path_importer_cache)
    try:
        yield
    finally:
        top = os.path.join(folder.resolve(), "")
        for name in [n for n, module in sys.modules.items() if module is not known.get(n)]:
            if _lies_below(top, getattr(sys.modules[name], "__file__", None) or ""):
                del sys.modules[name]
                importing._brought.discard(name)
        for places in (importing._added, importing._beside.places, sys.path):
            places[:] = [place for place in places if not _lies_below(top, place)]
        packages = importing._beside.packages
        for name in [n for n, (_, above) in packages.items() if _lies_below(top, str(above))]:
            del packages[name]
        for entry in sys.path_importer_cache.keys() - read:
            if _lies_below(top, entry):
                del sys.path_importer_cache[entry]


def _lies_below(top: str, path: str) -> bool:
    """Whether a path is a folder, whose name ends with a slash, or lies in it."""
    return f"{path}{os.sep}".startswith(top)
