"""Files of states: written once under a name that no other attempt uses, checked when read.

A file holds the packed states of one shard as little-endian words, without a header. Its manifest has the number of
rows and the checksum (`workdir`); a file that differs from them is damaged. Where it stops: a damage that keeps the
CRC-32 is not noticed.
"""

from __future__ import annotations

import uuid
import zlib
from collections.abc import Iterator
from typing import Any

import numpy as np
from attrs import define, field
from numpy.typing import NDArray

from checker.contract import States
from checker.frozen import frozen
from checker.search.blocks import blocks
from checker.search.folder_errors import WorkDirectoryError, folder_errors
from checker.search.folders import Folder

REMEDY = "restore the file from a copy, or start again with another work directory"


@frozen
class Block:
    """A file of states: its name in data/, the shard that owns them, rows and CRC-32."""

    shard: int
    name: str
    rows: int
    crc: int


def _bytes(states: NDArray[Any]) -> memoryview:
    return np.ascontiguousarray(states, dtype="<u8").view(np.uint8).reshape(-1).data


@define
class BlockWriter:
    """A file of states being written, under a name that no other attempt uses. Raises WorkDirectoryError."""

    directory: Folder
    stem: str
    shard: int
    rows: int = 0
    _crc: int = 0
    _name: str = ""
    _file: Any = field(default=None, repr=False)

    def write(self, states: States) -> None:
        """Append states; a file that cannot be written completely is deleted, to leave room for the next attempt."""
        with folder_errors(self.directory):
            try:
                if self._file is None:
                    self._name = f"{self.stem}-{self.shard:03}-{uuid.uuid4().hex[:12]}"
                    self._file = self.directory.create(self._name)
                memory = _bytes(states)
                self._crc = zlib.crc32(memory, self._crc)
                self.rows += len(states)
                self._file.write(memory)
            except OSError:
                self.discard()
                raise

    def close(self, durable: bool = True) -> tuple[Block, ...]:
        """The finished file, or nothing if no state was written; `durable`: it survives a loss of power."""
        if self._file is None:
            return ()
        with folder_errors(self.directory):
            try:
                self.directory.finish(self._file, durable)
            except OSError:
                self.discard()
                raise
        return (Block(self.shard, self._name, self.rows, self._crc),)

    def discard(self) -> None:
        """Delete what was written."""
        if self._file is not None:
            try:
                self._file.close()
            except OSError:
                pass  # flushing the rest meets the same full disk
            self.directory.remove(self._name)


def write_blocks(directory: Folder, stem: str, shard: int, states: States) -> tuple[Block, ...]:
    """One file with these states; none for no states."""
    writer = BlockWriter(directory, stem, shard)
    if len(states):
        writer.write(states)
    return writer.close()


def pieces(directory: Folder, block: Block, words: int, rows: int) -> Iterator[States]:
    """The states of a file, at most this many at a time. Raises WorkDirectoryError."""
    return blocks(read_block(directory, block, words), rows)


def read_block(directory: Folder, block: Block, words: int) -> States:
    """The states of a file, (rows, words), mapped into memory. Raises WorkDirectoryError if they differ from what was
    written.
    """
    if block.rows == 0:
        return np.zeros((0, words), dtype=np.uint64)
    try:
        with folder_errors(directory):
            states = directory.words(block.name)
    except ValueError:  # no whole number of words
        states = np.zeros(0, dtype=np.uint64)
    if states.size != block.rows * words:
        raise WorkDirectoryError(
            f"{directory}/{block.name} is damaged: it has not the size that its manifest gives; {REMEDY}"
        )
    if zlib.crc32(_bytes(states)) != block.crc:
        raise WorkDirectoryError(
            f"{directory}/{block.name} is damaged: its checksum is not that of its manifest; {REMEDY}"
        )
    return states.reshape(block.rows, words)
