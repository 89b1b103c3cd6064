"""The owner of a state, and blocks of successors for each owner."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from checker.contract import States
from checker.search.seen_set import RecentStates
from checker.search.spark import route_native as native

BLOCK_BYTES, LEAST_BLOCK_BYTES, BLOCKS_BYTES = 1 << 19, 1 << 17, 1 << 23
"""States are sent in blocks, in the middle of a level of at least half as many bytes. The blocks of all shards together
must not take much memory: it does not become less with more workers.
"""
SPARE_BYTES = 1 << 20
"""Memory for blocks that were sent and are kept for the next ones."""

Send = Callable[[int, States], None]


class Partition:
    """The owners of states of `words` words among `shards` shards."""

    def __init__(self, words: int, shards: int) -> None:
        edges = (np.arange(shards + 1, dtype=np.int64) << native.OWNER_BITS) // shards
        self.words, self.shards = words, shards
        self.owners = np.repeat(np.arange(shards, dtype=np.uint16), np.diff(edges))
        self._keys = native.library(words)["keys"]

    @property
    def block_rows(self) -> int:
        """Rows of a block of states."""
        size = min(BLOCK_BYTES, max(LEAST_BLOCK_BYTES, BLOCKS_BYTES // self.shards))
        return max(256, size // (8 * self.words))

    def owned(self, states: States, shard: int) -> States:
        """The states among (n, words) that a shard owns."""
        return states[self.owners_of(states) == shard]

    def owners_of(self, states: States) -> NDArray[np.uint16]:
        """The owner of each of some states (n, words)."""
        mixed = self.keys(np.ascontiguousarray(states)) * np.uint64(native.OWNER_FACTOR)
        return self.owners[mixed >> np.uint64(64 - native.OWNER_BITS)]

    def keys(self, states: States) -> NDArray[np.uint64]:
        """The hashes of states (n, words), contiguous."""
        keys = np.empty(len(states), dtype=np.uint64)
        self._keys(states.ctypes.data, len(states), keys.ctypes.data)
        return keys


class Router:
    """Sorts successors into a buffer for each owner, without those that it has met recently.

    `send` gets the owner and a block, which it owns until it returns it with `take_back`.
    """

    def __init__(self, partition: Partition, recent: RecentStates) -> None:
        self.partition, self.recent = partition, recent
        self.rows = partition.block_rows // 2  # in one call
        self._free: list[States] = []
        self._route = native.library(partition.words)["route"]
        self._buffers = [self._take() for _ in range(partition.shards)]
        self._addresses = np.array([buffer.ctypes.data for buffer in self._buffers], dtype=np.uint64)
        self._counts = np.zeros(partition.shards, dtype=np.int64)

    def _take(self) -> States:
        shape = self.partition.block_rows + 1, self.partition.words
        return self._free.pop() if self._free else np.empty(shape, dtype=np.uint64)

    def take_back(self, block: States) -> None:
        """Reuse a block that was sent."""
        buffer = block.base
        if isinstance(buffer, np.ndarray) and len(self._free) * buffer.nbytes < SPARE_BYTES:
            self._free.append(buffer)

    def route(self, states: int, count: int, send: Send) -> None:
        """Take this many states from an address, and send full blocks."""
        for start in range(0, count, self.rows):
            self._route(
                states + start * 8 * self.partition.words,
                min(self.rows, count - start),
                self.recent.address,
                self.recent.mask,
                self.partition.owners.ctypes.data,
                self._addresses.ctypes.data,
                self._counts.ctypes.data,
            )
            for owner in np.flatnonzero(self._counts > self.rows).tolist():
                self._hand_over(owner, send)

    def flush(self, send: Send) -> None:
        """Send the rest."""
        for owner in np.flatnonzero(self._counts).tolist():
            self._hand_over(owner, send)

    def _hand_over(self, owner: int, send: Send) -> None:
        block, count = self._buffers[owner], int(self._counts[owner])
        self._buffers[owner] = self._take()
        self._addresses[owner] = self._buffers[owner].ctypes.data
        self._counts[owner] = 0
        send(owner, block[:count])
