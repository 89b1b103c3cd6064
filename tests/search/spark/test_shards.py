"""The search on shards against the textbook search with one queue: any graph, any number of shards."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from checker.contract import Source
from checker.search.block_files import read_block
from checker.search.breadth_first import search
from checker.search.checkpoint import Checkpoint
from checker.search.limits import Limits
from checker.search.spark.driver import Driver
from checker.search.spark.job import Job, forget
from checker.search.spark.shard import Partition, Shard
from checker.search.trails import Held, Members, _Rebuild, answer, trails
from checker.search.workdir import WorkDirectory
from tests.search.graphs import REACHABLE, Graph, GraphSource, counting, explore, levels_of
from tests.search.spark.tasks import HereTasks
from tests.search.test_breadth_first import graphs, random_graph


def run(
    source: GraphSource,
    shards: int,
    stop_at_first: bool = False,
    handover: int = 0,
    memory: int | None = None,
    **limits: Any,
) -> Any:
    """Search on shards in this process; returns the work directory (closed, and gone from the disk) and what it
    told."""
    Shard(cast(Source, source), 0, 1)  # LLVM is not made for threads, so what is compiled is compiled before
    path = Path(tempfile.mkdtemp())
    try:
        with WorkDirectory.create(path, {}) as work:
            here = Limits(**{**limits, "max_memory": None})
            native = search(
                cast(Source, source),
                stop_at_first=stop_at_first,
                limits=here,
                checkpoint=Checkpoint(work, source.words, handover),
            )
            outcome = None
            if native.bound == "handover":
                job = Job(str(path), lambda: cast(Source, source), path, shards, memory)
                outcome = Driver(work, job, HereTasks(), source.findings, Limits(**limits), stop_at_first).run()
            levels = [[np.array(read_block(work.data, b, source.words)) for b in level.files] for level in work.levels]
            ends = [np.array(read_block(work.data, b, source.words)) for level in work.levels for b in level.quiescent]
        return work, levels, ends, outcome
    finally:
        shutil.rmtree(path)


def check_against_textbook(graph: Graph, source: GraphSource, shards: int, stop_at_first: bool, handover: int) -> None:
    """Everything that the textbook search tells."""
    expected = explore(graph, stop_at_first=stop_at_first)
    work, levels, ends, _ = run(source, shards, stop_at_first, handover)
    reached = [sorted(source.nodes(np.concatenate(blocks))) if blocks else [] for blocks in levels]
    starts = np.cumsum([0, *expected.levels])
    assert [r for r in reached if r] == [sorted(expected.order[a:b]) for a, b in zip(starts, starts[1:]) if a < b]
    assert sorted(n for some in ends for n in source.nodes(some)) == sorted(
        expected.order[i] for i in expected.quiescent
    )
    counters = np.sum([level.counters for level in work.levels], axis=0)
    assert counters[-3:].tolist() == [expected.transitions, len(expected.quiescent), expected.cut]
    found = work.levels[-1].found
    assert found == {finding: steps for finding, (steps, *_) in expected.found.items()}
    rebuilt = trails(cast(Source, source), lambda i: [Held(b) for b in levels[i]], len(levels), found)
    for trail in rebuilt:
        steps, node, beyond, cut = expected.found[trail.number]
        path = [node]
        while (parent := expected.parents[expected.order.index(path[-1])]) is not None:
            path.append(expected.order[parent])
        assert (trail.steps, trail.beyond, trail.cut, source.nodes(trail.states)) == (steps, beyond, cut, path[::-1])
    whole = search(cast(Source, source), stop_at_first=stop_at_first)
    ordered = [t.number for t in rebuilt if t.number != REACHABLE]
    assert ordered == [violation.number for violation in whole.violations]


@given(
    graph=graphs(),
    words=st.sampled_from([1, 2]),
    shards=st.sampled_from([1, 2, 3, 8]),
    stop_at_first=st.booleans(),
    handover=st.sampled_from([0, 2]),
)
@settings(max_examples=40, deadline=None)
def test_shards_agree_with_the_textbook_search(
    graph: Graph, words: int, shards: int, stop_at_first: bool, handover: int
) -> None:
    """Levels, counts, findings, their paths and their order, through files."""
    source = GraphSource(graph, counting(len(graph.edges), words))
    check_against_textbook(graph, source, shards, stop_at_first, handover)


def test_a_limit_on_depth_ends_the_search_where_it_ends_in_one_process() -> None:
    """Depth is a matter of levels, so it is exact."""
    source = GraphSource(random_graph(2_000, 2), counting(2_000, 2))
    whole = search(cast(Source, source), limits=Limits(max_depth=7))
    work, _, _, outcome = run(source, 3, max_depth=7)
    assert outcome.bound == "depth"
    assert [level.rows for level in work.levels] == list(whole.levels)


def test_a_failed_attempt_is_made_again_from_the_last_committed_level(monkeypatch: pytest.MonkeyPatch) -> None:
    """A task that dies while it expands a level leaves nothing behind that counts."""
    source = GraphSource(random_graph(1_000, 3), counting(1_000, 1))
    expand, calls = Shard.expand, [0]

    def failing(self: Shard, *arguments: Any) -> Any:
        calls[0] += 1
        if calls[0] in (5, 9):
            expand(self, *arguments)
            raise OSError("the process is gone")
        return expand(self, *arguments)

    monkeypatch.setattr(Shard, "expand", failing)
    monkeypatch.setattr(HereTasks, "run", raising_tasks_failed(HereTasks.run))
    work, _, _, outcome = run(source, 2)
    whole = search(cast(Source, source))
    assert outcome.restarts == 2
    assert (
        tuple(level.rows for level in work.levels if level.rows),
        sum(level.counters[-3] for level in work.levels),
    ) == (whole.levels, whole.transitions)


def test_duplicate_attempts_of_tasks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Spark may run a task twice, in one process or two, and take either report; the files of the other are rubbish."""

    def twice(self: HereTasks, function: Any, argument: Any, count: int) -> list[Any]:
        reports = []
        for number in range(count):
            attempts = [function(argument, number)]
            if number % 2:
                forget(argument, number)  # the other attempt was in another process
            reports.append([*attempts, function(argument, number)][len(reports) // 2 % 2])
        return reports

    monkeypatch.setattr(HereTasks, "run", twice)
    source = GraphSource(random_graph(2_000, 3), counting(2_000, 2))
    work, levels, _, _ = run(source, 4)
    whole = search(cast(Source, source))
    assert sum(level.counters[-3] for level in work.levels) == whole.transitions
    for blocks, states in zip(levels, levels_of(whole)):
        assert sorted(map(bytes, np.concatenate(blocks))) == sorted(map(bytes, states))


def raising_tasks_failed(function: Any) -> Any:
    """As Spark tells it."""
    from checker.search.spark.failures import TasksFailed

    def run_or_fail(*arguments: Any) -> Any:
        try:
            return function(*arguments)
        except OSError as error:
            raise TasksFailed(str(error)) from error

    return run_or_fail


def test_a_shard_given_the_same_candidates_twice_is_the_same() -> None:
    """Repeating a task changes nothing."""
    source = GraphSource(random_graph(100, 2), counting(100, 2))
    shard = Shard(cast(Source, source), 0, 1)
    states = source.encoding[[1, 2, 3, 2]]
    assert (shard.accept(states), shard.accept(states), shard.count) == (3, 0, 3)


@pytest.mark.parametrize("words", [1, 3])
def test_every_state_has_one_owner_and_shards_are_of_like_size(words: int) -> None:
    """The partition covers all states, whatever block they come in."""
    states = counting(20_000, words)
    partition = Partition(words, 7)
    owned = [partition.owned(states, shard) for shard in range(7)]
    assert sorted(map(bytes, np.concatenate(owned))) == sorted(map(bytes, states))
    assert max(map(len, owned)) < 1.2 * min(map(len, owned))
    assert all(len(partition.owned(some, shard)) == len(some) for shard, some in enumerate(owned))


def test_members_are_told_from_states_that_are_not() -> None:
    """Sets compare whole states."""
    states = counting(2_000, 2)
    members = Members(states[:1_000])
    near = states[:1_000].copy()
    near[:, 1] ^= np.uint64(1)
    assert members.contains(states).tolist() == [True] * 1_000 + [False] * 1_000
    assert not members.contains(near).any()


def test_the_path_to_any_state_is_that_of_the_sequential_search() -> None:
    """Also where many shortest paths lead to it."""
    source = GraphSource(random_graph(300, 3), counting(300, 1))
    whole = search(cast(Source, source))
    levels = levels_of(whole)
    for index in range(0, whole.distinct, 17):
        level = int(np.searchsorted(whole.level_starts(), index, side="right")) - 1
        rebuild = _Rebuild(
            cast(Source, source),
            lambda i: [Held(levels[i])],
            len(levels),
            lambda requests: [answer(cast(Source, source), request) for request in requests],
        )
        path, _ = rebuild.forward(rebuild.backward({0: {level: whole.states()[[index]]}})[0])
        assert path.tolist() == whole.path(index).tolist()


@pytest.mark.parametrize("words", [1, 2])
def test_a_search_larger_than_its_memory_finds_the_same(words: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Most of what was seen is on disk, in many runs; also that of the level that is being accepted."""
    monkeypatch.setattr("checker.search.spark.shard.MOST_CANDIDATES", 256)
    spills = counted(monkeypatch, Shard, "_spill")
    source = GraphSource(random_graph(20_000, 3), counting(20_000, words))
    Shard(cast(Source, source), 0, 1)
    work, levels, _, _ = run(source, 2, memory=100_000)
    whole = search(cast(Source, source))
    assert spills[0] > 4
    assert [level.rows for level in work.levels if level.rows] == list(whole.levels)
    assert sum(level.counters[-3] for level in work.levels) == whole.transitions
    for blocks, states in zip(levels, levels_of(whole)):
        assert sorted(map(bytes, np.concatenate(blocks))) == sorted(map(bytes, states))


def counted(monkeypatch: pytest.MonkeyPatch, owner: type, name: str) -> list[int]:
    """How often a method is called."""
    method, calls = getattr(owner, name), [0]

    def counting_calls(self: Any, *arguments: Any) -> Any:
        calls[0] += 1
        return method(self, *arguments)

    monkeypatch.setattr(owner, name, counting_calls)
    return calls
