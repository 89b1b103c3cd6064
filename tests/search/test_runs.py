"""States on disk: sets of sorted runs, files without names, and what damage and full disks do."""

from __future__ import annotations

import errno
import os
import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from checker.contract import States
from checker.search import disk as disk_module
from checker.search import runs as runs_module
from checker.search.block_files import read_block, write_blocks
from checker.search.disk import Disk, DiskFull, DiskLimit
from checker.search.runs import Keys, Runs, distinct, keys_of, states_of
from checker.search.runs_native import library
from checker.search.unnamed import UnnamedFolder
from checker.stored.errors import Damaged, StoredFileError

LARGEST = (1 << 64) - 1


def states(kind: str, n: int, words: int, seed: int) -> States:
    """States of few values, so that many are equal; of all values; or of few bits anywhere in a word."""
    rng = np.random.default_rng(seed)
    if kind == "few":
        return rng.integers(0, 4 if words > 1 else 900, (n, words), dtype=np.uint64)
    if kind == "all":
        return rng.integers(0, LARGEST, (n, words), dtype=np.uint64, endpoint=True)
    return np.uint64(1) << rng.integers(0, 64, (n, words), dtype=np.uint64)


def tuples(keys: Keys, words: int) -> list[tuple[int, ...]]:
    """The states of keys, as Python compares them."""
    return [tuple(row) for row in states_of(keys, words).tolist()]


def ordered(rows: States) -> Keys:
    """The keys of states, in order, each once."""
    return distinct(np.sort(keys_of(rows)))


@pytest.fixture
def small_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages of a few states, so that a run has many."""
    monkeypatch.setattr(disk_module, "PAGE_BYTES", 256)


@pytest.mark.parametrize("words", [1, 2, 5])
@pytest.mark.parametrize("kind", ["few", "all", "bits"])
def test_the_order_of_keys_is_that_of_states_word_by_word(kind: str, words: int) -> None:
    """The state of zeros and the largest one among them."""
    rows = np.concatenate([states(kind, 500, words, 1), np.zeros((1, words), np.uint64)])
    rows = np.concatenate([rows, np.full((1, words), LARGEST, np.uint64)])
    assert tuples(ordered(rows), words) == sorted(set(map(tuple, rows.tolist())))


@pytest.mark.parametrize("words", [1, 2, 5])
@pytest.mark.parametrize("kind", ["few", "all", "bits"])
def test_what_is_written_is_read(tmp_path: Path, kind: str, words: int) -> None:
    """In any order, sorted or not, and in an odd number of words."""
    file = Disk(tmp_path).file(words)
    for n in (1, 2, 7, 500):
        rows = states(kind, n, words, n)
        assert (file.read(file.append(rows)) == rows).all()


def test_known_states_take_no_more_memory_than_new_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A batch of states that the filter does not exclude is compared piece by piece, and the answer is exact: at most
    10 bytes for each state beside the batch, whether it is new or not."""
    monkeypatch.setattr(runs_module, "AT_ONCE", 1 << 12)
    runs = Runs(Disk(tmp_path), 1, 0)
    every = np.arange(1 << 19, dtype=np.uint64)
    runs.add(every[every % 5 != 3])
    tracemalloc.start()
    try:
        for keys in (every, every[every % 5 != 3]):
            tracemalloc.reset_peak()
            before = tracemalloc.get_traced_memory()[0]
            new = runs.unknown(keys)
            peak = tracemalloc.get_traced_memory()[1] - before
            assert np.array_equal(new, keys[keys % 5 == 3])
            assert peak < 10 * len(keys) + (1 << 20)
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        pytest.param(kind, words, marks=() if words == each_build else pytest.mark.thorough)
        for kind, each_build in {"few": 1, "all": 2, "bits": 5}.items()
        for words in (1, 2, 5)
    ],
)
@pytest.mark.usefixtures("small_pages")
def test_a_set_on_disk_answers_as_a_set_in_memory(tmp_path: Path, kind: str, words: int) -> None:
    """While runs are merged again and again, and with a filter that is much too small for them."""
    disk = Disk(tmp_path)
    for size in (0, 1 << 20):
        runs, known = Runs(disk, words, size), set[tuple[int, ...]]()
        for seed in range(60):
            keys = ordered(states(kind, 1 + seed * 7 % 300, words, seed))
            every = tuples(keys, words)
            assert tuples(runs.unknown(keys), words) == [state for state in every if state not in known]
            runs.add(keys)
            known |= set(every)
            assert len(runs.runs) <= 4 * 8
        assert all(not len(runs.unknown(run.keys(page))) for run in runs.runs for page in range(len(run.pages)))
        assert disk.used > 0
        runs.close()
        assert disk.used == 0


def test_the_filter_excludes_nearly_all_that_is_not_there(tmp_path: Path) -> None:
    """With 16 bits for each of 20,000 states; none that is there."""
    runs = Runs(Disk(tmp_path), 1, 40_000)
    there, other = np.arange(0, 40_000, 2, dtype=np.uint64), np.arange(1, 40_001, 2, dtype=np.uint64)
    runs.add(there)
    flags = runs._suspected(there)
    assert flags.all() and runs._suspected(other).mean() < 0.02


