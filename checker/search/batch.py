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
from checker.search import ranges_native as ranges
from checker.search import seen_set_native as native
from checker.search.buffers import MOST_CANDIDATES, Parts, Pool
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
MOST_ROWS = 1 << 16


@define(eq=False)
class Tally:
    """What the expansion of a batch counted: counters of the source, findings and quiescent states.

    `shown` lists (finding or F + finding for cut successors, index of the state); `quiescent` (base, offsets).
    """

    counters: NDArray[np.int64]
    shown: list[tuple[int, int]] = field(factory=list)
    quiescent: list[tuple[int, NDArray[np.uint16]]] = field(factory=list)


class Worker:
    """What a thread keeps to itself."""

    def __init__(self, words: int, capacity: int, actions: int, findings: int) -> None:
        self.words = words
        self.recent = RecentStates(words)
        own = reserve(8 * (ranges.CURSOR + 2 * actions + 3 + 16)).view(np.int64)  # no cache line of it is another thread's
        self.cursor: NDArray[np.int64] = own[: ranges.CURSOR]
        self.counters: NDArray[np.int64] = own[ranges.CURSOR : ranges.CURSOR + 2 * actions + 3]
        self.first: NDArray[np.int64] = np.full(2 * findings, NEVER, dtype=np.int64)
        self.cursor[[ranges.COUNTERS, ranges.RECENT, ranges.MASK]] = self.counters.ctypes.data, self.recent.address, self.recent.mask
        self.unsorted = np.empty(0, dtype=np.uint64)
        self.room = 0
        self.widen(capacity)

    def widen(self, room: int) -> None:
        """Make room for at least so many successors."""
        if self.room >= room:
            return
        self.room = room
        self.successors = np.empty((room, self.words), dtype=np.uint64)
        self.origins = np.zeros(room, dtype=np.uint32)
        self.cursor[[ranges.SUCCESSORS, ranges.ORIGINS, ranges.ROOM]] = self.successors.ctypes.data, self.origins.ctypes.data, room

    def sort_up_to(self, capacity: int) -> None:
        """Be able to sort the candidates of a buffer of this capacity; what is in hand must be sorted."""
        if self.unsorted.size < capacity:
            self.unsorted = np.empty(capacity, dtype=np.uint64)
            self.cursor[ranges.UNSORTED] = self.unsorted.ctypes.data

    @property
    def nbytes(self) -> int:
        return self.recent.nbytes + self.successors.nbytes + self.origins.nbytes + self.unsorted.nbytes


