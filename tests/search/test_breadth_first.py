"""The search reports exactly what the textbook search with one queue reports, whatever runs it."""

from __future__ import annotations

import os
import signal
import threading
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from checker.contract import Finding, States
from checker.search import batch as batch_module
from checker.search import tables_native
from checker.search.batch import Batches
from checker.search.breadth_first import _Search, search
from checker.search.interrupts import Interrupts
from checker.search.limits import Limits
from checker.search.progress import Progress
from checker.search.result import SearchResult
from checker.search.seen_set import SeenSet
from checker.search.threads import Threads
from tests.search.graphs import FINDINGS, REACHABLE, Expected, Graph, GraphSource, counting, explore, levels_of

ENCODINGS = {
    "one random word": lambda n: counting(n, 1),
    "counters": lambda n: np.arange(n, dtype=np.uint64).reshape(n, 1),
    "equal low bits": lambda n: (np.arange(n, dtype=np.uint64) << np.uint64(48)).reshape(n, 1),
    "all-ones and below": lambda n: (np.uint64(2**64 - 1) - np.arange(n, dtype=np.uint64)).reshape(n, 1),
    "two words, first equal": lambda n: np.stack([np.full(n, 7), np.arange(n)], axis=1).astype(np.uint64),
    "two words, second equal": lambda n: np.stack([np.arange(n), np.zeros(n)], axis=1).astype(np.uint64),
    "five words, last differs": lambda n: np.pad(np.arange(n).reshape(n, 1), ((0, 0), (4, 0))).astype(np.uint64),
    "ten random words": lambda n: counting(n, 10),
}


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    n = draw(st.integers(1, 60))
    node = st.integers(0, n - 1)
    some = st.frozensets(node, max_size=4)
    edges = draw(st.lists(st.lists(st.tuples(st.integers(0, 1), node), max_size=6), min_size=n, max_size=n))
    return Graph(
        edges=edges,
        initial=draw(st.lists(node, max_size=5)),
        bad=draw(some),
        goals=draw(some),
        bad_steps=draw(st.frozensets(st.tuples(node, st.integers(0, 5)), max_size=3)),
        bad_ends=draw(some),
        failing=draw(some),
        failing_checks=draw(some),
        failing_ends=draw(some),
        cut=draw(some),
    )


def assert_agrees(result: SearchResult, expected: Expected, source: GraphSource) -> None:
    """Counts, order, paths and findings are those of the reference."""
    assert source.nodes(result.states()) == expected.order
    assert [result.parent(index) for index in range(result.distinct)] == expected.parents
    assert result.levels == tuple(size for size in expected.levels if size)
    assert result.transitions == expected.transitions
    assert result.quiescent_indices.tolist() == expected.quiescent
    assert result.quiescent == len(expected.quiescent)
    assert result.cut == expected.cut
    for number, action in enumerate(result.actions):
        assert action.enabled == expected.enabled.get(number, 0)
        assert action.fired == expected.fired.get(number, 0)
        assert action.first_level == expected.first_level.get(number)
    found = {
        v.number: (v.steps, source.nodes(result.states()[v.index : v.index + 1])[0], v.beyond, v.cut)
        for v in result.violations + result.witnesses
    }
    assert found == expected.found
    assert all(v.number != REACHABLE for v in result.violations)
    assert [v.steps for v in result.violations] == sorted(v.steps for v in result.violations)
    for violation in result.violations:
        assert len(result.path(violation.index)) - 1 + violation.beyond == violation.steps
    assert result.bound == expected.bound
    assert result.coverage.expanded == expected.expanded
    assert result.coverage.unexpanded == len(expected.order) - expected.expanded
    assert result.complete == (expected.bound is None and expected.expanded == len(expected.order))


