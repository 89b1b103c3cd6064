"""One batch of the search: expand ranges of stored states, keep the successors not seen before, in order.

Three phases, each over all threads, with a wait in between:

1. expand   a range of rows goes through the source; the thread drops what it has met recently, at once while it is
            in the cache, keeps the rest as candidates in buffers and sorts them by owner, a range of hashes.
2. insert   each owner goes through all buffers in order and inserts its candidates in order; new ones are flagged.
3. collect  each buffer's flagged candidates are copied, in order, to their place in the store.

The first of equal candidates, in the order of rows and successors, is the one that is kept, because an owner meets
them in that order and a thread drops only what comes after something it sifted itself. So the store is the same for
any number of threads and any cutting into ranges and buffers.
"""

from __future__ import annotations

from bisect import bisect_left
from threading import Lock

import numpy as np
from attrs import define, field
from numpy.typing import NDArray

from checker.search import parts_native as columns
from checker.search import seen_set_native as native
from checker.search.memory import reserve
from checker.search.seen_set import RecentStates, SeenSet
from checker.search.source import NEVER, Source, States
from checker.search.store import Store
from checker.search.threads import Threads, run_alone

SUCCESSOR_BYTES = 1 << 20
"""Bytes of successors a call to the source may write: calls should be long."""
OWNERS = 2
"""Owners for a thread, so that none waits long for the other in the second phase."""
FIRST_SUCCESSORS = 1 << 12
FEW_CANDIDATES = 1 << 11
"""Up to so many, one thread is done before the others have woken up."""
PIECES_PER_THREAD = 4
"""Pieces of a batch's new states for a thread to copy and check, one after the other."""
MOST_CANDIDATES = 1 << native.PLACE_BITS
MOST_ROWS = 1 << 16


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
        self.keys: NDArray[np.uint64] = keys.view(np.uint64)
        self.parents: NDArray[np.uint32] = parents.view(np.uint32)
        self.ids: NDArray[np.uint32] = ids.view(np.uint32)
        self.flags = flags
        self.marks: NDArray[np.bool_] = flags.view(np.bool_)
        self.offsets = np.zeros(owners + 1, dtype=np.int64)
        self.row = np.zeros(columns.COLUMNS, dtype=np.int64)
        if owners == 1:
            self.ids[:] = np.arange(places, dtype=np.uint32)
        self.states_address = states.ctypes.data
        self.parents_address = self.parents.ctypes.data
        self.flags_address = self.flags.ctypes.data
        self.addresses = (self.keys.ctypes.data, self.ids.ctypes.data)
        self.offsets_address = self.offsets.ctypes.data
        for column, address in (
            (columns.KEYS, self.addresses[0]), (columns.IDS, self.addresses[1]), (columns.OFFSETS, self.offsets_address),
            (columns.FLAGS, self.flags_address), (columns.STATES, self.states_address), (columns.PARENTS, self.parents_address),
        ):  # fmt: skip
            self.row[column] = address
        self._memory = memory


@define(eq=False)
class Part:
    """The candidates in one buffer, from rows counted from the state of index `base`."""

    buffer: Buffer
    base: int
    kept: int = 0


@define(eq=False)
class Tally:
    """What the expansion of a batch counted: counters of the source, findings and quiescent states.

    `shown` lists (finding or F + finding for cut successors, index of the state); `quiescent` (base, offsets).
    """

    counters: NDArray[np.int64]
    shown: list[tuple[int, int]] = field(factory=list)
    quiescent: list[tuple[int, NDArray[np.uint16]]] = field(factory=list)


@define(eq=False)
class Worker:
    """What a thread keeps to itself."""

    recent: RecentStates
    counters: NDArray[np.int64]
    first: NDArray[np.int64]
    quiescent: NDArray[np.uint8]
    successors: States
    parents: NDArray[np.uint32]
    unsorted: NDArray[np.uint64] = field(factory=lambda: np.empty(0, dtype=np.uint64))

    def widen(self, capacity: int) -> None:
        """Make room for at least so many successors."""
        if self.parents.size < capacity:
            self.successors = np.empty((capacity, self.successors.shape[1]), dtype=np.uint64)
            self.parents = np.zeros(capacity, dtype=np.uint32)

    @property
    def nbytes(self) -> int:
        return self.recent.nbytes + self.successors.nbytes + self.parents.nbytes + self.unsorted.nbytes


