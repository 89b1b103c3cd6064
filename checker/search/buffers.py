"""Buffers of candidates: threads fill them while they expand, later phases read them as one table, and the next batch
uses them again.
"""

from __future__ import annotations

import numpy as np
from attrs import define
from numpy.typing import NDArray

from checker.search import parts_native as columns
from checker.search import tables_native as native
from checker.search.memory import reserve

LARGER_AFTER = 1 << 9
"""Buffers of a batch after which new ones are four times as large: their number is bounded."""
MOST_CANDIDATES = 1 << native.PLACE_BITS
_GIVEN = slice(columns.KEYS, columns.CAPACITY + 1)


class Buffer:
    """Memory for candidates and for the notes of the phases about them; the first `capacity` places are in use.

    ids are the candidates in the order of keys, their hashes: in the order of arrival, or sorted by owner, whose range
    is offsets[owner:owner + 2].
    """

    def __init__(self, words: int, places: int, owners: int) -> None:
        self.capacity = 0
        self.bytes_per_place = 8 * words + 17
        places += 8  # flags are read eight at a time
        sizes = [8 * words, 8, 4, 4, 1]
        memory = reserve(places * sum(sizes), huge=False)
        ends = np.cumsum([places * size for size in sizes]).tolist()
        states, keys, parents, ids, flags = np.split(memory[: ends[-1]], ends[:-1])
        self.parents: NDArray[np.uint32] = parents.view(np.uint32)
        self.marks: NDArray[np.bool_] = flags.view(np.bool_)
        self._offsets = np.zeros(owners + 1, dtype=np.int64)
        self._ids: NDArray[np.uint32] | None = ids.view(np.uint32) if owners == 1 else None
        self.row = np.zeros(columns.CAPACITY + 1, dtype=np.int64)
        for column, array in (
            (columns.KEYS, keys),
            (columns.IDS, ids),
            (columns.OFFSETS, self._offsets),
            (columns.FLAGS, flags),
            (columns.STATES, states),
            (columns.PARENTS, parents),
        ):
            self.row[column] = array.ctypes.data
        self._memory = memory

    def widen(self, capacity: int) -> None:
        """Let this many places be used: memory is touched no earlier, and once."""
        if self._ids is not None:
            self._ids[self.capacity : capacity] = np.arange(self.capacity, capacity, dtype=np.uint32)
        self.capacity = self.row[columns.CAPACITY] = capacity

    @property
    def nbytes(self) -> int:
        """Bytes of the places in use."""
        return self.capacity * self.bytes_per_place


@define(eq=False)
class Parts:
    """The candidates of a batch in order: a table (n, COLUMNS) for native code, and the buffer of each row."""

    table: NDArray[np.int64]
    buffers: list[Buffer]

    def __len__(self) -> int:
        return len(self.buffers)

    def flagged(self) -> list[NDArray[np.int64]]:
        """For each part the places of the flagged candidates."""
        kept = self.table[:, columns.KEPT].tolist()
        return [np.flatnonzero(buffer.marks[:n]) for buffer, n in zip(self.buffers, kept)]

    def origins(self, number: int, places: NDArray[np.int64]) -> NDArray[np.int64]:
        """The indices of the parents of the candidates at these places of a part."""
        parents = self.buffers[number].parents[places].astype(np.int64)
        return parents + self.table[number, columns.BASE]

    def unflag(self, number: int, places: NDArray[np.int64]) -> None:
        """Drop these candidates of a part."""
        self.buffers[number].marks[places] = False


class Pool:
    """The table of buffers from which threads take rows, and the buffers of the rows: they serve batch after batch.

    While a batch is expanded its first `ready` rows have buffers; `fill` gives one to a row beyond.
    """

    def __init__(self, words: int, owners: int, most: int) -> None:
        """`most`: the largest capacity to which a pool is opened."""
        self.words, self.owners, self.most = words, owners, most
        self.capacity = 0
        self.nbytes = 0
        """Bytes of all buffers."""
        self.widest = 0
        """The largest capacity of a buffer so far."""
        self._buffers: dict[int, Buffer] = {}
        # each thread, and there are no more of them than owners, may begin a row beyond the last before it hears so
        rows = native.BUFFERS + owners
        size = rows * columns.COLUMNS
        memory = reserve(8 * (2 * size + rows), huge=False).view(np.int64)
        self.table = memory[:size].reshape(rows, columns.COLUMNS)
        self.parts = memory[size : 2 * size].reshape(rows, columns.COLUMNS)
        """The rows in the order of their ranges, once a batch is expanded."""
        self.addresses = memory[2 * size : 2 * size + rows]
        """For each part the address of its states."""

    def open(self, capacity: int) -> int:
        """Let buffers have at least this capacity; return how many are ready."""
        if capacity > self.capacity:
            self.capacity = capacity
            for row, buffer in self._buffers.items():
                if buffer.capacity < capacity:
                    buffer.widen(capacity)
                    self.table[row, _GIVEN] = buffer.row
            self.nbytes = sum(buffer.nbytes for buffer in self._buffers.values())
            self.widest = max(self.widest, capacity)
        return len(self._buffers)

    def fill(self, row: int) -> Buffer:
        """Give a new buffer to a row. Raises MemoryError."""
        if row >= native.BUFFERS:
            raise MemoryError(f"more than {native.BUFFERS} buffers in a batch")
        capacity = min(self.capacity << 2 * (row // LARGER_AFTER), max(self.capacity, MOST_CANDIDATES))
        buffer = Buffer(self.words, max(capacity, self.most), self.owners)
        buffer.widen(capacity)
        self._buffers[row] = buffer
        self.nbytes += buffer.nbytes
        self.widest = max(self.widest, capacity)
        self.table[row, _GIVEN] = buffer.row
        return buffer

    def take(self, count: int) -> Parts:
        """The first rows of `parts` with their buffers, which no longer belong to the pool."""
        table = self.parts[:count].copy()
        parts = Parts(table, [self._buffers[row] for row in table[:, columns.BUFFER].tolist()])
        self._buffers.clear()
        self.nbytes = 0
        return parts
