"""The explored graph as tables for SQL: states with a column for each variable, edges, levels, actions.

Everything is made from the work directory of a search, at any time after it.  States are decoded here, each distinct
value of a variable once; edges are found by tasks, which expand the stored states again.  The tables lie in a folder of
the work directory as Parquet; they are there once `graph.json` names that folder and its files, with the checksum of
each.  They can be made again from the search, so a damaged table, or one of a search that has gone on since, is. If the
work directory is a store and Spark runs on this machine, Spark works on copies here, so that it needs no connector of
its own.

states   id, level, quiescent (null: not expanded), packed, and the variables: numbers and truth values as such, all
else as text. edges    source, target (ids; the target is null if a bound kept the search from storing it), action,
place (among the successors of the source). levels   level, states, transitions, quiescent, cut, seconds.       actions
level, action, enabled, fired: of the expansion of that level.
"""

from __future__ import annotations

import logging
import uuid
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from checker.backends.native.kernel import NativeKernel
from checker.contract import States
from checker.engines.checkpointed import opened
from checker.engines.committed import stored_search, validated_stored, work_directory_errors
from checker.engines.placement import Placement
from checker.engines.request import Request
from checker.engines.shipped import ShippedKernel
from checker.language import domains as d
from checker.language.define import define
from checker.language.definition import Definition
from checker.language.errors import UsageError
from checker.replay.plain import plain_raw
from checker.search.folders import Folder, LocalFolder, folder_errors
from checker.search.spark.cluster import SparkTasks, connect
from checker.search.spark.edges import EdgeTables, write_edges
from checker.search.spark.failures import TasksFailed
from checker.search.spark.job import Job
from checker.search.spark.session import SparkUnavailable, spark_log
from checker.search.trails import Members
from checker.search.workdir import Block, WorkDirectory, read_block
from checker.stored.errors import StoredFileError
from checker.stored.owned import NotPrivate, private_directory
from checker.stored.sealed import seal_json, unseal_json
from checker.stored.shape import WrongShape, array, matching, parts, table, text, whole
from checker.trace.values import show

RESERVED = ("id", "level", "quiescent", "packed")
_ROWS = 1 << 17
_MARK = "graph.json"
_PARTS = ("states", "edges")
FORMAT = 1
log = logging.getLogger(__name__)


def _sum(data: Any) -> tuple[int, int]:
    """Size and CRC-32 of a file."""
    if not isinstance(data, list) or len(data) != 2:
        raise WrongShape("size and checksum of a file", data)
    size, crc = array(whole(0))(data)
    return size, crc


_STORED = parts(
    {
        "search": text,
        "levels": whole(0),
        "folder": matching(r"graph-[0-9a-f]{8}", "the name of a folder"),
        "files": parts({part: table(_sum) for part in _PARTS}),
    }
)


def tables(workdir: Path | str, master: str = "local[*]") -> dict[str, Any]:
    """The tables of a stored search as Spark DataFrames, also registered as views; `states` and `edges` are made if
    they are not there yet.

    UsageError if Spark or the work directory cannot be used.
    """
    if find_spec("pyarrow") is None:
        what = "tables of a search are Parquet files, and the package pyarrow to write them is missing"
        raise UsageError(what, remedy="pip install 'spacetime-checker[spark]'")
    with work_directory_errors():
        stored = stored_search(workdir)
        definition = define(stored.entry.cls, stored.constants, stored.only)
        there = Placement(workdir, resume=True)
        kernel, work = opened(Request(definition, stored.entry.reference, stored.only, placement=there))
        with work:
            validated_stored(definition, kernel, work)
            try:
                tasks = connect(master, spark_log(work.folder))
                with folder_errors(work.folder):
                    graph = _graph(_Tables(definition, kernel, work, tasks))
                    frames = _frames(tasks.session, work, _near(graph, tasks))
            except (SparkUnavailable, TasksFailed, NotPrivate) as error:
                raise UsageError(str(error)) from None
    for name, frame in frames.items():
        frame.createOrReplaceTempView(name)
    return frames


def _graph(tables: _Tables) -> Folder:
    """The folder with the tables of states and edges, made now if they are not there, are damaged, or the search has
    gone on since."""
    work = tables.work
    known = stored_graph(work)
    if known is not None:
        return known
    graph = work.folder / f"graph-{uuid.uuid4().hex[:8]}"
    try:
        tables.write(graph)
        work.folder.publish(_MARK, _mark(work, graph))
    except BaseException:
        graph.remove_all()
        raise
    return graph


def _mark(work: WorkDirectory, graph: Folder) -> bytes:
    files = {part: {name: (graph / part).checksum(name) for name in (graph / part).names()} for part in _PARTS}
    name = str(graph).rpartition("/")[2]
    held = {"search": work.identity, "levels": len(work.levels), "folder": name, "files": files}
    return seal_json("graph", FORMAT, "", held)


def stored_graph(work: WorkDirectory) -> Folder | None:
    """The folder with the tables of this search, if they are complete and every file is what was written; a damaged one
    is told and removed."""
    if _MARK not in work.folder.names():
        return None
    try:
        found = _STORED(unseal_json("graph", FORMAT, "", work.folder.read(_MARK), _MARK))
    except (StoredFileError, ValueError) as error:
        log.warning("warning: %s: %s; the tables are made again", work.folder, error)
        return None
    graph = work.folder / found["folder"]
    if (found["search"], found["levels"]) != (work.identity, len(work.levels)):
        graph.remove_all()
        return None
    wrong = next((name for part in _PARTS for name in _differing(graph / part, found["files"][part])), None)
    if wrong is None:
        return graph
    log.warning("warning: %s is damaged; the tables are made again", wrong)
    graph.remove_all()
    return None


