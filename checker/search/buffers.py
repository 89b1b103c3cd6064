"""Buffers of candidates: taken by threads while they expand, given to the later phases as one table, used again in the next batch."""

from __future__ import annotations

import numpy as np
from attrs import define
from numpy.typing import NDArray

from checker.search import parts_native as columns
from checker.search import seen_set_native as native
from checker.search.memory import reserve

LARGER_AFTER = 1 << 9
"""Buffers of a batch after which new ones are four times as large: their number is bounded."""
MOST_CANDIDATES = 1 << native.PLACE_BITS
_GIVEN = slice(columns.KEYS, columns.CAPACITY + 1)


class Buffer:
    """Room for `capacity` candidates and what the phases note about them, in one piece of memory.

    ids are the candidates in the order of keys, their hashes: as they came, or sorted by owner, whose range is
    offsets[owner:owner + 2].
    """

    def __init__(self, words: int, capacity: int, owners: int) -> None:
        self.capacity = capacity
        places = capacity + 8  # flags are read eight at a time
        sizes = [8 * words, 8, 4, 4, 1]
        memory = reserve(places * sum(sizes), least=places * sum(sizes))
        self.nbytes = memory.nbytes
        ends = np.cumsum([places * size for size in sizes]).tolist()
        states, keys, parents, ids, flags = np.split(memory[: ends[-1]], ends[:-1])
        self.parents: NDArray[np.uint32] = parents.view(np.uint32)
        self.marks: NDArray[np.bool_] = flags.view(np.bool_)
        self._offsets = np.zeros(owners + 1, dtype=np.int64)
        if owners == 1:
            ids.view(np.uint32)[:] = np.arange(places, dtype=np.uint32)
        self.row = np.zeros(columns.CAPACITY + 1, dtype=np.int64)
        for column, array in (
            (columns.KEYS, keys), (columns.IDS, ids), (columns.OFFSETS, self._offsets), (columns.FLAGS, flags),
            (columns.STATES, states), (columns.PARENTS, parents),
        ):  # fmt: skip
            self.row[column] = array.ctypes.data
        self.row[columns.CAPACITY] = capacity
        self._memory = memory


@define(eq=False)
class Parts:
    """The candidates of a batch in order: a table (n, COLUMNS) for native code, and the buffer of each row; how many of them are new, once they are numbered."""

    table: NDArray[np.int64]
    buffers: list[Buffer]
    new: int = 0

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
    """The buffers that are free, and the table from which threads take them.

    While a batch is expanded its first `ready` rows have buffers; `fill` gives one to a row beyond.
    """

    def __init__(self, words: int, owners: int) -> None:
        self.words, self.owners = words, owners
        self.nbytes = 0
        self.capacity = 0
        self.widest = 0
        """The largest capacity of a buffer that was ready when the pool was opened."""
        self._free: list[Buffer] = []
        self._rows: dict[int, Buffer] = {}
        rows = native.BUFFERS + owners  # each thread, and there are no more of them than owners, may begin a row beyond the last before it hears so
        memory = reserve(rows * columns.COLUMNS * 8, huge=False).view(np.int64)
        self.table = memory[: rows * columns.COLUMNS].reshape(rows, columns.COLUMNS)

    def open(self, capacity: int) -> int:
        """Make all free buffers of at least this capacity ready; return how many they are."""
        if capacity > self.capacity:
            self.capacity = capacity
            self.nbytes -= sum(buffer.nbytes for buffer in self._free if buffer.capacity < capacity)
            self._free = [buffer for buffer in self._free if buffer.capacity >= capacity]
        for row, buffer in enumerate(self._free[: native.BUFFERS]):
            self._put(row, buffer)
        del self._free[: native.BUFFERS]
        self.widest = max((buffer.capacity for buffer in self._rows.values()), default=0)
        return len(self._rows)

    def fill(self, row: int) -> Buffer:
        """Give a new buffer to a row. Raises MemoryError."""
        if row >= native.BUFFERS:
            raise MemoryError(f"more than {native.BUFFERS} buffers in a batch")
        capacity = min(self.capacity << 2 * (row // LARGER_AFTER), max(self.capacity, MOST_CANDIDATES))
        buffer = Buffer(self.words, capacity, self.owners)
        self.nbytes += buffer.nbytes
        self._put(row, buffer)
        return buffer

    def _put(self, row: int, buffer: Buffer) -> None:
        self._rows[row] = buffer
        self.table[row, _GIVEN] = buffer.row

    def close(self, taken: int) -> Parts:
        """What is in the first rows, in the order of their ranges; the other buffers are free again."""
        order = np.argsort(self.table[:taken, columns.RANGE], kind="stable")
        parts = Parts(self.table[order], [self._rows.pop(row) for row in order.tolist()])
        self._free += self._rows.values()
        self._rows.clear()
        return parts

    def release(self, parts: Parts) -> None:
        """Take buffers back."""
        self._free += parts.buffers
        parts.buffers = []
