"""One batch of the search: expand ranges of stored states, keep the successors not seen before, in order.

Its phases, expand, insert and collect (docs/search.md), each over all threads, with a wait in between, are one native
call for each thread (`crew_native`). Among equal candidates the first in the order of rows and successors is kept,
because an owner processes them in that order and a thread drops only a candidate that follows an equal one which it
sifted itself. The store is therefore the same for any number of threads and any cutting into ranges and buffers.
"""

from __future__ import annotations

import ctypes
from threading import Lock

import numpy as np
from attrs import define, field
from numpy.typing import NDArray

from checker.contract import NEVER, PARTS, Source, States
from checker.search import control as word
from checker.search import parts_native as columns
from checker.search import ranges_native as ranges
from checker.search.buffers import MOST_CANDIDATES, Parts, Pool
from checker.search.build import Library
from checker.search.memory import reserve
from checker.search.seen_set import RecentStates, SeenSet
from checker.search.store import Store
from checker.search.threads import Threads

SUCCESSOR_BYTES = 1 << 20
"""Bytes of successors a call to the source may write: calls should be long."""
OWNERS = 8
"""Owners for a thread, and at least a table for each: no thread waits long for another in the second phase, nor for a
table to be enlarged.
"""
FIRST_SUCCESSORS = 1 << 12
PIECES_PER_THREAD = 8
"""Pieces of a batch's new states for a thread to copy and check, one after the other."""
MOST_ROWS = 1 << 16
_YIELD = ctypes.cast(ctypes.CDLL(None).sched_yield, ctypes.c_void_p).value or 0


@define(eq=False)
class Tally:
    """The counts of a batch's expansion: counters of the source, new states, findings and quiescent states.

    `shown` lists (finding or F + finding for pruned successors, index of the state); `quiescent` (base, offsets).
    """

    counters: NDArray[np.int64]
    new: int = 0
    shown: list[tuple[int, int]] = field(factory=list)
    quiescent: list[tuple[int, NDArray[np.uint16]]] = field(factory=list)


class Worker:
    """The data of one thread."""

    def __init__(self, words: int, most: int, own: NDArray[np.int64], quick: bool = False) -> None:
        """`most`: places for successors that are reserved at first; `own`: the words of the cursor, then the counters;
        quick: as in SeenSet.
        """
        self.words = words
        self.recent = RecentStates(words, quick=quick)
        self.cursor = own[: word.CURSOR]
        self.address = own.ctypes.data
        self.cursor[[word.COUNTERS, word.RECENT, word.MASK]] = (
            self.address + 8 * word.CURSOR,
            self.recent.address,
            self.recent.mask,
        )
        self.unsorted = np.empty(0, dtype=np.uint64)
        self.room = 0
        self._reserve(most)

    def _reserve(self, places: int) -> None:
        self.places = places
        size = (8 * self.words + 4) * places
        self._successors = reserve(size, huge=False)
        address = self._successors.ctypes.data
        self.cursor[[word.SUCCESSORS, word.ORIGINS]] = address, address + 8 * self.words * places

    def widen(self, room: int) -> None:
        """Make room for at least this many successors; there must be none at present."""
        if room > self.room:
            if room > self.places:
                self._reserve(room)
            self.room = self.cursor[word.ROOM] = room

    def sort_up_to(self, capacity: int) -> None:
        """Prepare to sort the candidates of a buffer of this capacity; the present candidates must be sorted."""
        if self.unsorted.size < capacity:
            self.unsorted = np.empty(capacity, dtype=np.uint64)
            self.cursor[word.UNSORTED] = self.unsorted.ctypes.data

    @property
    def nbytes(self) -> int:
        return self.recent.nbytes + (8 * self.words + 4) * self.room + self.unsorted.nbytes


