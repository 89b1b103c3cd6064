"""States sorted by hash, in memory or in a file: which of some others are among them.

Hashes only choose where to look; where they are equal, whole states are compared. A hash of one word that is a
bijection stands for its state, so then nothing but the sorted hashes need be kept.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from checker.contract import States

Keys = NDArray[np.uint64]


def among(sorted_keys: Keys, sorted_states: States | None, keys: Keys, states: States) -> NDArray[np.bool_]:
    """Which of the states (n, words) with these keys (n,) are among the sorted ones; None: a key tells its state."""
    inside = np.zeros(len(keys), dtype=np.bool_)
    rows = np.arange(len(keys))
    places = np.searchsorted(sorted_keys, keys)
    while len(rows):
        near = places < len(sorted_keys)
        rows, places = rows[near], places[near]
        near = sorted_keys[places] == keys[rows]
        rows, places = rows[near], places[near]
        if sorted_states is None:
            inside[rows] = True
            break
        equal = (sorted_states[places] == states[rows]).all(axis=1)
        inside[rows[equal]] = True
        rows, places = rows[~equal], places[~equal] + 1  # another state with the same key
    return inside


@frozen(eq=False)
class SortedRun:
    """States that were put on disk, sorted by key. The files have no names: they vanish with the process."""

    keys: Keys
    states: States | None

    @classmethod
    def write(cls, directory: Path, keys: Keys, states: States) -> SortedRun:
        """Sort and write; `keys` may be sorted in place."""
        if states.shape[1] == 1:
            keys.sort()
            return cls(mapped(directory, keys), None)
        order = np.argsort(keys)
        return cls(mapped(directory, keys[order]), mapped(directory, states[order]))

    @property
    def nbytes(self) -> int:
        """Bytes on disk."""
        return self.keys.nbytes + (0 if self.states is None else self.states.nbytes)

    def has(self, keys: Keys, states: States) -> NDArray[np.bool_]:
        """Which states (n, words) with these keys (n,) are in the run. Quickest if the keys are sorted."""
        return among(self.keys, self.states, keys, states)


def mapped(directory: Path, array: NDArray[Any]) -> NDArray[Any]:
    """A copy of an array in a nameless file, mapped into memory. Raises OSError."""
    if not array.size:
        return array.copy()
    handle, name = tempfile.mkstemp(dir=directory, prefix="spilled-")
    os.unlink(name)
    with os.fdopen(handle, "w+b") as file:
        try:
            # `tofile` does not say what is wrong with the disk
            file.write(np.ascontiguousarray(array).view(np.uint8).reshape(-1).data)
            file.flush()
        except OSError as error:
            raise OSError(error.errno, error.strerror, str(directory)) from None
        return np.memmap(file, dtype=array.dtype, mode="r", shape=array.shape)
