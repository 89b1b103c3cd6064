"""The search beyond memory finds what the textbook search finds: on random graphs, with a table of a few states."""

from __future__ import annotations

import gc
import os
import signal
import weakref
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from checker.search import disk as disk_module
from checker.search import out_of_core, runs
from checker.search.block_files import read_block
from checker.search.disk import Disk
from checker.search.limits import NO_LIMITS, Limits
from checker.search.out_of_core import Outcome, go_on
from checker.search.progress import Progress, describe
from checker.search.rising import rising
from checker.search.store import Store
from checker.search.unnamed import UnnamedFolder
from checker.search.workdir import WorkDirectory
from tests.search.graphs import REACHABLE, Expected, Graph, GraphSource, counting, explore
from tests.search.test_breadth_first import ENCODINGS, graphs


@pytest.fixture
def little(monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory for eight states, pages of four, files of sixteen; three runs are merged."""
    monkeypatch.setattr(out_of_core, "LEAST_STATES", 8)
    monkeypatch.setattr(out_of_core, "LEAST_ROWS", 2)
    monkeypatch.setattr(out_of_core, "PIECE_BYTES", 128)
    monkeypatch.setattr(disk_module, "PAGE_BYTES", 32)
    monkeypatch.setattr(runs, "FAN", 3)


def searched(
    source: GraphSource,
    directory: Path,
    threads: int = 1,
    limits: Limits = NO_LIMITS,
    stop_at_first: bool = False,
    most: int | None = None,
    seen: list[Progress] | None = None,
) -> tuple[WorkDirectory, Outcome, Disk]:
    """A search of a source that begins beyond memory."""
    disk = Disk(directory, most)
    work = WorkDirectory.create(UnnamedFolder.on(disk, source.words), {})
    progress = None if seen is None else seen.append
    outcome = go_on(
        source, work, disk, 1, threads=threads, limits=limits, stop_at_first=stop_at_first, progress=progress
    )
    return work, outcome, disk


def assert_found(work: WorkDirectory, source: GraphSource, expected: Expected) -> None:
    """Levels, counts, findings and states at rest are those of the textbook search."""
    words, place = source.words, 0
    assert [level.rows for level in work.levels] == expected.levels
    for level in work.levels:
        nodes = [n for block in level.files for n in source.nodes(read_block(work.data, block, words))]
        assert sorted(nodes) == sorted(expected.order[place : place + level.rows])
        place += level.rows
    counters = np.sum([level.counters for level in work.levels], axis=0)
    assert (counters[-3], counters[-2], counters[-1]) == (expected.transitions, len(expected.quiescent), expected.cut)
    at_rest = [
        n for level in work.levels for b in level.quiescent for n in source.nodes(read_block(work.data, b, words))
    ]
    assert sorted(at_rest) == sorted(expected.order[index] for index in expected.quiescent)
    assert dict(work.levels[-1].found) == {number: found[0] for number, found in expected.found.items()}


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(graphs(), st.sampled_from([1, 2]), st.sampled_from(sorted(ENCODINGS)), st.booleans(), st.sampled_from([None, 2]))
def test_a_search_beyond_memory_is_the_textbook_search(
    little: None, tmp_path: Path, graph: Graph, threads: int, encoding: str, stop_at_first: bool, max_depth: int | None
) -> None:
    """For one and two threads, narrow and wide states."""
    source = GraphSource(graph, ENCODINGS[encoding](len(graph.edges)))
    limits = Limits(max_depth=max_depth)
    work, outcome, disk = searched(source, tmp_path, threads, limits, stop_at_first)
    expected = explore(graph, stop_at_first=stop_at_first, max_depth=max_depth)
    assert_found(work, source, expected)
    assert outcome.bound == expected.bound
    assert list(tmp_path.iterdir()) == []


def grid(n: int) -> Graph:
    """Cells of a square that lead right, down and left: states of each level are known from two levels before."""

    def to(row: int, column: int) -> list[tuple[int, int]]:
        cells = [(row, column + 1), (row + 1, column), (row, column - 1)]
        return [(0, r * n + c) for r, c in cells if 0 <= r < n and 0 <= c < n]

    return Graph([to(cell // n, cell % n) for cell in range(n * n)], [0], goals=frozenset({n * n - 1}))


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(graphs(), st.booleans(), st.sampled_from(sorted(ENCODINGS)))
def test_whether_every_step_leads_to_a_later_level(
    little: None, tmp_path: Path, graph: Graph, downward: bool, encoding: str
) -> None:
    """By definition, on random graphs, and on those without the steps to a node that is no later one."""
    kept = [[(a, to) for a, to in some if to > n or not downward] for n, some in enumerate(graph.edges)]
    graph = Graph(kept, graph.initial)
    source = GraphSource(graph, ENCODINGS[encoding](len(graph.edges)))
    work, _, disk = searched(source, tmp_path)
    expected = explore(graph)
    levels = np.repeat(np.arange(len(expected.levels)), expected.levels).tolist()
    level = dict(zip(expected.order, levels))
    steps = [(level[n], level[to]) for n in expected.order for _, to in graph.edges[n] if to in level]
    assert rising(source, work, disk, 1, bool) == all(below > above for above, below in steps)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("words", [1, 2])
def test_states_on_disk_are_known_again(little: None, tmp_path: Path, threads: int, words: int) -> None:
    """900 states, of which memory holds eight; the last is found after 58 steps."""
    source = GraphSource(grid(30), counting(900, words))
    work, outcome, disk = searched(source, tmp_path, threads)
    assert_found(work, source, explore(source.graph))
    assert work.levels[-1].found == {REACHABLE: 58}
    assert sum(level.rows for level in work.levels) == 900 and outcome.bound is None


def test_a_search_goes_on_from_the_levels_there_are(little: None, tmp_path: Path) -> None:
    """Stopped after each number of levels and taken up, it ends as one that ran through."""
    source = GraphSource(grid(12), counting(144, 1))
    expected = explore(source.graph)
    for depth in (0, 1, 7, 20):
        work, outcome, disk = searched(source, tmp_path, limits=Limits(max_depth=depth))
        assert (outcome.bound, len(work.levels)) == ("depth", depth + 1)
        go_on(source, work, disk, 1, limits=NO_LIMITS, stop_at_first=False)
        assert_found(work, source, expected)


def test_a_limit_of_disk_ends_the_search_after_whole_levels(little: None, tmp_path: Path) -> None:
    """Whatever the limit; what is reported are levels of the whole search."""
    source = GraphSource(grid(12), counting(144, 1))
    expected = explore(source.graph).levels
    for most in (100, 900, 1500):
        work, outcome, disk = searched(source, tmp_path, most=most)
        assert outcome.bound == "disk" and disk.peak <= most
        assert [level.rows for level in work.levels] == expected[: len(work.levels)]


def test_a_limit_of_states_ends_the_search_after_a_level(little: None, tmp_path: Path) -> None:
    """The first that has them all."""
    source = GraphSource(grid(12), counting(144, 1))
    work, outcome, _ = searched(source, tmp_path, limits=Limits(max_states=20))
    assert (outcome.bound, [level.rows for level in work.levels]) == ("states", [1, 2, 3, 4, 5, 6])


@pytest.mark.parametrize("level", [0, 5, 11])
def test_ctrl_c_keeps_the_levels_that_are_whole(
    little: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, level: int
) -> None:
    """Nothing is left in the directory, and the search can go on from them."""
    monkeypatch.setattr(out_of_core, "INTERVAL", 0.0)
    source = GraphSource(grid(12), counting(144, 1))
    expected, disk = explore(source.graph), Disk(tmp_path)
    work = WorkDirectory.create(UnnamedFolder.on(disk, 1), {})

    def interrupt(progress: Progress) -> None:
        if progress.level == level:
            os.kill(os.getpid(), signal.SIGINT)

    outcome = go_on(source, work, disk, 1, limits=NO_LIMITS, stop_at_first=False, progress=interrupt)
    assert outcome.bound == "interrupted" and list(tmp_path.iterdir()) == []
    assert [found.rows for found in work.levels] == expected.levels[: level + 1]
    go_on(source, work, disk, 1, limits=NO_LIMITS, stop_at_first=False)
    assert_found(work, source, expected)


@pytest.mark.parametrize("most", [60, 300, 600, 900])
def test_a_level_that_was_not_finished_leaves_no_file(little: None, tmp_path: Path, most: int) -> None:
    """In a work directory are the files that the manifests of whole levels name, whenever a limit ended the search."""
    source = GraphSource(grid(12), counting(144, 1))
    with WorkDirectory.create(tmp_path / "kept", {}) as work:
        outcome = go_on(source, work, Disk(tmp_path, most), 1, limits=NO_LIMITS, stop_at_first=False)
        named = {block.name for level in work.levels for block in (*level.files, *level.quiescent)}
        assert outcome.bound == "disk" and set(work.data.names()) == named


def test_the_first_level_is_stored_in_the_order_of_the_initial_states(little: None, tmp_path: Path) -> None:
    """As the interpreter is asked for them; here the numbers of the states fall."""
    source = GraphSource(Graph(tuple(() for _ in range(6)), tuple(range(6))), counting(6, 1)[::-1])
    work, _, _ = searched(source, tmp_path)
    (block,) = work.levels[0].files
    assert np.array_equal(read_block(work.data, block, 1), counting(6, 1)[::-1])


def test_progress_says_what_is_on_disk(little: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the line that is shown, too."""
    monkeypatch.setattr(out_of_core, "INTERVAL", 0.0)
    seen: list[Progress] = []
    source = GraphSource(grid(12), counting(144, 1))
    searched(source, tmp_path, seen=seen)
    assert seen[-1].spilled > 0 and seen[-1].distinct >= 140
    assert "3 MB on disk" in describe(Progress(1, 2, 3, 4.0, 5, 6, 7.0, spilled=3_000_000))
    assert "disk" not in describe(Progress(1, 2, 3, 4.0, 5, 6, 7.0))


def test_the_memory_of_a_search_is_free_when_it_has_ended(
    little: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a search for garbage: validation, which follows, has room of its own only."""
    stores: list[weakref.ref[Store]] = []

    def noted(words: int) -> Store:
        store = Store(words)
        stores.append(weakref.ref(store))
        return store

    monkeypatch.setattr(out_of_core, "Store", noted)
    gc.disable()
    try:
        source = GraphSource(grid(12), counting(144, 1))
        work, outcome, _ = searched(source, tmp_path)
        assert outcome.bound is None and sum(level.rows for level in work.levels) == 144
        assert [store() for store in stores] == [None]
    finally:
        gc.enable()
