"""Memory that is reserved in full and paid for as it is touched.

A search cannot know how many states it will meet. Growing an array by copying holds the old and the new one at once,
at the worst moment. Instead address space is reserved up front and the operating system supplies pages on first
touch; what a search reserves says nothing about what it uses. Huge pages (2 MB) are asked for, since random access to
a large table otherwise misses the address translation cache as well. Where the reservation is refused (a limit on
address space, strict overcommit) half as much is tried, and so on; a search that outgrows it ends as one out of memory.
"""

from __future__ import annotations

import mmap
import os
import sys

import numpy as np
from numpy.typing import NDArray

PAGE = mmap.PAGESIZE
HUGE_PAGE = 2 << 20
_NO_RESERVE = 0x4000 if sys.platform == "linux" else 0


def reserve(size: int, least: int = PAGE, huge: bool = True) -> NDArray[np.uint8]:
    """Zeroed bytes, page-aligned: `size` of them, or the largest halving of it (>= least) that the system grants.

    The memory is released with the last array that refers to it. Raises MemoryError.
    """
    size = max(PAGE, -(-size // PAGE) * PAGE)
    while True:
        try:
            region = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | _NO_RESERVE)
        except (OSError, ValueError, OverflowError) as error:
            if size // 2 < max(least, PAGE):
                raise MemoryError(f"cannot reserve {size} bytes") from error
            size = -(-(size // 2) // PAGE) * PAGE
            continue
        if huge and size >= HUGE_PAGE and hasattr(mmap, "MADV_HUGEPAGE"):
            try:
                region.madvise(mmap.MADV_HUGEPAGE)
            except OSError:
                pass  # a kernel without huge pages: only slower
        return np.frombuffer(region, dtype=np.uint8)


def physical_memory() -> int:
    """Bytes of memory this process may use: of the machine, or of its control group where that is less."""
    total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    for path in ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"):
        try:
            with open(path, encoding="ascii") as file:
                total = min(total, int(file.read()))
        except (OSError, ValueError):
            continue  # no such control group, or "max"
    return total


def available_memory() -> int:
    """Bytes of memory that are free for use now, as far as the system tells; else all of it."""
    try:
        with open("/proc/meminfo", encoding="ascii") as file:
            fields = dict(line.split(":", 1) for line in file)
        return min(physical_memory(), int(fields["MemAvailable"].split()[0]) * 1024)
    except (OSError, KeyError, ValueError):
        return physical_memory()


def peak_resident() -> int:
    """The largest resident set of this process so far, in bytes."""
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024