def _differing(folder: Folder, files: Mapping[str, tuple[int, int]]) -> Iterator[str]:
    """Files of a table that are missing, too many, or not what was written."""
    there = folder.names()
    yield from (f"{folder}/{name}" for name in sorted(set(there) ^ set(files)))
    yield from (f"{folder}/{name}" for name in there if name in files and folder.checksum(name) != files[name])


def _near(graph: Folder, tasks: SparkTasks, parts: tuple[str, ...] = ("states", "edges")) -> Folder:
    """The tables where Spark can read them: copies if it runs on this machine only and they are elsewhere."""
    if isinstance(graph, LocalFolder) or not str(tasks.context.master).startswith("local"):
        return graph
    here = LocalFolder(private_directory("checker-graph-"))
    for part in parts:
        _copy(graph / part, here / part)
    return here


def _copy(source: Folder, target: Folder) -> None:
    target.make()
    for name in source.names():
        file = target.create(name)
        file.write(source.read(name))
        target.finish(file, durable=False)


def _frames(session: Any, work: WorkDirectory, graph: Folder) -> dict[str, Any]:
    names = work.header["actions"]
    count = len(names)
    levels, actions = [], []
    for level, following in zip(work.levels, [*work.levels[1:], None]):
        counters = [None] * (2 * count + 3) if following is None else list(following.counters)
        if level.rows:
            levels.append((level.number, level.rows, *counters[-3:], level.seconds))
        if following is not None:
            actions += [(level.number, name, counters[i], counters[count + i]) for i, name in enumerate(names)]
    of_levels = "level int, states long, transitions long, quiescent long, cut long, seconds double"
    of_actions = "level int, action string, enabled long, fired long"
    return {
        **{part: _parquet(session, graph / part) for part in _PARTS},
        "levels": session.createDataFrame(levels, of_levels),
        "actions": session.createDataFrame(actions, of_actions),
    }


def _parquet(session: Any, folder: Folder) -> Any:
    """A table. UsageError if this Spark cannot open the store."""
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    try:
        return session.read.parquet(folder.url)
    except (PySparkException, Py4JError) as error:
        connector = "A cluster needs Hadoop's connector for the store (spark.jars.packages)"
        what = f"Spark cannot read {folder}: {str(error).splitlines()[0]}"
        raise UsageError(what, remedy=f"{connector}; --master local[*] does without.") from None


@frozen
class _Tables:
    """Writes the graph of one search."""

    definition: Definition
    kernel: NativeKernel
    work: WorkDirectory
    tasks: SparkTasks

    def write(self, graph: Folder) -> None:
        """Write all tables."""
        for part in ("states", "raw", "edges"):
            (graph / part).make()
        numbered = tuple(self._states(graph / "states"))
        job = Job(uuid.uuid4().hex, ShippedKernel(self.kernel.model), self.work.folder, 1)
        expanded = len(self.work.levels) - 1
        blocks = tuple((block, offset) for level, block, offset in numbered if level < expanded)
        if blocks:
            # once only: another attempt would write the edges of finished tasks again
            self.tasks.run(write_edges, EdgeTables(job, graph / "raw", blocks), len(blocks), job.exchange, attempts=1)
        self._number(graph, bool(blocks))
        (graph / "raw").remove_all()

    def _number(self, graph: Folder, some: bool) -> None:
        """Edges with the numbers of their targets."""
        session = self.tasks.session
        if not some:
            self._store(session.createDataFrame([], "source long, target long, action string, place int"), graph)
            return
        place = _near(graph, self.tasks, ("states", "raw"))
        targets = _parquet(session, place / "states").selectExpr("id as number", "packed")
        raw = _parquet(session, place / "raw")
        joined = raw.join(targets, raw.target == targets.packed, "left")
        self._store(joined.selectExpr("source", "number as target", "action", "place"), graph)

    def _store(self, edges: Any, graph: Folder) -> None:
        """Write the table of edges, here first if only this machine's Spark is there to do it."""
        place = _near(graph, self.tasks, ())
        edges.write.mode("overwrite").parquet((place / "edges").url)
        if place != graph:
            _copy(place / "edges", graph / "edges")

    def _states(self, directory: Folder) -> Iterator[tuple[int, Block, int]]:
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

    def _write(
        self, directory: Folder, states: States, level: int, ends: States | None, first: int, columns: list[_Column]
    ) -> None:
        import pyarrow as pa
        from pyarrow import parquet

        rows = len(states)
        quiescent = pa.nulls(rows, pa.bool_())
        if ends is not None:
            quiescent = pa.array(Members(ends).contains(states) if len(ends) else np.zeros(rows, np.bool_))
        data = {
            "id": pa.array(np.arange(first, first + rows, dtype=np.int64)),
            "level": pa.array(np.full(rows, level, np.int32)),
            "quiescent": quiescent,
            "packed": pa.array([row.tobytes() for row in states], pa.binary(8 * self.kernel.words)),
            **{column.title: column.values(states) for column in columns},
        }
        file = directory.create(f"part-{first:012}.parquet")
        parquet.write_table(pa.table(data), file)
        directory.finish(file, durable=True)


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
