"""The set of states seen so far: native tables, one per range of hashes, each grown on its own.

A large table grows in place, so growing needs no second table, touches no memory twice and follows the order of the old
one. There are several tables so that threads can own disjoint sets of them and growing one is a short pause. Their
first sizes are staggered over one growth factor: later they do not all grow at once, and the memory per entry stays
even. With loads between 0.53 and 0.8, an entry takes about 12 bytes.

Where it stops: a table that exceeds physical memory; the search ends as one out of memory.
"""

from __future__ import annotations

from threading import Lock

import numpy as np
from numpy.typing import NDArray

from checker.contract import States
from checker.search import tables_native as native
from checker.search.emit import LANES
from checker.search.memory import reservation, reserve
from checker.search.seen_set_native import library
from checker.search.sift_native import CACHE_SHIFT

LOAD = 0.65
GROWTH = 1.5
SMALL_GROWTH = 4.0
SMALL_TABLE = 1 << 22
"""Tables of at most this many bytes have no huge pages: eight tables that each end within one page would cost a small
search a third of its memory.
"""

_FIRST_LINES = 64
_LINE_BYTES = 8 * LANES


class SeenSet:
    """An exact set of states of `words` words in 2^table_bits tables (1 <= table_bits <= 16).

    Several threads may insert at once for keys of different tables.
    """

    def __init__(self, words: int, table_bits: int = 3, quick: bool = False) -> None:
        """quick: begin with quickly compiled code."""
        if not 1 <= table_bits <= 16:
            raise ValueError("table_bits must be in 1..16")
        self.words = words
        self.table_bits = table_bits
        self.library = library(words, quick)
        count = 1 << table_bits
        self._memory: list[NDArray[np.uint8]] = []
        self._aligned = reserve(count * native.DESCRIPTOR * 8)
        self._tables = self._aligned.view(np.int64)[: count * native.DESCRIPTOR].reshape(count, native.DESCRIPTOR)
        self.tables_address = self._tables.ctypes.data
        self.nbytes = 0
        """Bytes of all tables."""
        self._lock = Lock()
        for table in range(count):
            lines = int(_FIRST_LINES * GROWTH ** (table / count))
            self._memory.append(reserve(SMALL_TABLE, lines * _LINE_BYTES, huge=False))
            self._describe(table, lines)
        self._insert = self.library["insert"]

    def _describe(self, table: int, lines: int) -> None:
        row = self._tables[table]
        with self._lock:
            self.nbytes += (lines - int(row[native.LINES])) * _LINE_BYTES
        row[native.BASE] = self._memory[table].ctypes.data
        row[native.LINES] = lines
        row[native.LIMIT] = int(lines * LANES * LOAD)

    def empty(self) -> None:
        """Forget all states. Tables keep their sizes; no other thread may use them meanwhile."""
        for row, memory in zip(self._tables, self._memory):
            memory[: int(row[native.LINES]) * _LINE_BYTES] = 0
            row[[native.COUNT, native.ZERO_SEEN]] = 0

    def insert(self, keys: NDArray[np.uint64], ids: int, stop: int, *others: int) -> None:
        """Insert keys[:stop]; see `insert_native`, also for `others`: flags, states, buffers, buffer, store."""
        tables, position = (self.tables_address, self.table_bits, keys.ctypes.data, ids), 0
        while (position := self._insert(*tables, position, stop, *others)) != stop:
            self.grow_for(int(keys[position]))

    def grow_for(self, key: int) -> None:
        """Enlarge the table that owns a key. Raises MemoryError."""
        self.grow(key >> (64 - self.table_bits))

    def grow(self, table: int) -> None:
        """Enlarge a table by the growth factor. Raises MemoryError."""
        lines = int(self._tables[table, native.LINES])
        old = self._memory[table]
        larger = int(lines * (SMALL_GROWTH if lines * _LINE_BYTES < SMALL_TABLE // 4 else GROWTH))
        size = larger * _LINE_BYTES
        if size > old.nbytes:
            self._memory[table] = reserve(max(size, reservation() * 2 >> self.table_bits), size)
        new = self._memory[table]
        filled = np.zeros(larger + 1, dtype=np.uint8)
        strays = np.empty(1024, dtype=np.uint64)
        count = np.zeros(1, dtype=np.int64)
        left, grow, tables = lines, self.library["grow"], (new.ctypes.data, larger, filled.ctypes.data, self.table_bits)
        while left := grow(old.ctypes.data, left, *tables, strays.ctypes.data, strays.size, count.ctypes.data):
            strays = np.concatenate([strays, np.empty_like(strays)])
        self.library["place"](strays.ctypes.data, int(count[0]), new.ctypes.data, larger, self.table_bits)
        self._describe(table, larger)


class RecentStates:
    """A small direct-mapped cache of states that one thread has sifted; a state that it holds is certainly a duplicate.

    Most duplicates follow soon after the first occurrence (two steps that commute meet again one level on), and this
    cache detects them without a miss in the large tables.
    """

    def __init__(self, words: int, size: int = 1 << 18, quick: bool = False) -> None:
        """`size`: the largest size in bytes, which should fit into the second-level cache.  quick: as in SeenSet."""
        entries = 1 << max(6, (size // (8 * words)).bit_length() - 1)
        self.mask = entries - 1
        self._states: States = reserve(entries * 8 * words).view(np.uint64)[: entries * words].reshape(entries, words)
        self.address = self._states.ctypes.data
        self._sift = library(words, quick)["sift"]
        self.nbytes = self._states.nbytes
        self._forget_zero_state()

    def _forget_zero_state(self) -> None:
        """Fill the slot of the all-zero state with another state, which belongs to another slot and so never matches.

        Empty slots are zero, and only in this slot would zeros match a state.
        """
        other = np.zeros((1, self._states.shape[1]), dtype=np.uint64)
        zero = self._slot(other)
        while self._slot(other) == zero:
            other[0, 0] += np.uint64(1)
        self._states[:] = 0
        self._states[zero] = other[0]

    def _slot(self, state: States) -> int:
        key, parent, copy = np.zeros(1, dtype=np.uint64), np.zeros(1, dtype=np.uint32), np.zeros_like(state)
        self.sift(
            state.ctypes.data, parent.ctypes.data, 1, key.ctypes.data, copy.ctypes.data, parent.ctypes.data
        )  # a hash is written even for a state that is dropped
        return int(key[0]) >> CACHE_SHIFT & self.mask

    def sift(self, states: int, parents: int, n: int, keys: int, states_out: int, parents_out: int) -> int:
        """Write hash, words and parent of the states not known as duplicates; return how many.

        Arguments are addresses; the outputs need room for all n.
        """
        return self._sift(states, parents, n, self.address, self.mask, keys, states_out, parents_out)
