"""The seen set is exact: no hash collision, no crowded line and no growth hides or doubles a state."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from checker.contract import States
from checker.search import memory, seen_set, tables_native
from checker.search.batch import Batches
from checker.search.buffers import Pool
from checker.search.emit import STRAIGHT
from checker.search.memory import reserve
from checker.search.seen_set import RecentStates, SeenSet
from checker.search.seen_set_native import library
from checker.search.sift_native import ADD, MULTIPLY_1, MULTIPLY_2
from checker.search.store import Store
from checker.search.threads import Threads
from tests.search.graphs import Graph, GraphSource, counting

BITS = 1 << 64


def keys_of(states: States) -> NDArray[np.uint64]:
    """The hashes of distinct states, as the native code computes them."""
    n = len(states)
    keys, parents, copies = np.zeros(n, dtype=np.uint64), np.zeros(n, dtype=np.uint32), np.zeros_like(states)
    kept = RecentStates(states.shape[1]).sift(
        states.ctypes.data, parents.ctypes.data, n, keys.ctypes.data, copies.ctypes.data, parents.ctypes.data
    )
    assert kept == n and np.array_equal(copies, states), "none of them is recent"
    return keys


def states_in(seen: SeenSet) -> int:
    """How many states a set has accepted."""
    return int(seen._tables[:, [tables_native.COUNT, tables_native.ZERO_SEEN]].sum())


def state_of(key: int) -> int:
    """The one-word state with a given hash: the inverse of the native bijection."""
    h = key * pow(MULTIPLY_2, -1, BITS) % BITS
    h ^= h >> 32
    return (h * pow(MULTIPLY_1, -1, BITS) - ADD) % BITS


class Unchecked(GraphSource):
    """Any state will do."""

    def check(self, states: States, first: NDArray[np.int64]) -> None:
        pass


def accepted(states: States, threads: int = 1, batch: int = 1000) -> list[int]:
    """The first rows of the states that are taken as new when all are offered in order, batch by batch."""
    source = Unchecked(Graph([[]], []), np.zeros((1, states.shape[1]), dtype=np.uint64))
    with Threads(threads) as runner:
        store = Store(states.shape[1])
        batches = Batches(source, store, runner)
        for start in range(0, len(states), batch):
            batches.initial(states[start : start + batch], store.capacity)
            batches.collect()
        assert states_in(batches.seen) == store.count
    first = {state.tobytes(): row for row, state in reversed(list(enumerate(states)))}
    return [first[state.tobytes()] for state in store.states[: store.count]]


def first_occurrences(states: States) -> list[int]:
    seen: dict[bytes, int] = {}
    for row, state in enumerate(states):
        seen.setdefault(state.tobytes(), row)
    return list(seen.values())


def test_one_word_hashes_are_a_bijection() -> None:
    """The hash of a one-word state has an inverse, so an entry stands for exactly one state."""
    states = np.concatenate([counting(500, 1), np.array([[0], [BITS - 1], [1]], dtype=np.uint64)])
    assert [state_of(int(key)) for key in keys_of(states)] == states[:, 0].tolist()


@pytest.mark.parametrize("threads", [1, 2])
def test_the_state_whose_hash_is_zero_is_taken_once(threads: int) -> None:
    """Empty entries are zero; the one state that looks like an empty entry is still new once, and only once."""
    states = np.array([[state_of(0)], [5], [state_of(0)], [0], [0], [state_of(0)]], dtype=np.uint64)
    for batch in (1, 2, 6):
        assert accepted(states, threads, batch) == [0, 1, 3]
    crowd = np.array([[state_of(key)] for key in [*range(1, 700), 0, 0, 3]], dtype=np.uint64)
    assert accepted(crowd, threads) == list(range(700))


@pytest.mark.parametrize("words", [1, 2, 5])
def test_the_zero_state_and_the_all_ones_state_are_taken_once(words: int) -> None:
    """States that could be mistaken for empty memory."""
    zero, ones = np.zeros((1, words), dtype=np.uint64), np.full((1, words), BITS - 1, dtype=np.uint64)
    assert accepted(np.concatenate([zero, ones, zero, ones])) == [0, 1]
    assert accepted(np.concatenate([ones, ones, zero, zero]), batch=1) == [0, 2]


def test_states_with_equal_tags_are_told_apart_by_their_words() -> None:
    """Wide states whose hashes agree in table and tag are both new, stored before or in the same batch."""
    states = counting(200_000, 2)
    tags = keys_of(states) >> np.uint64(33)  # 3 bits of table, 28 of tag
    order = np.argsort(tags, kind="stable")
    equal = np.flatnonzero(tags[order][1:] == tags[order][:-1])
    twins = states[np.concatenate([order[equal], order[equal + 1]])]
    assert len(twins) >= 2, "200,000 random states hold a pair with equal tags"
    offered = np.concatenate([twins, twins])
    assert accepted(offered) == accepted(offered, batch=1) == list(range(len(twins)))


@pytest.mark.parametrize("words", [2, 3, 7, 8, 14, STRAIGHT, STRAIGHT + 1])
def test_states_that_differ_in_one_bit_are_told_apart(words: int) -> None:
    """Whatever the width: every bit of every word counts, in the cache of recent states and in the tables."""
    state = np.random.default_rng(5).integers(0, BITS - 1, words, np.uint64, endpoint=True)
    flips = np.zeros((words, 64, words), dtype=np.uint64)
    for word in range(words):
        flips[word, :, word] = np.uint64(1) << np.arange(64, dtype=np.uint64)
    states = np.concatenate([state[None], state ^ flips.reshape(-1, words)])
    assert len(set(keys_of(states).tolist())) == len(states)
    assert accepted(np.concatenate([states, states])) == list(range(len(states)))


@pytest.mark.parametrize("words", [2, 3, 4, 7])
def test_states_that_are_much_alike_have_hashes_that_are_not(words: int) -> None:
    """Few small values in the places of each word, as states have, the same in exchanged places too: table and tag
    are equal as seldom as those of random numbers."""
    n = 1 << 17
    place = np.arange(n, dtype=np.uint64)[:, None] >> np.uint64(1) * (np.arange(17, dtype=np.uint64)) & np.uint64(1)
    states = np.zeros((n, words), dtype=np.uint64)
    for bit in range(17):
        states[:, bit % words] |= place[:, bit] << np.uint64(bit // words * 7)
    tags = keys_of(states) >> np.uint64(33)
    equal = n - len(np.unique(tags))
    assert equal < 20, "four are expected"


@pytest.mark.parametrize("in_place", [False, True])
@pytest.mark.parametrize("home", ["first line", "early line", "last line", "whole table"])
def test_crowded_tables_keep_every_state_through_growth(
    home: str, in_place: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Thousands of states with one home line make the longest runs there can be; growth displaces them far."""
    if in_place:
        monkeypatch.setattr(seen_set, "SMALL_TABLE", 1 << 13)
    n = 6000
    start, step = {
        "first line": (1, 1),
        "early line": ((1 << 61) // 10, 1),
        "last line": ((1 << 61) - n, 1),
        "whole table": (1, (1 << 61) // n),
    }[home]
    states = np.array([[state_of(start + step * k)] for k in range(n)], dtype=np.uint64)
    rng = np.random.default_rng(3)
    rng.shuffle(states)
    offered = np.concatenate([states, states[rng.permutation(n)]])
    assert accepted(offered) == list(range(n))


@pytest.mark.parametrize("words", [1, 2, 5])
@pytest.mark.parametrize("in_place", [False, True])
def test_random_states_keep_their_first_occurrence(words: int, in_place: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """40,000 states offered three times over, in random order, through growing tables."""
    if in_place:
        monkeypatch.setattr(seen_set, "SMALL_TABLE", 1 << 13)
    states = counting(40_000, words)
    offered = states[np.random.default_rng(5).integers(0, 40_000, 120_000)]
    assert accepted(offered, batch=4096) == first_occurrences(offered)


def test_tables_stay_below_their_limit_and_even() -> None:
    """An entry takes 12 to 19 bytes once the tables are past their first size."""
    keys = np.random.default_rng(1).integers(0, 1 << 63, 200_000).astype(np.uint64) * np.uint64(2) + np.uint64(1)
    flags, ids = np.zeros(keys.size + 8, dtype=np.uint8), np.arange(keys.size, dtype=np.uint32)
    seen = SeenSet(1)
    seen.insert(keys, ids.ctypes.data, keys.size, flags.ctypes.data, 0, 0, 0, 0)
    assert states_in(seen) == len(np.unique(keys)) == np.count_nonzero(flags)
    assert 8 / seen_set.LOAD <= seen.nbytes / states_in(seen) <= 8 / seen_set.LOAD * seen_set.SMALL_GROWTH


@pytest.mark.parametrize("marks", [[], [0], [2, 5], [0, 1, 2, 3, 4, 5, 6, 7, 8], [3, 9]])
def test_copying_new_states_writes_nothing_behind_the_last(marks: list[int]) -> None:
    """What follows in the store belongs to another part of the batch, and perhaps to another thread."""
    n, untouched = 10, 77
    states, parents = np.arange(n, dtype=np.uint64), np.arange(100, 100 + n, dtype=np.uint32)
    flags, out, parents_out = (
        np.zeros(16, dtype=np.uint8),
        np.full(n, untouched, dtype=np.uint64),
        np.full(n, untouched, dtype=np.uint32),
    )
    flags[marks] = 1
    addresses = [a.ctypes.data for a in (flags, states, parents, out, parents_out)]
    assert library(1)["collect"](addresses[0], n, *addresses[1:3], 1000, *addresses[3:], 0, 0, 0, 0) == len(marks)
    assert out.tolist() == marks + [untouched] * (n - len(marks))
    assert parents_out.tolist() == [1100 + m for m in marks] + [untouched] * (n - len(marks))
    assert not flags.any()


@pytest.mark.parametrize("words", [1, 2, 5])
def test_a_state_met_again_soon_is_dropped_and_no_other(words: int) -> None:
    """What is kept of a, a, b, a, b, c are the first three, with hash and parent; a state of several words is compared
    in all of them."""
    a, b, c = counting(3, words)
    b[:-1] = a[:-1]  # they differ in the last word only
    offered, parents = np.array([a, a, b, a, b, c]), np.arange(10, 16, dtype=np.uint32)
    keys, states_out, parents_out = np.zeros(6, dtype=np.uint64), np.zeros_like(offered), np.zeros(6, dtype=np.uint32)
    kept = RecentStates(words).sift(
        offered.ctypes.data, parents.ctypes.data, 6, keys.ctypes.data, states_out.ctypes.data, parents_out.ctypes.data
    )
    assert kept == 3
    assert np.array_equal(states_out[:3], [a, b, c]) and parents_out[:3].tolist() == [10, 12, 15]
    assert np.array_equal(keys[:3], keys_of(np.array([a, b, c])))


def test_candidates_are_sorted_by_owner_and_keep_their_order() -> None:
    """Each once, with its place before; where an owner's begin, and where all end.  Nothing before the first is
    read."""
    owners, bits, n = 4, 2, 50
    memory = np.random.default_rng(7).integers(0, 1 << 63, n + 1).astype(np.uint64) * np.uint64(2)
    keys = memory[1:]
    keys_out, ids_out, offsets = (
        np.full(n + 1, 7, dtype=np.uint64),
        np.full(n + 1, 7, dtype=np.uint32),
        np.zeros(owners + 1, dtype=np.int64),
    )
    library(1)["distribute"](
        keys.ctypes.data, n, bits, owners, keys_out.ctypes.data, ids_out.ctypes.data, offsets.ctypes.data
    )
    owner = (keys >> np.uint64(64 - bits)).astype(np.int64)
    order = np.argsort(owner, kind="stable")
    assert ids_out[:n].tolist() == order.tolist() and np.array_equal(keys_out[:n], keys[order])
    assert (int(keys_out[n]), int(ids_out[n])) == (7, 7), "nothing is written behind the last"
    assert offsets.tolist() == [int((owner < o).sum()) for o in range(owners + 1)]


def test_code_is_read_from_the_cache_only_if_it_is_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is built is kept; a file that was cut short is built again, and a cache that cannot be written is none."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    library.cache_clear()
    library(3)
    (file,) = (tmp_path / "checker" / "code").iterdir()
    whole = file.read_bytes()
    file.write_bytes(whole[:-100])
    library.cache_clear()
    library(3)
    assert file.read_bytes() == whole
    monkeypatch.setenv("XDG_CACHE_HOME", str(file))
    library.cache_clear()
    assert library(3)["sift"](0, 0, 0, 0, 0, 0, 0, 0) == 0


def test_memory_that_the_system_refuses_is_asked_for_in_halves() -> None:
    """More than the address space holds ends in a smaller reservation, or an error if that is no use."""
    assert 0 < reserve(1 << 60, least=1).nbytes < 1 << 60
    with pytest.raises(MemoryError):
        reserve(1 << 60)


def test_limited_address_space_is_shared_between_the_structures() -> None:
    """Under a limit of 2 GB a search of 40,000 states still has room for its tables beside its store."""
    program = """
import resource
resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
from checker.search.breadth_first import search
from checker.search.memory import reservation
from tests.search.graphs import Graph, GraphSource, counting
assert 6 * reservation() <= 2 << 30
n = 40_000
graph = Graph([[(0, (3 * node + 1) % n), (0, (node + 7) % n)] for node in range(n)], [0])
result = search(GraphSource(graph, counting(n, 2)))
assert result.complete and result.distinct == n, result
"""
    root = Path(__file__).resolve().parents[2]
    subprocess.run([sys.executable, "-c", program], cwd=root, check=True, timeout=120)


def test_parents_beyond_32_bits_are_counted_by_wrapping_around() -> None:
    """Only the low half of a parent's index is stored; indices of parents never decrease."""
    store = Store(1)
    store.initial = 1
    store.appended(3, 0)
    store.appended(2, 1)
    store.appended(1, 3)
    store.parents[:6] = [0, 0, 2**32 - 1, 0, 7, 5]
    assert [store.parent(index) for index in range(6)] == [None, 0, 2**32 - 1, 2**32, 2**32 + 7, 3 * 2**32 + 5]


def test_code_is_cached_under_the_sources_that_were_imported(tmp_path: Path) -> None:
    """An installation renewed while a check runs: what runs is the old version, and the new one must not find its
    code."""
    package = Path(seen_set.__file__).parents[1]
    shutil.copytree(package, tmp_path / "checker", ignore=shutil.ignore_patterns("__pycache__"))
    edited = tmp_path / "checker" / "search" / "sift_native.py"
    program = (
        "import sys\nfrom pathlib import Path\nfrom checker.search.seen_set_native import library\n"
        f"edited = Path({str(edited)!r}); text = edited.read_text()\n"
        "edited.write_text(text + '\\n# changed\\n' if sys.argv[1] == 'renewed' else "
        "text)\nlibrary(1)\nedited.write_text(text)\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    for when in ("renewed", "left alone"):
        subprocess.run([sys.executable, "-c", program, when], check=True, env=environment, cwd=tmp_path)
    assert len(list((tmp_path / "cache" / "checker" / "code").glob("*.o"))) == 1


def test_a_structure_that_needs_all_of_its_memory_gets_all_or_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """A shortage is an error of the machine: a smaller array than was asked for was a fault of the checker."""
    granted = memory.mmap.mmap

    def scarce(number: int, size: int, **how: Any) -> Any:
        if size > 1 << 16:
            raise OSError("Cannot allocate memory")
        return granted(number, size, **how)

    monkeypatch.setattr(memory.mmap, "mmap", scarce)
    with pytest.raises(MemoryError):
        RecentStates(3)
    assert RecentStates(3, size=1 << 14).nbytes <= 1 << 14
    with pytest.raises(MemoryError):
        Pool(3, owners=1 << 12, most=1)
    assert 0 < Store(3).capacity <= (1 << 16) // 24