class Batches:
    """The phases over a source, a store and a seen set."""

    def __init__(self, source: Source, store: Store, threads: Threads, quick: bool = False) -> None:
        """quick: begin with quickly compiled code."""
        words = source.words
        self.store = store
        self.threads = threads
        self.owner_bits = (OWNERS * threads.size - 1).bit_length() if threads.size > 1 else 0
        self.owners = 1 << self.owner_bits
        self.seen = SeenSet(words, max(3, self.owner_bits), quick)
        self.most = max(1 << 10, SUCCESSOR_BYTES // (8 * words))
        self.capacity = min(self.most, FIRST_SUCCESSORS)
        self.findings = len(source.findings)
        counters = 2 * len(source.actions) + 3
        width = ((word.CURSOR + counters) // word.LINE_WORDS + 2) * word.LINE_WORDS  # no cache line is another thread's
        own = (
            reserve(8 * width * threads.size, huge=False)
            .view(np.int64)[: width * threads.size]
            .reshape(threads.size, width)
        )
        self.counters = own[:, word.CURSOR : word.CURSOR + counters]
        self.workers = [Worker(words, self.most, row, quick) for row in own]
        self.share = 2 if self.owners == 1 else 4
        self.pool = Pool(words, self.owners, max(1, self.most // self.share))
        self.source = source
        self._quiescent = np.zeros(0, dtype=np.bool_)
        self._ranges = np.zeros(0, dtype=np.int64)
        self._first = np.zeros((0, PARTS * self.findings), dtype=np.int64)
        pieces = 1 if threads.size == 1 else PIECES_PER_THREAD * threads.size
        self._cuts = np.zeros(pieces + 1, dtype=np.int64)
        self._shown = np.full((pieces, self.findings), NEVER, dtype=np.int64)
        self._control = reserve(8 * word.CONTROL, huge=False).view(np.int64)
        self._address = self._control.ctypes.data
        self._states, self._parts = store.states.ctypes.data, self.pool.parts.ctypes.data
        self._describe(pieces)
        self._number = self._base = 0
        self._failure: BaseException | None = None
        self._lock = Lock()
        self._used: list[tuple[Source, Library]] = []
        self.change_over(source, self.seen.library)
        threads.start(self._serve)

    def change_over(self, source: Source, library: Library) -> None:
        """Continue with equivalent other code; between two batches.  Helpers may still be in the former code, waiting
        for the next batch, which they can serve as well.
        """
        self._used.append((source, library))  # code must not be freed while a helper may be in it
        self.source, self.seen.library = source, library
        self._control[word.CHECK] = source.check_address
        self._lead, self._follow = library["lead"], library["follow"]
        self._count_parts, self._cut_parts = library["count_parts"], library["cut_parts"]

    def _describe(self, pieces: int) -> None:
        """Set the shared words that no batch changes."""
        control, pool, store, seen = self._control, self.pool, self.store, self.seen
        control[[word.OWNER_BITS, word.OWNERS, word.FIRST_WIDTH]] = self.owner_bits, self.owners, PARTS * self.findings
        control[[word.POOL, word.ADDRESSES]] = pool.table.ctypes.data, pool.addresses.ctypes.data
        control[[word.STATES, word.PARENTS]] = self._states, store.parents.ctypes.data
        control[[word.TABLES, word.TABLE_BITS, word.YIELD]] = seen.tables_address, seen.table_bits, _YIELD
        control[[word.CUTS, word.PIECES]] = self._cuts.ctypes.data, pieces
        control[[word.SHOWN, word.SHOWN_WIDTH]] = self._shown.ctypes.data, self.findings

    @property
    def sources(self) -> tuple[Source, ...]:
        """The sources that were used, each once, in order."""
        return tuple({id(source): source for source, _ in self._used}.values())

    # ---- what a batch begins with

    def expand(
        self, spans: list[tuple[int, int]], most_new: int, last: int = word.COLLECTING, states: States | None = None
    ) -> Tally:
        """Expand the stored states of each [start, stop), at most MOST_ROWS of them, in order, without gaps and not
        across a multiple of 2^32.  `states`: expand rows of these instead; recorded parents then refer to them.

        The new states are copied to the end of the store if they are no more than most_new.  `last` is the last phase
        to be run.
        """
        self.counters[:] = 0
        origin, end = spans[0][0], spans[-1][1]
        table = [number for start, stop in spans for number in (start, stop, start)]
        rows = self._states if states is None else states.ctypes.data
        new = self._run(table, rows, self.source.expand_address, most_new, last)
        tally = Tally(np.add.reduce(self.counters), new)
        if self.findings and self._first.min() < NEVER:
            tally.shown = [found for (start, _), row in zip(spans, self._first) for found in _found(row, start)]
            self._first[:] = NEVER
        if tally.counters[-2]:
            tally.quiescent = [
                (
                    base,
                    np.flatnonzero(self._quiescent[base - origin : min(base + MOST_ROWS, end) - origin]).astype(
                        np.uint16
                    ),
                )
                for base in range(origin, end, MOST_ROWS)
            ]
        return tally

    def initial(self, states: States, most_new: int) -> int:
        """Offer states; return how many are new. They are copied to the end of the store if they are no more than
        most_new.
        """
        size = min(self.capacity, MOST_ROWS)
        table = [
            number for start in range(0, len(states), size) for number in (start, min(start + size, len(states)), 0)
        ]
        return self._run(table, states.ctypes.data, self.seen.library.address("given"), most_new, word.COLLECTING)

    def _run(self, table: list[int], states: int, expand: int, most_new: int, last: int) -> int:
        """Go through the phases for a table of ranges, RANGE_COLUMNS numbers each; `states` and `expand` are
        addresses."""
        count = len(table) // ranges.RANGE_COLUMNS
        self._make_room(count, table[-2] - table[0])
        self._ranges[: len(table)] = table
        control = self._control
        control[: word.OPEN : word.LINE_WORDS] = 0  # others may just be looking whether they can join
        control[word.RANGE_COUNT : word.COUNT + 1] = (
            count,
            self.pool.open(max(1, self.capacity // self.share)),
            expand,
            states,
            last,
            self._parts,
            0,
            most_new,
            self.store.count,
        )
        for worker in self.workers:
            worker.widen(self.capacity)
            worker.sort_up_to(self.pool.widest)
        if count > 1:
            self.threads.wake()
        self._go_through()
        self._base = table[2]
        return int(control[word.NEW])

    def _make_room(self, count: int, rows: int) -> None:
        """Have a row of every table for this many ranges, and for their rows."""
        if count > len(self._first):
            self._ranges = np.zeros(count * ranges.RANGE_COLUMNS, dtype=np.int64)
            self._first = np.full((count, PARTS * self.findings), NEVER, dtype=np.int64)
        elif rows <= self._quiescent.size:
            return
        self._quiescent = np.zeros(max(rows, self._quiescent.size), dtype=np.bool_)
        self._control[[word.RANGES, word.FIRST]] = self._ranges.ctypes.data, self._first.ctypes.data
        self._control[word.QUIESCENT] = self._quiescent.ctypes.data

    # ---- the threads

    def _go_through(self) -> None:
        """Lead the batch through its phases, from PHASE on."""
        control, worker = self._control, self.workers[0]
        self._number += 1
        control[word.BATCH] = self._number
        worker.cursor[: len(word.BEGIN)] = word.BEGIN
        try:
            while (asked := self._lead(self._address, worker.address)) != word.FINISHED:
                self._supply(worker, asked)
        except BaseException:
            control[word.FAILED] = 1
            self._lead(self._address, worker.address)
            raise
        if self._failure is not None:
            raise self._failure

    def _serve(self, thread: int) -> None:
        """Take part in batches until there are none for a while."""
        worker = self.workers[thread]
        while (asked := self._follow(self._address, worker.address)) != word.IDLE:
            try:
                self._supply(worker, asked)
            except BaseException as error:  # noqa: BLE001 - raised by the leader
                self._failure = error
                self._control[word.FAILED] = 1

    def _supply(self, worker: Worker, asked: int) -> None:
        """Give a thread the memory that it needs."""
        if asked == word.WIDEN:
            worker.widen(self._larger(worker.room))
        elif asked == word.FILL:
            with self._lock:
                worker.sort_up_to(self.pool.fill(int(worker.cursor[word.PART])).capacity)
        else:
            self.seen.grow_for(int(worker.cursor[word.POSITION + 2 :].view(np.uint64)[0]))

    def _larger(self, room: int) -> int:
        if room >= MOST_CANDIDATES:
            raise OverflowError(f"a state has more than {MOST_CANDIDATES} successors")
        return min(4 * room, MOST_CANDIDATES)

    # ---- what a batch ends with

    def collect(self) -> list[tuple[int, int]]:
        """Add the new states, which are at the end of the store, to it; return (finding, index) of the findings."""
        shown = []
        if self._shown.size and self._shown.min() < NEVER:
            firsts = self.pool.parts[: int(self._control[word.PART_COUNT]), columns.FIRST].tolist()
            for row, cut in zip(self._shown, self._cuts.tolist()):
                shown += _found(row, firsts[cut] if cut < len(firsts) else 0)
            self._shown[:] = NEVER
        self.store.appended(int(self._control[word.NEW]), self._base >> 32)
        return shown

    def parts(self) -> Parts:
        """The candidates of the last batch, which had too many new states to be copied; they outlive the next batch."""
        return self.pool.take(int(self._control[word.PART_COUNT]))

    def collect_parts(self, parts: Parts) -> list[tuple[int, int]]:
        """Copy the candidates that are still flagged to the end of the store and add them to it; return the
        findings."""
        control, n = self._control, len(parts)
        self.pool.parts[:n] = parts.table
        new = self._count_parts(self._parts, n, self.store.count)
        self._cut_parts(self._parts, n, self.store.count, new, self._cuts.ctypes.data, len(self._cuts) - 1)
        control[: word.OPEN : word.LINE_WORDS] = 0  # others may just be looking whether they can join
        control[word.PHASE] = word.COLLECTING
        control[[word.PART_COUNT, word.NEW, word.COUNT]] = n, new, self.store.count
        self._go_through()
        self._base = int(parts.table[0, columns.BASE]) if n else 0
        return self.collect()

    def enlarge(self) -> None:
        """Let calls to the source write more, up to the useful maximum."""
        self.capacity = max(self.capacity, min(4 * self.capacity, self.most))

    @property
    def nbytes(self) -> int:
        """Bytes of everything the search holds."""
        workers = sum(worker.nbytes for worker in self.workers)
        return self.store.nbytes + self.seen.nbytes + self.pool.nbytes + workers


def _found(first: NDArray[np.int64], base: int) -> list[tuple[int, int]]:
    """The findings, with the index of the state, from rows counted from `base`."""
    return [(int(f), base + int(first[f])) for f in np.flatnonzero(first != NEVER)]
