"""States that no run keeps among the chosen ones are removed, by one process and by shard: a textbook's set is left."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
from attrs import frozen

from checker.contract import Source, States
from checker.engines.committed import StoredPiece
from checker.search import trimming
from checker.search.breadth_first import search
from checker.search.checkpoint import Checkpoint
from checker.search.disk import Disk
from checker.search.limits import NO_LIMITS
from checker.search.runs import Runs
from checker.search.spark.job import Job
from checker.search.spark.trimming import Tasks, trimmed_by_shard
from checker.search.trimming import Left, Trimmed, Trimming, Unreadable
from checker.search.workdir import WorkDirectory
from tests.search.graphs import Graph, GraphSource, counting
from tests.search.spark.tasks import HereTasks


@frozen(eq=False)
class Coloured:
    """A graph, some of whose nodes are chosen, may be an end, or begin a run; broken: cannot be judged."""

    graph: Graph
    encoding: States
    marked: tuple[frozenset[int], frozenset[int], frozenset[int]]
    broken: frozenset[int] = frozenset()

    @property
    def words(self) -> int:
        return int(self.encoding.shape[1])

    def nodes(self, states: States) -> list[int]:
        known = {row.tobytes(): node for node, row in enumerate(self.encoding)}
        return [known[row.tobytes()] for row in states]

    def _are(self, states: States, some: frozenset[int]) -> Any:
        nodes = self.nodes(states)
        if self.broken & set(nodes):
            raise Unreadable("it overflows", 7)
        return np.array([node in some for node in nodes], np.bool_)

    def chosen(self, states: States) -> Any:
        return self._are(states, self.marked[0])

    def begins(self, states: States) -> Any:
        return self._are(states, self.marked[2])

    def steps(self, states: States, ends: Any) -> Iterator[Any]:
        """A few states at a time."""
        nodes = self.nodes(states)
        ends[:] = [node in self.marked[1] for node in nodes]
        for start in range(0, len(nodes), 4):
            edges = [
                (row, t) for row in range(start, min(start + 4, len(nodes))) for _, t in self.graph.edges[nodes[row]]
            ]
            sources = np.array([row for row, _ in edges], np.int64)
            yield SimpleNamespace(
                sources=sources, successors=self.encoding[[t for _, t in edges]].reshape(-1, self.words)
            )

    def textbook(self, reached: set[int]) -> set[int]:
        """Remove one node after the other."""
        left = set(self.marked[0]) & reached
        while gone := {n for n in left - self.marked[1] if not any(t in left for _, t in self.graph.edges[n])}:
            left -= gone
        return left


def drawn(seed: int) -> tuple[Coloured, GraphSource]:
    """A graph of a few dozen nodes, of which most are chosen; most steps lead on, and some back."""
    random = Random(seed)
    nodes, back = random.randrange(20, 90), random.choice((0.0, 0.02, 0.1))

    def edge(node: int) -> tuple[int, int]:
        on = min(nodes - 1, node + random.randrange(1, 9))
        return random.randrange(2), random.randrange(nodes) if random.random() < back else on

    edges = [[edge(node) for _ in range(random.randrange(1, 5))] for node in range(nodes - 1)]
    graph, encoding = Graph([*edges, []], [0, 1]), counting(nodes, 1 + seed % 3)
    shares = (random.choice((0.5, 0.8, 1.0)), random.choice((0.0, 0.02, 0.1)), 0.1)
    marked = tuple(frozenset(n for n in range(nodes) if random.random() < share) for share in shares)
    return Coloured(graph, encoding, cast(Any, marked)), GraphSource(graph, encoding)


def never(_: Left) -> bool:
    return False


def compared(coloured: Coloured, trimmed: Trimmed, expected: set[int]) -> None:
    """What is left, its steps, and whether one of it begins a run."""
    left = trimmed.run(never)
    found = [(level, node) for level, states in trimmed.left() for node in coloured.nodes(states)]
    assert sorted(node for _, node in found) == sorted(expected)
    assert left == Left(len(expected), sum(len(coloured.graph.edges[node]) for node in expected))
    assert trimmed.begins() == bool(expected & coloured.marked[2])
    assert [level for level, _ in found] == sorted(level for level, _ in found)


@pytest.mark.parametrize("seed", [*range(3), *(pytest.param(n, marks=pytest.mark.thorough) for n in range(3, 24))])
def test_what_a_textbook_leaves_is_left_by_one_process_and_by_shard(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For one to four shards, of which a process holds all or one; levels from one process or from three shards."""
    monkeypatch.setattr(trimming, "BLOCK", 7)
    coloured, source = drawn(seed)
    with WorkDirectory.create(tmp_path, {}) as work:
        search(cast(Source, source), stop_at_first=False, checkpoint=Checkpoint(work, source.words, piece=5))
        sizes, words = [level.rows for level in work.levels], source.words
        pieces = [[StoredPiece(work.data, block, words) for block in level.files] for level in work.levels]
        reached = {node for level in pieces for piece in level for node in coloured.nodes(piece.read())}
        expected = coloured.textbook(reached)
        removed = Runs(Disk(tmp_path), words, 1 << 13)
        compared(coloured, Trimming(pieces, coloured, removed), expected)
        removed.close()
        for shards, held in ((1, 1), (2, 2), (3, 1), (4, 4)):
            job = Job(uuid.uuid4().hex, bool, work.folder, shards, held=held)  # type: ignore[arg-type]
            tasks = cast(Tasks, HereTasks())
            with trimmed_by_shard(tasks, job, lambda: coloured, words, sizes, NO_LIMITS) as trimmed:
                compared(coloured, trimmed, expected)
            assert job.exchange.names() == []


def test_a_predicate_that_fails_in_a_task_is_told_as_in_one_process(tmp_path: Path) -> None:
    """The error and its line; the files of the work are removed."""
    coloured, source = drawn(3)
    broken = Coloured(coloured.graph, coloured.encoding, coloured.marked, frozenset({0}))
    with WorkDirectory.create(tmp_path, {}) as work:
        search(cast(Source, source), stop_at_first=False, checkpoint=Checkpoint(work, source.words))
        sizes = [level.rows for level in work.levels]
        job = Job(uuid.uuid4().hex, bool, work.folder, 2, held=2)  # type: ignore[arg-type]
        with pytest.raises(Unreadable, match="it overflows") as raised:
            with trimmed_by_shard(
                cast(Tasks, HereTasks()), job, lambda: broken, source.words, sizes, NO_LIMITS
            ) as some:
                some.run(never)
        assert raised.value.line == 7
        assert job.exchange.names() == []