def test_files_have_no_names(tmp_path: Path) -> None:
    """So nothing is left, however the process ends."""
    runs = Runs(Disk(tmp_path), 1, 1 << 20)
    runs.add(np.arange(1000, dtype=np.uint64))
    assert list(tmp_path.iterdir()) == [] and runs.disk.used > 0


@pytest.mark.usefixtures("small_pages")
def test_a_damaged_page_is_told(tmp_path: Path) -> None:
    """Any bit of it."""
    runs = Runs(Disk(tmp_path), 1, 1 << 20)
    keys = np.arange(0, 3000, 3, dtype=np.uint64)
    runs.add(keys)
    file = runs.runs[0].file
    for place in range(0, file.size, 97):
        with os.fdopen(os.dup(file._file.fileno()), "rb") as other:
            (byte,) = os.pread(other.fileno(), 1, place)
        os.pwrite(file._file.fileno(), bytes([byte ^ 1 << place % 8]), place)
        with pytest.raises(Damaged, match="the disk is damaged"):
            runs.unknown(keys)
        os.pwrite(file._file.fileno(), bytes([byte]), place)
    assert not len(runs.unknown(keys))


def test_a_page_that_was_cut_off_is_told(tmp_path: Path) -> None:
    """The file is shorter than what was written."""
    file = Disk(tmp_path).file(1)
    page = file.append(np.arange(100, dtype=np.uint64).reshape(-1, 1))
    os.ftruncate(file._file.fileno(), page.size - 1)
    with pytest.raises(Damaged):
        file.read(page)


@pytest.mark.parametrize("code, message", [(errno.ENOSPC, "the disk is full"), (errno.EDQUOT, "the quota is used up")])
def test_a_full_disk_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int, message: str) -> None:
    """With the directory and what is on it."""

    def full(*_: Any) -> int:
        raise OSError(code, os.strerror(code))

    runs = Runs(Disk(tmp_path), 1, 1 << 20)
    monkeypatch.setattr(os, "write", full)
    with pytest.raises(DiskFull, match=f"{tmp_path}: {message}"):
        runs.add(np.arange(100, dtype=np.uint64))


def test_a_directory_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    """It is gone."""
    with pytest.raises(StoredFileError, match="states cannot be put there"):
        Disk(tmp_path / "gone").file(1)


def test_no_more_is_written_than_allowed(tmp_path: Path) -> None:
    """The limit is met before a byte is written."""
    disk = Disk(tmp_path, most=1000)
    with pytest.raises(DiskLimit):
        Runs(disk, 1, 1 << 20).add(keys_of(states("all", 1000, 1, 0)))
    assert disk.peak <= 1000


@pytest.mark.parametrize("words", [1, 3])
@pytest.mark.usefixtures("small_pages")
def test_a_folder_without_names_keeps_files_of_states(tmp_path: Path, words: int) -> None:
    """As a work directory does; what is removed is gone, and a folder in it is another place."""
    folder = UnnamedFolder.on(Disk(tmp_path), words)
    rows = states("all", 777, words, 1)
    (block,) = write_blocks(folder / "data", "00001-states", 0, rows)
    assert (read_block(folder / "data", block, words) == rows).all()
    folder.publish("a.json", b"{}")
    (folder / "data").publish("b.json", b"[]")
    assert (folder.names(), folder.read("a.json")) == (["a.json"], b"{}")
    assert (folder / "data").names() == sorted(["b.json", block.name])
    (folder / "data").remove(block.name)
    assert (folder / "data").names() == ["b.json"] and list(tmp_path.iterdir()) == []


def test_sorted_states_take_few_bytes(tmp_path: Path) -> None:
    """A million states of 40 bits: their mean difference has 20 bits, so three bytes, and half a byte for its size."""
    assert library(1)["encode"]
    keys = ordered(np.random.default_rng(3).integers(0, 1 << 40, (1_000_000, 1), dtype=np.uint64))
    runs = Runs(Disk(tmp_path), 1, 1 << 20)
    runs.add(keys)
    assert runs.disk.used < 3.7 * len(keys)


def test_a_limit_ends_a_merge_and_leaves_the_set_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Merging takes minutes where there are many states; what it had written is no longer on the disk."""
    monkeypatch.setattr("checker.search.runs.FAN", 2)

    def reached() -> None:
        raise TimeoutError

    disk = Disk(tmp_path)
    known = Runs(disk, 1, 1 << 13, reached)
    known.add(np.arange(0, 100, dtype=np.uint64))
    with pytest.raises(TimeoutError):
        known.add(np.arange(100, 200, dtype=np.uint64))
    assert sum(run.rows for run in known.runs) == 200 and len(known.unknown(np.arange(300, dtype=np.uint64))) == 100
    assert len(known.runs) == 2
    known.close()
    assert disk.used == 0
