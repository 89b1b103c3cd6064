"""Gives back the pages of libraries' code that a worker has used for the last time, LLVM's above all.

A worker compiles its kernel, or reads it from the cache, through LLVM; after that some 30 MB of its resident memory are
pages of libraries that it does not need any more. They are pages of files that cannot have been changed by the process,
so the system reads one again if it is needed after all, as it does with pages that it has reclaimed itself.

Where it stops: on other systems than Linux nothing is given back.
"""

from __future__ import annotations

import ctypes
import re
from pathlib import Path

_MAPPINGS = re.compile(r"(?m)^(?=[0-9a-f]+-[0-9a-f]+ )")
_UNWRITABLE = re.compile(r"([0-9a-f]+)-([0-9a-f]+) r-[-x]p [0-9a-f]+ \S+ [1-9][0-9]*\s")
"""A private mapping of a file, which this process must not write."""
_UNCHANGED = re.compile(r"(?m)^Anonymous: +0 kB$")
_DONT_NEED = 4


def release_code() -> int:
    """Give back unchanged pages of mapped files; how many mappings there were."""
    try:
        text = Path("/proc/self/smaps").read_text(encoding="utf-8", errors="replace")
        advise = ctypes.CDLL(None).madvise
    except (OSError, AttributeError):
        return 0
    given = 0
    for mapping in _MAPPINGS.split(text):
        found = _UNWRITABLE.match(mapping)
        if found and _UNCHANGED.search(mapping):
            start, stop = int(found[1], 16), int(found[2], 16)
            given += advise(ctypes.c_void_p(start), ctypes.c_size_t(stop - start), _DONT_NEED) == 0
    return given
