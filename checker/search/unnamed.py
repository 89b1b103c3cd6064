"""A folder of a search that only this process sees: levels in a file without a name, manifests in memory.

A search with more states than memory and without a work directory stores its levels here. Nothing of it is left when
the process ends, however it ends. Only rows of states are written: they are compressed and checked by the page.
"""

from __future__ import annotations

import zlib
from pathlib import Path
from typing import Any

import numpy as np
from attrs import define, field, frozen
from numpy.typing import NDArray

from checker.search.disk import Disk, Page, PagedFile


@define(eq=False)
class _Content:
    """What is in a folder and those below it, by name from the root."""

    pages: PagedFile
    published: dict[str, bytes] = field(factory=dict)
    written: dict[str, list[Page]] = field(factory=dict)


@define(eq=False)
class _Written:
    """A file of states being written."""

    content: _Content
    name: str
    _rest: bytes = b""

    def write(self, data: memoryview) -> None:
        """Append bytes; whole pages are put on disk."""
        held = self._rest + bytes(data)
        size = 8 * self.content.pages.words * self.content.pages.page_rows
        whole = len(held) - len(held) % size
        for start in range(0, whole, size):
            self._append(held[start : start + size])
        self._rest = held[whole:]

    def close(self) -> None:
        """Put the rest on disk."""
        if self._rest:
            self._append(self._rest)
        self._rest = b""

    def _append(self, data: bytes) -> None:
        rows = np.frombuffer(data, dtype=np.uint64).reshape(-1, self.content.pages.words)
        self.content.written[self.name].append(self.content.pages.append(rows))


@frozen(eq=False)
class UnnamedFolder:
    """A `checker.search.folders.Folder` without names in the file system."""

    disk: Disk
    _content: _Content = field(repr=False)
    below: str = ""

    @classmethod
    def on(cls, disk: Disk, words: int) -> UnnamedFolder:
        """A folder for states of this many words.  Raises StoredFileError."""
        return cls(disk, _Content(disk.file(words)))

    def __str__(self) -> str:
        return str(self.disk.directory)

    @property
    def scratch(self) -> Path:
        return self.disk.directory

    @property
    def url(self) -> str:
        return f"file://{self.disk.directory}"

    def __truediv__(self, name: str) -> UnnamedFolder:
        return UnnamedFolder(self.disk, self._content, f"{self.below}{name}/")

    def make(self) -> None:
        pass

    def names(self) -> list[str]:
        every = [*self._content.published, *self._content.written]
        inside = (name.removeprefix(self.below) for name in every if name.startswith(self.below))
        return sorted(name for name in inside if "/" not in name)

    def folders(self) -> list[str]:
        return []

    def read(self, name: str) -> bytes:
        return self._content.published[self.below + name]

    def words(self, name: str) -> NDArray[np.uint64]:
        pages = self._content.written[self.below + name]
        return np.concatenate([self._content.pages.read(page).reshape(-1) for page in pages])

    def checksum(self, name: str) -> tuple[int, int]:
        data = self.words(name)
        return data.nbytes, zlib.crc32(data.view(np.uint8).data)

    def create(self, name: str) -> Any:
        self._content.written[self.below + name] = []
        return _Written(self._content, self.below + name)

    def finish(self, file: Any, durable: bool) -> None:
        file.close()

    def publish(self, name: str, data: bytes) -> None:
        self._content.published[self.below + name] = data

    def remove(self, name: str) -> None:
        self._content.published.pop(self.below + name, None)
        self._content.written.pop(self.below + name, None)

    def remove_all(self) -> None:
        for name in self.names():
            self.remove(name)

    def claim(self) -> UnnamedFolder:
        return self

    def unused(self) -> None:
        """Do nothing: no other process knows it."""

    def shared(self, name: str) -> UnnamedFolder:
        return self

    def alone(self, name: str) -> UnnamedFolder:
        return self

    def check(self) -> None:
        """Do nothing: no other process can take it over."""

    def release(self) -> None:
        pass