class Batches:
    """The phases over a source, a store and a seen set."""

    def __init__(self, source: Source, store: Store, threads: Threads) -> None:
        words = source.words
        self.source = source
        self.store = store
        self.threads = threads
        self.owner_bits = (OWNERS * threads.size - 1).bit_length() if threads.size > 1 else 0
        self.owners = 1 << self.owner_bits
        self.seen = SeenSet(words, max(3, self.owner_bits))
        self.most = max(1 << 10, SUCCESSOR_BYTES // (8 * words))
        self.capacity = min(self.most, FIRST_SUCCESSORS)
        self.findings = len(source.findings)
        self.workers = [Worker(words, self.capacity, len(source.actions), self.findings) for _ in range(threads.size)]
        self.pool = Pool(words, self.owners)
        self._control = np.zeros(ranges.CONTROL, dtype=np.int64)
        self._quiescent = np.zeros(0, dtype=np.uint8)
        self._addresses = np.zeros(native.BUFFERS, dtype=np.uint64)
        self._lock = Lock()
        self._expand_ranges = self.seen.library["expand_ranges"]
        self._count_parts = self.seen.library["count_parts"]
        self._collect_parts = self.seen.library["collect_parts"]

    # ---- phase 1

    def expand(self, spans: list[tuple[int, int]]) -> tuple[Parts, Tally]:
        """The candidates from the stored states of each [start, stop), at most MOST_ROWS of them, in order and without gaps."""
        for worker in self.workers:
            worker.counters[:] = 0
        first = np.full((len(spans), 2 * self.findings), NEVER, dtype=np.int64)
        table = np.array([(start, stop, start) for start, stop in spans], dtype=np.int64)
        parts = self._run(table, self.store.states, self.source.expand_address, first)
        tally = Tally(np.sum([worker.counters for worker in self.workers], axis=0))
        if first.size and first.min() < NEVER:
            tally.shown = [found for (start, _), row in zip(spans, first) for found in self._shown(row, start)]
        if tally.counters[-2]:
            origin = spans[0][0]
            tally.quiescent = [
                (start, np.flatnonzero(self._quiescent[start - origin : stop - origin]).astype(np.uint16)) for start, stop in spans
            ]
        return parts, tally

    def initial(self, states: States) -> Parts:
        """Given states as candidates."""
        size = min(self.capacity, MOST_ROWS)
        starts = range(0, len(states), size)
        table = np.array([(start, min(start + size, len(states)), 0) for start in starts], dtype=np.int64)
        return self._run(table, states, self.seen.library.address("given"), np.zeros((0, 0), dtype=np.int64))

    def _run(self, table: NDArray[np.int64], states: States, expand: int, first: NDArray[np.int64]) -> Parts:
        """The candidates of the ranges in a table (n, RANGE_COLUMNS), by all threads; `expand` is an address, `first` has a row for each range."""
        rows = int(table[-1, ranges.STOP] - table[0, ranges.START])
        if self._quiescent.size < rows:
            self._quiescent = np.zeros(rows, dtype=np.uint8)
        capacity = max(1, self.capacity // (2 if self.owners == 1 else 4))
        control = self._control
        control[ranges.NEXT_RANGE] = control[ranges.NEXT_BUFFER] = 0
        control[ranges.RANGES : ranges.QUIESCENT + 1] = (
            table.ctypes.data, len(table), self.pool.table.ctypes.data, self.pool.open(capacity), expand, states.ctypes.data,
            self.owner_bits, self.owners, first.ctypes.data, first.shape[1], self._quiescent.ctypes.data,
        )  # fmt: skip
        self.threads.run(lambda _, thread: self._take_ranges(self.workers[thread]), min(len(table), self.threads.size))
        return self.pool.close(int(control[ranges.NEXT_BUFFER]))

    def _take_ranges(self, worker: Worker) -> None:
        """Expand ranges until none is left."""
        cursor = worker.cursor
        cursor[[ranges.IN_HAND, ranges.PART]] = ranges.NONE
        cursor[[ranges.WRITTEN, ranges.DONE]] = 0
        worker.widen(self.capacity)
        worker.sort_up_to(self.pool.widest)
        while (asked := self._expand_ranges(self._control.ctypes.data, cursor.ctypes.data)) != ranges.FINISHED:
            if asked == ranges.WIDEN:
                worker.widen(self._larger(worker.room))
            else:
                with self._lock:
                    worker.sort_up_to(self.pool.fill(int(cursor[ranges.PART])).capacity)

    def _larger(self, room: int) -> int:
        if room >= MOST_CANDIDATES:
            raise OverflowError(f"a state has more than {MOST_CANDIDATES} successors")
        return min(4 * room, MOST_CANDIDATES)

    def _shown(self, first: NDArray[np.int64], base: int) -> list[tuple[int, int]]:
        """What showed, with the index of the state, from rows counted from `base`; forgets it."""
        if not first.size or first.min() == NEVER:
            return []
        found = [(int(f), base + int(first[f])) for f in np.flatnonzero(first != NEVER)]
        first[:] = NEVER
        return found

    # ---- phase 2

    def insert(self, parts: Parts) -> int:
        """Flag the candidates not seen before; return how many there are."""
        table = parts.table
        self._addresses[: len(parts)] = table[:, columns.STATES].view(np.uint64)
        address, store, buffers = table.ctypes.data, self.store.states.ctypes.data, self._addresses.ctypes.data
        run = self.threads.run if table[:, columns.KEPT].sum() > FEW_CANDIDATES else run_alone
        run(lambda owner, thread: self.seen.insert_parts(address, len(parts), owner, buffers, store), self.owners)
        return self.number(parts)

    def number(self, parts: Parts) -> int:
        """Give each part the index of its first new state; return how many are new, that is how many candidates are flagged.

        To be called again if flags are taken back before the parts are collected.
        """
        parts.new = self._count_parts(parts.table.ctypes.data, len(parts), self.store.count)
        return parts.new

    # ---- phase 3

    def collect(self, parts: Parts) -> list[tuple[int, int]]:
        """Append the flagged candidates to the store and check them; return (finding, index) of what showed."""
        firsts = [*parts.table[:, columns.FIRST].tolist(), self.store.count + parts.new]
        cuts = self._cuts(firsts)
        run = self.threads.run if parts.new > FEW_CANDIDATES else run_alone
        done = run(
            lambda number, thread: self._append(parts.table, cuts[number], cuts[number + 1], firsts, self.workers[thread]), len(cuts) - 1
        )
        for number, base in enumerate(parts.table[:, columns.BASE].tolist()):
            self.store.appended(firsts[number + 1] - firsts[number], base >> 32)
        self.pool.release(parts)
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

    @property
    def nbytes(self) -> int:
        """Bytes of everything the search holds."""
        workers = sum(worker.nbytes for worker in self.workers)
        return self.store.nbytes + self.seen.nbytes + self.pool.nbytes + workers
