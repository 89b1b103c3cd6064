"""An exact set of states on disk: sorted runs, merged as they become many, behind one filter.

This is a log-structured merge tree (O'Neil et al., Acta Informatica 33, 1996). States come in batches; each is sorted
and becomes a run. FAN runs of about one size are merged into one, so a state is written again a logarithmic number of
times. The first state of each page of a run is in memory. Which states of a sorted batch are in the set is found by
walking both in order, and only pages whose range contains a state of the batch are read.

Most states of a batch are new. A filter over all runs (`runs_native`) excludes most of them without reading the disk;
the others are compared in full. The filter therefore decides what is read, never the result.

States are compared as keys: a number where a state is one word, else its words in order, as bytes with the highest
first. Both are total orders of whole states. Where it stops: the index of the pages must fit into memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from attrs import define, field, frozen
from numpy.typing import NDArray

from checker.contract import States
from checker.search.disk import Disk, Page, PagedFile
from checker.search.memory import reserve
from checker.search.order_native import order
from checker.search.runs_native import library

Keys = NDArray[Any]
"""Whole states, (n,), of a type that sorts: uint64, or bytes of a fixed length."""

FAN = 8
"""Runs of about one size that are merged."""
AT_ONCE = 1 << 20
"""States of a batch that are compared at once; this takes some 34 bytes for each that the filter cannot exclude."""
_LEAST_FILTER = 1 << 13
"""Bytes."""


def keys_of(states: States) -> Keys:
    """The keys of states (n, words); of one word: a view."""
    if states.shape[1] == 1:
        return states.reshape(-1)
    return np.ascontiguousarray(states).byteswap().view(f"S{8 * states.shape[1]}").reshape(-1)


def states_of(keys: Keys, words: int) -> States:
    """The states (n, words) that have these keys."""
    if words == 1:
        return keys.reshape(-1, 1)
    return np.ascontiguousarray(keys).view(np.uint64).reshape(-1, words).byteswap()


def ordered(states: States) -> Keys:
    """The keys of states (n, words), in order. Until it returns it takes twice the memory of the states."""
    rows = np.array(states, dtype=np.uint64, order="C")
    order(rows)
    return keys_of(rows)


@frozen(eq=False)
class Run:
    """Distinct states in order, in the pages of a file; `firsts` are the keys of the first state of each page."""

    file: PagedFile
    pages: tuple[Page, ...]
    firsts: Keys

    @property
    def rows(self) -> int:
        """How many states it has."""
        return sum(page.rows for page in self.pages)

    def keys(self, page: int) -> Keys:
        """The keys of a page.  Raises Damaged."""
        return keys_of(self.file.read(self.pages[page]))

    def among(self, keys: Keys) -> NDArray[np.bool_]:
        """Which of these keys, in order, are in the run."""
        found = np.zeros(len(keys), dtype=np.bool_)
        starts = np.append(np.searchsorted(keys, self.firsts), len(keys))
        for page in np.flatnonzero(np.diff(starts)).tolist():
            start, stop = int(starts[page]), int(starts[page + 1])
            there = self.keys(page)
            places = np.searchsorted(there, keys[start:stop])
            inside = places < len(there)
            found[start:stop][inside] = there[places[inside]] == keys[start:stop][inside]
        return found


@define(eq=False)
class Runs:
    """A set of states of the given number of words.  filter_bytes: memory for the filter. With 16 bits for each state
    on disk it fails to exclude one new state in 200, with 8 bits one in 20.  pause: called now and then while runs are
    merged; an exception from it ends the merge, and the set is unchanged.

    Every method that reads or writes may raise DiskFull, DiskLimit and Damaged.
    """

    disk: Disk
    words: int
    filter_bytes: int
    pause: Callable[[], object] = bool
    runs: list[Run] = field(init=False, factory=list)
    _filter: NDArray[np.uint64] = field(init=False)

    def __attrs_post_init__(self) -> None:
        size = max(_LEAST_FILTER, self.filter_bytes) // 8
        # less, if an address space is limited: the filter then excludes less
        self._filter = reserve(8 * size, least=_LEAST_FILTER).view(np.uint64)[:size]

    @property
    def nbytes(self) -> int:
        """Bytes of memory."""
        return self._filter.nbytes + sum(64 * len(run.pages) + run.firsts.nbytes for run in self.runs)

    def unknown(self, keys: Keys) -> Keys:
        """Those of these keys, in order and distinct, that are not in the set."""
        if not self.runs or not len(keys):
            return keys
        new = np.ones(len(keys), dtype=np.bool_)
        for start in range(0, len(keys), AT_ONCE):
            self._compare(keys[start : start + AT_ONCE], new[start : start + AT_ONCE])
        return keys if new.all() else keys[new]

    def _compare(self, keys: Keys, new: NDArray[np.bool_]) -> None:
        """Mark keys of the set as not new."""
        suspects = np.flatnonzero(self._suspected(keys))
        for run in reversed(self.runs):  # the latest first
            found = run.among(keys[suspects])
            new[suspects[found]] = False
            suspects = suspects[~found]
            if not len(suspects):
                break

    def add(self, keys: Keys) -> None:
        """Put distinct keys, in order, into the set; they may be in it already."""
        if not len(keys):
            return
        self.runs.append(self._written([keys]))
        self._remember(keys)
        while (some := self._alike()) is not None:
            self._merge(some)

    def close(self) -> None:
        """Delete everything, and release the memory and the owner of `pause` even if something refers to the set."""
        for run in self.runs:
            run.file.close()
        self.runs.clear()
        self._filter, self.pause = self._filter[:0].copy(), bool

    def _written(self, pieces: Iterable[Keys]) -> Run:
        """A run of one or more keys, in order."""
        file = self.disk.file(self.words)
        pages, firsts = list[Page](), list[Keys]()
        try:
            for keys in pieces:
                for start in range(0, len(keys), file.page_rows):
                    some = keys[start : start + file.page_rows]
                    firsts.append(some[:1].copy())
                    pages.append(file.append(states_of(some, self.words)))
        except BaseException:
            file.close()
            raise
        return Run(file, tuple(pages), np.concatenate(firsts))

    # ---- the filter

    def _suspected(self, keys: Keys) -> NDArray[np.bool_]:
        """Which keys the filter cannot exclude."""
        flags = np.zeros(len(keys), dtype=np.bool_)
        rows, words = np.ascontiguousarray(keys), self._filter
        library(self.words)["suspect"](rows.ctypes.data, len(rows), words.ctypes.data, words.size, flags.ctypes.data)
        return flags

    def _remember(self, keys: Keys) -> None:
        rows, words = np.ascontiguousarray(keys), self._filter
        library(self.words)["remember"](rows.ctypes.data, len(rows), words.ctypes.data, words.size)

    # ---- merging

    def _alike(self) -> list[Run] | None:
        """The first FAN runs of about one size, if there are as many."""
        by_size: dict[int, list[Run]] = {}
        for run in self.runs:
            alike = by_size.setdefault((run.rows.bit_length() - 1) // (FAN.bit_length() - 1), [])
            alike.append(run)
            if len(alike) == FAN:
                return alike
        return None

    def _merge(self, runs: Sequence[Run]) -> None:
        """Make one run of several."""

        def pieces() -> Iterator[Keys]:
            for keys in merged(runs, self.words):
                self.pause()
                yield keys

        one = self._written(pieces())
        first = self.runs.index(runs[0])
        self.runs = [run for run in self.runs if run not in runs]
        self.runs.insert(min(first, len(self.runs)), one)
        for run in runs:
            run.file.close()


def merged(runs: Sequence[Run], words: int) -> Iterator[Keys]:
    """The distinct keys of some runs of states of so many words, in order, in pieces.

    One page of each is in memory. Keys that are not above the least of their last keys can be yielded: no later page
    has such a small key.
    """
    ahead = [iter(range(len(run.pages))) for run in runs]
    hands: list[Keys] = [run.keys(next(pages)) for run, pages in zip(runs, ahead)]
    while hands:
        last = np.sort(np.concatenate([hand[-1:] for hand in hands]))[:1]
        cuts = [int(np.searchsorted(hand, last, side="right")[0]) for hand in hands]
        # sorted anew: a merge of so few pages, which compares them state by state, takes longer
        yield distinct(ordered(states_of(np.concatenate([hand[:cut] for hand, cut in zip(hands, cuts)]), words)))
        rest = []
        for i, (hand, cut) in enumerate(zip(hands, cuts)):
            if cut == len(hand):
                page = next(ahead[i], None)
                hand = hand[:0] if page is None else runs[i].keys(page)
            else:
                hand = hand[cut:]
            rest.append(hand)
        left = [i for i, hand in enumerate(rest) if len(hand)]
        hands, runs, ahead = [rest[i] for i in left], [runs[i] for i in left], [ahead[i] for i in left]


def distinct(keys: Keys) -> Keys:
    """Each of some keys, in order, once."""
    if len(keys) < 2:
        return keys
    kept = np.ones(len(keys), dtype=np.bool_)
    np.not_equal(keys[1:], keys[:-1], out=kept[1:])
    return keys if kept.all() else keys[kept]
