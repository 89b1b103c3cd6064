"""The explored graph as tables for SQL: states with a column for each variable, edges, levels, actions.

Everything is made from the work directory of a search, at any time after it.  States are decoded here, each distinct value of a variable once; edges are found by
tasks, which expand the stored states again.  The tables lie in `graph/` of the work directory as Parquet, and appear there whole or not at all.

states   id, level, quiescent (null: not expanded), packed, and the variables: numbers and truth values as such, all else as text.
edges    source, target (ids; the target is null if a bound kept the search from storing it), action, place (among the successors of the source).
levels   level, states, transitions, quiescent, cut, seconds.       actions  level, action, enabled, fired: of the expansion of that level.
"""

from __future__ import annotations

import shutil
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from checker.backends.native.kernel import NativeKernel
from checker.engines.checkpointed import opened, work_directory_errors
from checker.engines.committed import stored_search
from checker.engines.explored import Phases
from checker.engines.plain import plain_raw
from checker.engines.spark import ShippedKernel
from checker.language import domains as d
from checker.language.define import define
from checker.language.definition import Definition
from checker.language.errors import UsageError
from checker.search.source import States
from checker.search.spark.cluster import SparkTasks, SparkUnavailable, connect
from checker.search.spark.edges import EdgeTables, write_edges
from checker.search.spark.job import Job
from checker.search.trails import Members
from checker.search.workdir import Block, WorkDirectory, read_block
from checker.trace.values import show

RESERVED = ("id", "level", "quiescent", "packed")
_ROWS = 1 << 17


def tables(workdir: Path, master: str = "local[*]") -> dict[str, Any]:
    """The tables of a stored search as Spark DataFrames, also registered as views; `states` and `edges` are made if they are not there yet.

    UsageError if Spark or the work directory cannot be used.
    """
    with work_directory_errors():
        stored = stored_search(workdir)
        definition = define(stored.entry.cls, stored.constants, stored.only)
        kernel, work = opened(definition, stored.entry.reference, stored.only, workdir, stored.stop_at_first, Phases(), True)
        with work:
            try:
                tasks = connect(master, workdir / "spark.log")
            except SparkUnavailable as error:
                raise UsageError(str(error)) from None
            graph = (workdir / "graph").resolve()
            if not graph.exists():
                _Tables(definition, kernel, work, tasks).write(graph)
            frames = _frames(tasks.session, work, graph)
    for name, frame in frames.items():
        frame.createOrReplaceTempView(name)
    return frames


def _frames(session: Any, work: WorkDirectory, graph: Path) -> dict[str, Any]:
    names = work.header["actions"]
    count = len(names)
    levels, actions = [], []
    for level, following in zip(work.levels, [*work.levels[1:], None]):
        counters = [None] * (2 * count + 3) if following is None else list(following.counters)
        if level.rows:
            levels.append((level.number, level.rows, *counters[-3:], level.seconds))
        if following is not None:
            actions += [(level.number, name, counters[i], counters[count + i]) for i, name in enumerate(names)]
    return {
        "states": session.read.parquet((graph / "states").as_uri()),
        "edges": session.read.parquet((graph / "edges").as_uri()),
        "levels": session.createDataFrame(levels, "level int, states long, transitions long, quiescent long, cut long, seconds double"),
        "actions": session.createDataFrame(actions, "level int, action string, enabled long, fired long"),
    }