@settings(max_examples=150, deadline=None)
@given(
    graph=graphs(),
    encoding=st.sampled_from(sorted(ENCODINGS)),
    threads=st.integers(1, 3),
    stop_at_first=st.booleans(),
    max_depth=st.none() | st.integers(0, 4),
    max_states=st.none() | st.integers(0, 40),
    capacity=st.sampled_from([1, 7, 4096]),
    rows=st.sampled_from([1, 3, 64]),
)
def test_every_search_agrees_with_the_textbook_search(
    graph: Graph,
    encoding: str,
    threads: int,
    stop_at_first: bool,
    max_depth: int | None,
    max_states: int | None,
    capacity: int,
    rows: int,
) -> None:
    """Order, counts, findings and coverage depend on the graph and the limits only."""
    source = GraphSource(graph, ENCODINGS[encoding](len(graph.edges)))
    limits = Limits(max_depth=max_depth, max_states=max_states)
    with small_batches(capacity, rows):
        result = search(source, threads=threads, limits=limits, stop_at_first=stop_at_first)
    expected = explore(graph, stop_at_first=stop_at_first, max_depth=max_depth, max_states=max_states)
    assert_agrees(result, expected, source)


class small_batches:
    """Makes batches of few rows and buffers of few candidates, so that small graphs need many."""

    def __init__(self, capacity: int, rows: int) -> None:
        self.patch = pytest.MonkeyPatch()
        self.capacity, self.rows = capacity, rows

    def __enter__(self) -> None:
        self.patch.setattr(batch_module, "FIRST_SUCCESSORS", self.capacity)
        self.patch.setattr("checker.search.pace.LEAST_ROWS", self.rows)

    def __exit__(self, *_: object) -> None:
        self.patch.undo()


def test_a_state_with_more_successors_than_a_buffer_can_number_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """The room for the successors of a state grows up to that number, and no further."""
    n, most = 6000, 4096
    source = GraphSource(Graph([[(0, target) for target in range(n)], *[[]] * (n - 1)], [0]), counting(n, 1))
    monkeypatch.setattr(batch_module, "FIRST_SUCCESSORS", 64)
    monkeypatch.setattr(batch_module, "MOST_CANDIDATES", most)
    with pytest.raises(OverflowError, match=f"more than {most} successors"):
        search(source)
    monkeypatch.setattr(batch_module, "MOST_CANDIDATES", 2 * most)
    assert search(source).distinct == n


def random_graph(n: int, degree: int, seed: int = 1) -> Graph:
    """Every node has `degree` edges to random nodes, so almost all are reached and most successors are duplicates."""
    targets = np.random.default_rng(seed).integers(0, n, (n, degree)).tolist()
    return Graph([[(place % 2, target) for place, target in enumerate(row)] for row in targets], [0, 1, 0])


