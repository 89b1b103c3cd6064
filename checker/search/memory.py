"""Memory that is reserved in full and allocated as it is touched.

A search cannot know how many states it will find, and growing an array by copying needs room for two at the worst
moment. Address space is therefore reserved and the system supplies pages on first touch. Huge pages (2 MB) are
requested, because random access to a large table otherwise misses the address translation cache as well. Where the
reservation is refused (a limit on address space, strict overcommit) half as much is tried, and so on; a search that
outgrows it ends as one out of memory.
"""

from __future__ import annotations

import mmap
import os
import sys

import numpy as np
from numpy.typing import NDArray

from checker.search.control_group import bounds

PAGE = mmap.PAGESIZE
HUGE_PAGE = 2 << 20
_NO_RESERVE = 0x4000 if sys.platform == "linux" else 0


def reserve(size: int, least: int | None = None, huge: bool = True) -> NDArray[np.uint8]:
    """Zeroed bytes, page-aligned: `size` of them; with `least` the largest halving of it (>= least) that the system
    grants.

    The memory is released with the last array that refers to it. Raises MemoryError.
    """
    least = size if least is None else least
    size = max(PAGE, -(-size // PAGE) * PAGE)
    while True:
        try:
            region = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | _NO_RESERVE)
        except (OSError, ValueError, OverflowError) as error:
            if size // 2 < max(least, PAGE):
                raise MemoryError(f"cannot reserve {size} bytes") from error
            size = -(-(size // 2) // PAGE) * PAGE
            continue
        if size >= HUGE_PAGE and hasattr(mmap, "MADV_HUGEPAGE"):
            try:
                region.madvise(mmap.MADV_HUGEPAGE if huge else mmap.MADV_NOHUGEPAGE)
            except OSError:
                pass  # a kernel without huge pages: only slower
        return np.frombuffer(region, dtype=np.uint8)


def physical_memory() -> int:
    """Bytes of memory this process may use: of the machine, or of its control groups where that is less."""
    total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return min([total, *(bound.limit for bound in bounds())])


def reservation() -> int:
    """Bytes of address space that one structure of a search should reserve: as much as there is memory.

    A search reserves some four times this. Where address space itself is limited, or every reservation counts as use
    (strict overcommit), each structure gets a share, so that all of them get some.
    """
    import resource

    shares = [physical_memory()]
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    if limit != resource.RLIM_INFINITY:
        shares.append(limit // 6)
    try:
        with open("/proc/sys/vm/overcommit_memory", encoding="ascii") as file:
            strict = file.read().strip() == "2"
        if strict:
            sizes = _meminfo()
            shares.append((sizes["CommitLimit"] - sizes["Committed_AS"]) // 6)
    except (OSError, KeyError, ValueError):
        pass  # another system than Linux
    return max(HUGE_PAGE, min(shares))


def _meminfo() -> dict[str, int]:
    """The contents of /proc/meminfo, in bytes."""
    with open("/proc/meminfo", encoding="ascii") as file:
        fields = dict(line.split(":", 1) for line in file)
    return {name: int(value.split()[0]) * 1024 for name, value in fields.items()}


def available_memory() -> int:
    """Bytes of memory that are free now, on the machine and in the control groups of this process, as far as the system
    tells; else all of it.
    """
    free = [max(0, bound.limit - bound.used) for bound in bounds()]
    try:
        return min(_meminfo()["MemAvailable"], *free, physical_memory())
    except (OSError, KeyError, ValueError):
        return min([physical_memory(), *free])


def resident() -> int:
    """The resident set of this process now, in bytes; its peak if the system does not tell."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * PAGE
    except OSError:
        return peak_resident()


def peak_resident() -> int:
    """The largest resident set of this process so far, in bytes.

    `ru_maxrss` of a process that was started by a larger one is that of the parent (Linux: it outlives `exec`), so it
    is asked only where /proc is missing.
    """
    try:
        with open("/proc/self/status", encoding="ascii") as file:
            return next(int(line.split()[1]) * 1024 for line in file if line.startswith("VmHWM:"))
    except (OSError, StopIteration):
        import resource

        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak if sys.platform == "darwin" else peak * 1024
