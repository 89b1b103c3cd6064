"""States on a local disk, in files without names: pages of rows, compressed, each with a checksum.

A file loses its name when it is made, so that the system releases its room when the process ends, however it ends. Only
the process that wrote a page reads it, so pages have no version, and their index (place, rows, CRC-32) is in memory.
What is read is compared with the index; a page that differs from what was written is an error, never other states.
"""

from __future__ import annotations

import errno
import os
import tempfile
import zlib
from pathlib import Path
from typing import IO

import numpy as np
from attrs import define, field, frozen
from numpy.typing import NDArray

from checker.contract import States
from checker.search.runs_native import library
from checker.stored.errors import Damaged, StoredFileError
from checker.stored.owned import NotPrivate, temporary_place

PAGE_BYTES = 1 << 18
"""Of the rows of a page, before they are compressed."""
_SLACK = 8


class SpillError(StoredFileError):
    """States cannot be put on the disk, or not be read back."""


class DiskFull(SpillError):
    """The disk has no room left for states."""


class SpillDamaged(SpillError, Damaged):
    """States that were read back from the disk differ from those that were written."""


class DiskLimit(Exception):
    """The states on disk would exceed their limit."""


def temporary_directory() -> Path:
    """Where large temporary files are: TMPDIR, else /var/tmp, since /tmp may be in memory.  Raises SpillError."""
    try:
        place, named = temporary_place(), os.environ.get("TMPDIR")
    except NotPrivate as error:
        raise SpillError(str(error)) from None
    return place if named or not os.access("/var/tmp", os.W_OK) else Path("/var/tmp")


@frozen
class Page:
    """The place of some rows in a file: offset and bytes; the first bytes are the sizes, two to a byte."""

    offset: int
    size: int
    rows: int
    crc: int


@define(eq=False)
class Disk:
    """A directory and the limit of this process in it.  used, peak: bytes on disk now, and the largest number so
    far."""

    directory: Path
    most: int | None = None
    used: int = 0
    peak: int = 0

    def file(self, words: int) -> PagedFile:
        """A new file for rows of the given number of words.  Raises SpillError."""
        try:
            opened = tempfile.TemporaryFile(dir=self.directory, prefix="checker-", buffering=0)
        except OSError as error:
            raise self._failed(error) from None
        return PagedFile(self, words, opened)

    def take(self, size: int) -> None:
        """Reserve this many bytes before they are written.  Raises DiskLimit."""
        if self.most is not None and self.used + size > self.most:
            raise DiskLimit
        self.used += size
        self.peak = max(self.peak, self.used)

    def write(self, file: IO[bytes], data: memoryview) -> None:
        """Append to a file.  Raises SpillError."""
        self.take(len(data))
        try:
            while data:
                data = data[os.write(file.fileno(), data) :]
        except OSError as error:
            raise self._failed(error) from None

    def _failed(self, error: OSError) -> SpillError:
        megabytes = f"{self.used / 1e6:,.1f} MB of states"
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            what = "the disk is full" if error.errno == errno.ENOSPC else "the quota is used up"
            return DiskFull(f"{self.directory}: {what}, with {megabytes} of this search on it")
        return SpillError(f"{self.directory}: states cannot be put there: {error.strerror or error}")


@define(eq=False)
class PagedFile:
    """A file without a name, which grows by pages.  Deleting the object deletes all of them."""

    disk: Disk
    words: int
    _file: IO[bytes] = field(repr=False)
    size: int = 0

    @property
    def page_rows(self) -> int:
        """Rows of a page, at most."""
        return max(1, PAGE_BYTES // (8 * self.words))

    def append(self, rows: States) -> Page:
        """Write rows (n, words), at most a page.  Raises DiskFull, DiskLimit."""
        rows = np.ascontiguousarray(rows)
        values = rows.size
        sizes = np.zeros(values + values % 2, dtype=np.uint8)
        data = np.empty(8 * values + _SLACK, dtype=np.uint8)
        written = library(self.words)["encode"](rows.ctypes.data, len(rows), sizes.ctypes.data, data.ctypes.data)
        both = np.concatenate([sizes[::2] | sizes[1::2] << 4, data[:written]])
        page = Page(self.size, both.size, len(rows), zlib.crc32(both.data))
        self.disk.write(self._file, both.data)
        self.size += both.size
        return page

    def read(self, page: Page) -> States:
        """The rows of a page.  Raises SpillError."""
        try:
            read = os.pread(self._file.fileno(), page.size, page.offset)
        except OSError as error:
            what = f"what this search wrote there cannot be read: {error.strerror or error}"
            raise SpillError(f"{self.disk.directory}: {what}") from None
        if len(read) != page.size or zlib.crc32(read) != page.crc:
            what = "states that this search wrote there were read back otherwise: the disk is damaged"
            raise SpillDamaged(f"{self.disk.directory}: {what}")
        values = page.rows * self.words
        data = np.zeros(page.size + _SLACK, dtype=np.uint8)
        data[: page.size] = np.frombuffer(read, dtype=np.uint8)
        packed = data[: (values + 1) // 2]
        sizes: NDArray[np.uint8] = np.empty(2 * packed.size, dtype=np.uint8)
        sizes[::2], sizes[1::2] = packed & 15, packed >> 4
        rows = np.empty((page.rows, self.words), dtype=np.uint64)
        start = data.ctypes.data + packed.size
        library(self.words)["decode"](start, page.rows, sizes.ctypes.data, rows.ctypes.data)
        return rows

    def close(self) -> None:
        """Delete all pages."""
        self._file.close()
        self.disk.used -= self.size
        self.size = 0