@pytest.mark.parametrize(
    ("encoding", "threads"),
    [
        pytest.param(encoding, threads, marks=() if threads in each_build else pytest.mark.thorough)
        for encoding, each_build in {
            "one random word": (1,),
            "equal low bits": (1, 2),
            "two words, first equal": (3,),
            "ten random words": (2, 3),
        }.items()
        for threads in (1, 2, 3)
    ],
)
def test_tables_grow_without_losing_or_doubling_states(encoding: str, threads: int) -> None:
    """30,000 states pass several growths of every table and keep the order of discovery."""
    graph = random_graph(30_000, 3)
    source = GraphSource(graph, ENCODINGS[encoding](30_000))
    assert_agrees(search(source, threads=threads), explore(graph), source)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_state_with_more_successors_than_a_buffer_holds_is_expanded_whole(threads: int) -> None:
    """The room for successors is enlarged for the one row, which fills so many buffers that new ones are larger;
    nothing of it is counted twice."""
    n = 20_000
    graph = Graph([[(0, target) for target in range(n)]] + [[] for _ in range(n - 1)], [0])
    source = GraphSource(graph, ENCODINGS["counters"](n))
    with small_batches(64, 4):
        result = search(source, threads=threads)
    assert_agrees(result, explore(graph), source)


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_a_batch_that_needs_more_buffers_than_there_are_numbers_ends_as_out_of_memory(
    threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No candidate is dropped: the batch is given up whole, and what was found before it stands."""
    n = 2000
    graph = Graph([[(0, 1), (1, 2)], [(0, target) for target in range(n)], [(1, n - 1)], *([[]] * (n - 3))], [0])
    source = GraphSource(graph, ENCODINGS["counters"](n))
    monkeypatch.setattr(tables_native, "BUFFERS", 40)
    with small_batches(16, 1):
        result = search(source, threads=threads)
    assert result.bound == "memory" and not result.complete
    assert source.nodes(result.states()) == [0, 1, 2]
    assert (result.transitions, result.coverage.expanded, result.coverage.unexpanded) == (2, 1, 2)


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_a_table_that_cannot_grow_ends_the_search_as_out_of_memory(
    threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whichever thread is refused: all leave the batch, which is given up whole."""
    calls = 0

    def refused(seen: SeenSet, table: int) -> None:
        nonlocal calls
        calls += 1
        if calls > 20:
            raise MemoryError("no room")
        grow(seen, table)

    grow = SeenSet.grow
    monkeypatch.setattr(SeenSet, "grow", refused)
    graph = random_graph(60_000, 3)
    source = GraphSource(graph, ENCODINGS["counters"](60_000))
    result = search(source, threads=threads)
    assert result.bound == "memory" and not result.complete
    assert result.transitions == 3 * result.coverage.expanded
    assert source.nodes(result.states()) == explore(graph).order[: result.distinct]


@pytest.mark.parametrize("threads", [1, 2])
def test_a_sudden_rise_in_branching_spills_into_further_buffers(threads: int) -> None:
    """A chain with one successor each teaches large batches; then every state has fifty."""
    leaves, chain = 3000, 400
    n = leaves + chain
    edges = [[(0, min(node + 1, chain - 1))] for node in range(chain)]
    edges[chain - 1] = [(1, chain + leaf) for leaf in range(leaves)]
    edges += [[(0, chain + (leaf * 50 + k) % leaves) for k in range(50)] for leaf in range(leaves)]
    graph = Graph(edges, [0])
    source = GraphSource(graph, ENCODINGS["counters"](n))
    with small_batches(64, 64):
        result = search(source, threads=threads)
    assert_agrees(result, explore(graph), source)


def test_the_path_to_a_state_is_the_least_shortest_one() -> None:
    """Of two shortest paths the one whose steps come first in the order of successors is reported."""
    graph = Graph([[(0, 2), (0, 1)], [(0, 3)], [(0, 3)], []], [0], bad=frozenset({3}))
    source = GraphSource(graph, ENCODINGS["counters"](4))
    result = search(source)
    assert source.nodes(result.path(result.violations[0].index)) == [0, 2, 3]


def test_a_violation_ends_the_search_after_its_level_and_a_witness_does_not() -> None:
    """A reached goal is reported with the violation found later; levels beyond that one are not explored."""
    chain = [[(0, node + 1)] for node in range(9)] + [[]]
    graph = Graph(chain, [0], goals=frozenset({2}), bad=frozenset({5}))
    result = search(GraphSource(graph, ENCODINGS["counters"](10)))
    assert [v.finding for v in result.violations] == [FINDINGS[0]]
    assert [w.steps for w in result.witnesses] == [2]
    assert result.distinct == 6 and not result.complete and result.bound is None
    assert result.coverage.levels == 5


def test_a_source_too_small_for_its_model_ends_the_search_at_once() -> None:
    """A finding of kind "grow" makes all counts void: neither the level nor keeping on delays the end."""
    graph = Graph([[(0, node) for node in range(5000)]] + [[(0, 0)]] * 4999, [0], failing=frozenset({7}))
    findings = (*FINDINGS[:4], Finding("grow", "network", 1))
    result = search(GraphSource(graph, ENCODINGS["counters"](5000), findings), stop_at_first=False)
    assert [v.finding.kind for v in result.violations] == ["grow"]
    assert result.coverage.expanded < 1000 and not result.complete


def test_no_initial_state_is_a_complete_search_of_nothing() -> None:
    """An empty model has no levels."""
    result = search(GraphSource(Graph([[]], []), ENCODINGS["counters"](1)))
    assert (result.distinct, result.depth, result.complete) == (0, 0, True)


def test_memory_used_is_bounded_on_request() -> None:
    """A search over its memory ends with the bound named and its coverage stated."""
    graph = random_graph(5000, 3)
    result = search(GraphSource(graph, ENCODINGS["ten random words"](5000)), limits=Limits(max_memory=1000))
    assert result.bound == "memory" and not result.complete
    assert result.coverage.unexpanded == result.distinct


@pytest.mark.thorough
def test_threads_that_come_late_or_wait_change_nothing() -> None:
    """A thousand searches of short batches, with more threads than processors: the same states, parents and counts
    every time."""
    graph = random_graph(300, 2)
    source = GraphSource(graph, ENCODINGS["two words, first equal"](300))
    expected = explore(graph)
    with small_batches(16, 2):
        for number in range(1000):
            assert_agrees(search(source, threads=1 + number % 7), expected, source)


@pytest.mark.parametrize("threads", [1, 2])
def test_no_batch_goes_across_a_multiple_of_two_to_the_32(threads: int) -> None:
    """All parents of a batch share what stands above their lower 32 bits, which is noted once for it."""
    source = GraphSource(random_graph(10, 2), ENCODINGS["counters"](10))
    with Threads(threads) as runner, Interrupts() as interrupts:
        under_way = _Search(source, Limits(), True, None, runner, interrupts)
        under_way.expanded, end = (1 << 32) - 100, (1 << 32) + 1000
        ranges = under_way.pace.ranges(under_way.expanded, end)
        assert ranges[0][0] == under_way.expanded and all(stop <= 1 << 32 for _, stop in ranges)
        under_way.expanded = 1 << 32
        assert under_way.pace.ranges(under_way.expanded, end)[0][0] == 1 << 32


def test_time_is_bounded_on_request() -> None:
    """No time at all: initial states at most."""
    result = search(GraphSource(random_graph(500, 3), ENCODINGS["counters"](500)), limits=Limits(max_seconds=0.0))
    assert result.bound == "seconds" and result.distinct == 0


@pytest.mark.parametrize("signals", [1, 2])
def test_an_interrupt_ends_the_search_with_what_was_found_until_then(
    signals: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first signal waits for the batch, the second abandons it; either way counts fit the expanded states."""
    led = 0
    go_through = Batches._go_through

    def interrupted(batches: Batches) -> None:
        """The third batch is done, but not yet counted, when Ctrl-C is pressed."""
        nonlocal led
        go_through(batches)
        led += 1
        for _ in range(signals if led == 3 else 0):
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.01)

    monkeypatch.setattr(Batches, "_go_through", interrupted)
    graph = random_graph(5000, 3)
    source = GraphSource(graph, ENCODINGS["counters"](5000))
    before = signal.getsignal(signal.SIGINT)
    result = search(source)
    assert signal.getsignal(signal.SIGINT) is before
    assert result.bound == "interrupted" and 0 < result.coverage.unexpanded
    assert result.transitions == 3 * result.coverage.expanded
    assert source.nodes(result.states()) == explore(graph).order[: result.distinct]


def test_a_search_outside_the_main_thread_leaves_signals_alone() -> None:
    """Only the main thread can handle signals; elsewhere a search runs without."""
    results: list[SearchResult] = []
    source = GraphSource(random_graph(100, 2), ENCODINGS["counters"](100))
    thread = threading.Thread(target=lambda: results.append(search(source)))
    thread.start()
    thread.join()
    assert results[0].complete


def test_an_error_in_the_source_reaches_the_caller() -> None:
    """A source that raises is a fault of the program, not a finding. (Its native code cannot raise.)"""

    class Broken(GraphSource):
        def initial(self) -> States:
            raise ValueError("broken source")

    for threads in (1, 2):
        with pytest.raises(ValueError, match="broken source"):
            search(Broken(random_graph(10, 2), ENCODINGS["counters"](10)), threads=threads)


def test_progress_tells_growing_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reports come between batches and never go back."""
    monkeypatch.setattr("checker.search.breadth_first.INTERVAL", 0.0)
    reports: list[Progress] = []
    graph = random_graph(3000, 3)
    result = search(GraphSource(graph, ENCODINGS["counters"](3000)), progress=reports.append)
    assert [r.distinct for r in reports] == sorted(r.distinct for r in reports)
    assert reports[-1].level >= result.depth - 1 and all(0 <= r.frontier <= result.distinct for r in reports)


def test_levels_divide_the_states() -> None:
    """level_starts agrees with the sizes of levels."""
    result = search(GraphSource(random_graph(300, 2), ENCODINGS["counters"](300)))
    blocks = levels_of(result)
    assert tuple(len(block) for block in blocks) == result.levels
    assert np.array_equal(np.concatenate(blocks), result.states())
    assert result.level_starts()[-1] == result.distinct
    with pytest.raises(ValueError, match="read-only"):
        result.states()[0, 0] = 1