class Batches:
    """The phases over a source, a store and a seen set."""

    def __init__(self, source: Source, store: Store, threads: Threads) -> None:
        words = source.words
        self.source = source
        self.store = store
        self.threads = threads
        self.row_bytes = 8 * words
        self.owner_bits = (OWNERS * threads.size - 1).bit_length() if threads.size > 1 else 0
        self.owners = 1 << self.owner_bits
        self.seen = SeenSet(words, max(3, self.owner_bits))
        self.most = max(1 << 10, SUCCESSOR_BYTES // (8 * words))
        self.capacity = min(self.most, FIRST_SUCCESSORS)
        self.findings = len(source.findings)
        self.workers = [
            Worker(
                RecentStates(words),
                np.zeros(2 * len(source.actions) + 3, dtype=np.int64),
                np.full(2 * self.findings, NEVER, dtype=np.int64),
                np.zeros(MOST_ROWS, dtype=np.uint8),
                np.empty((self.capacity, words), dtype=np.uint64),
                np.zeros(self.capacity, dtype=np.uint32),
            )
            for _ in range(threads.size)
        ]
        self._free: list[Buffer] = []
        self._addresses = np.zeros(native.BUFFERS, dtype=np.uint64)
        self._lock = Lock()
        self.buffer_bytes = 0
        self._distribute = self.seen.library["distribute"]
        self._count_parts = self.seen.library["count_parts"]
        self._collect_parts = self.seen.library["collect_parts"]

    # ---- phase 1

    def expand(self, ranges: list[tuple[int, int]]) -> tuple[list[Part], Tally]:
        """The candidates from the stored states of each [start, stop), at most MOST_ROWS of them, in order."""
        for worker in self.workers:
            worker.counters[:] = 0
        done = self.threads.run(lambda number, thread: self._expand(*ranges[number], self.workers[thread]), len(ranges))
        tally = Tally(self.workers[0].counters.copy())
        for worker in self.workers[1:]:
            tally.counters += worker.counters
        parts: list[Part] = []
        for some, shown, quiescent in done:
            parts += some
            tally.shown += shown
            tally.quiescent += quiescent
        return parts, tally

    def _expand(
        self, start: int, stop: int, worker: Worker
    ) -> tuple[list[Part], list[tuple[int, int]], list[tuple[int, NDArray[np.uint16]]]]:
        rows = stop - start
        states = self.store.states[start:stop]
        quiescent = worker.quiescent[:rows]
        counters, first = worker.counters, worker.first
        before = counters[-2]
        parts: list[Part] = []
        row = 0
        worker.widen(self.capacity)
        while row < rows:
            following, written = self.source.expand(
                states, row, worker.successors, worker.parents, counters, first, quiescent
            )
            if following == row:
                worker.widen(self._larger(worker.parents.size))
                continue
            row = following
            self._sift(worker.successors.ctypes.data, worker.parents.ctypes.data, written, start, parts, worker)
        self._close(parts, worker)
        found = self._shown(first, start)
        if counters[-2] == before:
            return parts, found, []
        return parts, found, [(start, np.flatnonzero(quiescent).astype(np.uint16))]

    def _larger(self, capacity: int) -> int:
        if capacity >= MOST_CANDIDATES:
            raise OverflowError(f"a state has more than {MOST_CANDIDATES} successors")
        return min(4 * capacity, MOST_CANDIDATES)

    def _shown(self, first: NDArray[np.int64], base: int) -> list[tuple[int, int]]:
        if not first.size or first.min() == NEVER:
            return []
        found = [(int(f), base + int(first[f])) for f in np.flatnonzero(first != NEVER)]
        first[:] = NEVER
        return found

    def _sift(self, states: int, parents: int, n: int, base: int, parts: list[Part], worker: Worker) -> None:
        """Append n states and their parents, given by address, to a thread's parts, as far as they are not known as duplicates."""
        done = 0
        while done < n:
            left = n - done
            if not parts or self._crowded(parts[-1], left):
                self._close(parts, worker)
                parts.append(Part(self._take(len(parts)), base))
                if self.owners > 1 and worker.unsorted.size < parts[-1].buffer.keys.size:
                    worker.unsorted = np.empty(parts[-1].buffer.keys.size, dtype=np.uint64)
            part = parts[-1]
            buffer, place = part.buffer, part.kept
            taken = min(left, buffer.capacity - place)
            keys = buffer.addresses[0] if self.owners == 1 else worker.unsorted.ctypes.data
            part.kept += worker.recent.sift(
                states + done * self.row_bytes, parents + done * 4, taken,
                keys + place * 8, buffer.states_address + place * self.row_bytes, buffer.parents_address + place * 4,
            )  # fmt: skip
            done += taken

    def _crowded(self, part: Part, more: int) -> bool:
        """Whether to start another buffer: for the sake of a few candidates one is not begun, nor is one split."""
        room = part.buffer.capacity - part.kept
        return room == 0 or room < min(more, part.buffer.capacity // 2)

    def _close(self, parts: list[Part], worker: Worker) -> None:
        """Sort the candidates of the last part by owner."""
        if not parts:
            return
        buffer = parts[-1].buffer
        if self.owners == 1:
            buffer.offsets[1] = parts[-1].kept
            return
        buffer.offsets[:] = 0
        self._distribute(
            worker.unsorted.ctypes.data, parts[-1].kept, self.owner_bits, self.owners,
            *buffer.addresses, buffer.offsets_address,
        )  # fmt: skip

    def _take(self, used: int) -> Buffer:
        """A free buffer, larger the more of them a range has used: the number in a batch is bounded."""
        least = max(1, self.capacity // (2 if self.owners == 1 else 4))
        capacity = min(least << used // 4 * 2, max(least, MOST_CANDIDATES))
        while True:
            try:
                buffer = self._free.pop()
            except IndexError:
                break
            if buffer.capacity >= capacity:
                return buffer
            with self._lock:
                self.buffer_bytes -= buffer.nbytes
        buffer = Buffer(self.source.words, capacity, self.owners)
        with self._lock:
            self.buffer_bytes += buffer.nbytes
        return buffer

    def initial(self, states: States) -> list[Part]:
        """Given states as candidates."""
        size = min(self.capacity, MOST_ROWS)
        done = self.threads.run(
            lambda number, thread: self._given(states[number * size : (number + 1) * size], self.workers[thread]),
            -(-len(states) // size),
        )
        return [part for some in done for part in some]

    def _given(self, states: States, worker: Worker) -> list[Part]:
        parents = np.zeros(len(states), dtype=np.uint32)
        parts: list[Part] = []
        self._sift(states.ctypes.data, parents.ctypes.data, len(states), 0, parts, worker)
        self._close(parts, worker)
        return parts

    # ---- phase 2

    def insert(self, parts: list[Part]) -> int:
        """Flag the candidates not seen before; return how many there are."""
        if len(parts) > native.BUFFERS:
            raise MemoryError(f"more than {native.BUFFERS} buffers in a batch")
        table = self._table(parts)
        self._addresses[: len(parts)] = table[:, columns.STATES].view(np.uint64)
        address, store, buffers = table.ctypes.data, self.store.states.ctypes.data, self._addresses.ctypes.data
        run = self.threads.run if sum(part.kept for part in parts) > FEW_CANDIDATES else run_alone
        run(lambda owner, thread: self.seen.insert_parts(address, len(parts), owner, buffers, store), self.owners)
        return self.flagged(parts)

    def flagged(self, parts: list[Part]) -> int:
        """How many candidates are flagged."""
        return self._number(self._table(parts))

    def _table(self, parts: list[Part]) -> NDArray[np.int64]:
        """The parts as a table for native code: (parts, COLUMNS)."""
        table = np.empty((len(parts), columns.COLUMNS), dtype=np.int64)
        for row, part in zip(table, parts):
            row[:] = part.buffer.row
            row[columns.KEPT] = part.kept
            row[columns.BASE] = part.base
        return table

    def _number(self, table: NDArray[np.int64]) -> int:
        """Give each part the index of its first new state; return how many are new."""
        return self._count_parts(table.ctypes.data, len(table), self.store.count)

    # ---- phase 3

    def collect(self, parts: list[Part]) -> list[tuple[int, int]]:
        """Append the flagged candidates to the store and check them; return (finding, index) of what showed."""
        table = self._table(parts)
        new = self._number(table)
        firsts = [*table[:, columns.FIRST].tolist(), self.store.count + new]
        cuts = self._cuts(firsts)
        run = self.threads.run if new > FEW_CANDIDATES else run_alone
        done = run(
            lambda number, thread: self._append(table, cuts[number], cuts[number + 1], firsts, self.workers[thread]), len(cuts) - 1
        )
        for number, part in enumerate(parts):
            self.store.appended(firsts[number + 1] - firsts[number], part.base >> 32)
        self.release(parts)
        return [found for some in done for found in some]

    def _cuts(self, firsts: list[int]) -> list[int]:
        """Where to cut the parts so that each piece has about as many new states as any other, some pieces for each thread."""
        pieces = 1 if self.threads.size == 1 else PIECES_PER_THREAD * self.threads.size
        cuts = [0]
        for piece in range(1, pieces):
            wanted = firsts[0] + (firsts[-1] - firsts[0]) * piece // pieces
            place = bisect_left(firsts, wanted, cuts[-1])
            if place > cuts[-1]:
                cuts.append(place)
        if cuts[-1] < len(firsts) - 1:
            cuts.append(len(firsts) - 1)
        return cuts

    def _append(self, table: NDArray[np.int64], start: int, stop: int, firsts: list[int], worker: Worker) -> list[tuple[int, int]]:
        first, end = firsts[start], firsts[stop]
        if first == end:
            return []
        store = self.store
        self._collect_parts(
            table.ctypes.data, start, stop, store.states.ctypes.data, store.parents.ctypes.data,
            self.seen.tables_address, self.seen.table_bits,
        )  # fmt: skip
        self.source.check(store.states[first:end], worker.first)
        return self._shown(worker.first, first)

    def enlarge(self) -> None:
        """Let calls to the source write more, up to the most that is useful."""
        self.capacity = max(self.capacity, min(4 * self.capacity, self.most))

    def release(self, parts: list[Part]) -> None:
        """Give the buffers of a batch back."""
        self._free += [part.buffer for part in parts]

    @property
    def nbytes(self) -> int:
        """Bytes of everything the search holds."""
        workers = sum(worker.nbytes for worker in self.workers)
        return self.store.nbytes + self.seen.nbytes + self.buffer_bytes + workers