@frozen
class _Tables:
    """Writes the graph of one search."""

    definition: Definition
    kernel: NativeKernel
    work: WorkDirectory
    tasks: SparkTasks

    def write(self, graph: Path) -> None:
        """Write all tables beside their place, then move them there."""
        making = graph.with_name(f"graph-{uuid.uuid4().hex[:8]}")
        try:
            (making / "states").mkdir(parents=True)
            (making / "raw").mkdir()
            numbered = tuple(self._states(making / "states"))
            job = Job(uuid.uuid4().hex, ShippedKernel(self.kernel.model), self.work.path.resolve(), 1)
            expanded = len(self.work.levels) - 1
            blocks = tuple((block, offset) for level, block, offset in numbered if level < expanded)
            if blocks:
                self.tasks.run(write_edges, EdgeTables(job, making / "raw", blocks), len(blocks))
            self._number(making, bool(blocks))
            shutil.rmtree(making / "raw")
            making.rename(graph)
        finally:
            shutil.rmtree(making, ignore_errors=True)

    def _number(self, making: Path, some: bool) -> None:
        """Edges with the numbers of their targets."""
        session = self.tasks.session
        if not some:
            session.createDataFrame([], "source long, target long, action string, place int").write.parquet((making / "edges").as_uri())
            return
        raw = session.read.parquet((making / "raw").as_uri())
        targets = session.read.parquet((making / "states").as_uri()).selectExpr("id as number", "packed")
        joined = raw.join(targets, raw.target == targets.packed, "left")
        joined.selectExpr("source", "number as target", "action", "place").write.parquet((making / "edges").as_uri())

    def _states(self, directory: Path) -> Iterator[tuple[int, Block, int]]:
        """Write the states; yields (level, file, number of its first state)."""
        offset = 0
        columns = [_Column(self.kernel, v.name, v.domain) for v in self.definition.variables]
        for level, following in zip(self.work.levels, [*self.work.levels[1:], None]):
            ends = None
            if following is not None:
                parts = [read_block(self.work.data, b, self.kernel.words) for b in following.quiescent]
                ends = np.concatenate(parts) if parts else np.zeros((0, self.kernel.words), np.uint64)
            for block in level.files:
                states = read_block(self.work.data, block, self.kernel.words)
                for start in range(0, len(states), _ROWS):
                    piece = np.ascontiguousarray(states[start : start + _ROWS])
                    self._write(directory, piece, level.number, ends, offset + start, columns)
                yield level.number, block, offset
                offset += block.rows

    def _write(self, directory: Path, states: States, level: int, ends: States | None, first: int, columns: list[_Column]) -> None:
        import pyarrow as pa
        from pyarrow import parquet

        rows = len(states)
        if ends is None:
            quiescent = pa.nulls(rows, pa.bool_())
        else:
            quiescent = pa.array(Members(ends).contains(states) if len(ends) else np.zeros(rows, np.bool_))
        data = {
            "id": pa.array(np.arange(first, first + rows, dtype=np.int64)), "level": pa.array(np.full(rows, level, np.int32)), "quiescent": quiescent,
            "packed": pa.array([row.tobytes() for row in states], pa.binary(8 * self.kernel.words)),
            **{column.title: column.values(states) for column in columns},
        }  # fmt: skip
        parquet.write_table(pa.table(data), directory / f"part-{first:012}.parquet")


class _Column:
    """One variable: its bits, and the values they have been found to stand for."""

    def __init__(self, kernel: NativeKernel, name: str, domain: d.Domain) -> None:
        self.kernel, self.name, self.domain = kernel, name, domain
        self.title = f"{name}_" if name in RESERVED else name
        self.mask = kernel.mask([name])
        self.plain = isinstance(domain, d.BoolDomain | d.IntDomain)
        self._known: dict[bytes, Any] = {}

    def values(self, states: States) -> Any:
        """The column of these states (n, words)."""
        import pyarrow as pa

        rows = states & self.mask
        words = np.flatnonzero(self.mask)
        part = np.ascontiguousarray(rows[:, words]) if len(words) else np.zeros((len(rows), 1), np.uint64)
        _, first, places = np.unique(part, axis=0, return_index=True, return_inverse=True)
        distinct = [self._value(rows[i]) for i in first]
        indices: NDArray[Any] = places.reshape(-1)
        return pa.array(distinct).take(pa.array(indices))

    def _value(self, row: NDArray[np.uint64]) -> Any:
        key = row.tobytes()
        if key not in self._known:
            value = plain_raw(self.domain, self.kernel.decode(row)[self.name])
            self._known[key] = value if self.plain else show(value)
        return self._known[key]
