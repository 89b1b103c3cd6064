"""Spark as the engine for questions, and for making the tables of a graph that does not fit into one process: tasks
make all rows (`checker.analysis.graph.by_tasks`).

If the work directory is in a store and Spark runs on this machine, Spark reads local copies and needs no connector.
"""

from __future__ import annotations

import logging
import re
import uuid
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np
from attrs import field, frozen

from checker.analysis.graph import made
from checker.analysis.graph.by_tasks import (
    Expanded,
    File,
    Parts,
    answer,
    first_met,
    owners_of,
    questions,
    tasks_of,
    told_by,
    write_edges,
    write_states,
)
from checker.analysis.graph.kept import STEM, TABLES, Kept
from checker.analysis.graph.opened import tables
from checker.analysis.graph.stated import Asked, Predicates, sample_of
from checker.analysis.graph.steps import StepWords
from checker.analysis.graph.views import EDGES, ONLY, REMEDY, STATED, STATES, raw
from checker.language.errors import UsageError
from checker.results.found import Rows
from checker.search.folders import Folder, LocalFolder
from checker.search.spark.cluster import SparkTasks, connect
from checker.search.spark.failures import TasksFailed
from checker.search.spark.session import SparkUnavailable, spark_log
from checker.stored.owned import NotPrivate, private_directory


def answer_part(given: tuple[Asked, Folder], number: int) -> tuple[str, list[list[int]]]:
    """Write the answers to predicates for one file of states.  Returns the name of the written file, and the answers to
    be compared with the interpreter's.
    """
    asked, folder = given
    answers = asked.kernel().answers(asked.states(number))
    name = f"part-{number}-{uuid.uuid4().hex[:8]}.parquet"
    with made.Writer(folder, name) as writer:
        writer.write(asked.table(answers, asked.files[number][1]))
    return name, sample_of(answers)


@frozen(eq=False)
class OnSpark:
    """A Spark session with the views, and its temporary folders."""

    tasks: SparkTasks
    _made: list[Folder] = field(factory=list)

    def tables(self, where: Path | str) -> AbstractContextManager[Kept]:
        """The complete tables of a stored search."""
        return tables(where, self.write)

    def add(self, prefix: str, graph: Kept) -> None:
        """The views of a graph."""
        near = _near(graph.folder, self.tasks, TABLES)
        for part in TABLES:
            _parquet(self.tasks.session, near / part).createOrReplaceTempView(f"{prefix}{raw(part)}")
        self._view(f"{prefix}states", STATES.format(prefix))
        self._view(f"{prefix}edges", EDGES.format(prefix))

    def _view(self, name: str, sql: str) -> None:
        self.tasks.session.sql(f"CREATE OR REPLACE TEMPORARY VIEW {name} AS {sql}")

    def columns(self, name: str) -> dict[str, str]:
        """The columns of a view with their types."""
        return dict(self.tasks.session.table(name).dtypes)

    def add_columns(self, predicates: Predicates) -> None:
        """Further columns of `states`: tasks answer, a file each."""
        asked = predicates.asked
        own = predicates.folder / f"{STEM}{uuid.uuid4().hex[:8]}"
        self._made.append(own)
        for part in ("stated", "watched"):
            (own / part).make()
        with made.Writer(own / "stated") as writer:
            writer.write(asked.nothing())
        try:
            asking = len(asked.files), own / "watched"
            done = self.tasks.run(answer_part, (asked, own / "stated"), *asking) if asked.files else []
        except TasksFailed as error:
            raise UsageError(str(error)) from None
        predicates.confirm([sample for _, sample in done])
        written = {writer.name, *(name for name, _ in done)}
        for name in set((own / "stated").names()) - written:  # of attempts that were repeated
            (own / "stated").remove(name)
        near = _near(own, self.tasks, ("stated",))
        _parquet(self.tasks.session, near / "stated").createOrReplaceTempView("stated")
        self._view("states", STATED.format(", ".join(f"t.`{name}`" for name in asked.names)))

    def close(self) -> None:
        """Remove the answers to predicates."""
        for folder in self._made:
            folder.remove_all()

    def compare(self, name: str, of: str, other: str, same: Sequence[str]) -> None:
        """A view of the states of one graph that another does not reach; Spark cannot compare maps, so their texts are
        compared.
        """
        texts = ["to_json(struct(" + ", ".join(f"{side}.`{c}`" for c in same) + "))" for side in "ab"]
        self._view(name, ONLY.format(of, other, " = ".join(texts) if same else "true"))

    def ask(self, sql: str, limit: int) -> Rows:
        """At most the given number of rows.  Raises UsageError if the query is invalid."""
        with _told():
            frame = self.tasks.session.sql(sql)
            rows = [_plain(tuple(row)) for row in frame.limit(limit + 1).collect()]
        return Rows(tuple(frame.columns), tuple(rows[:limit]), len(rows) > limit)

    def table(self, sql: str) -> Any:
        """The whole answer as a table of pyarrow.  Raises UsageError."""
        with _told():
            return self.tasks.session.sql(sql).toArrow()

    def write(self, stored: made.Stored, graph: Folder) -> None:
        """Write all tables of a search."""
        try:
            self._write(stored, graph)
        except TasksFailed as error:
            raise UsageError(str(error)) from None

    def _write(self, stored: made.Stored, graph: Folder) -> None:
        files = _files(stored)
        expanded = tuple(None if after is None else after.quiescent for _, after in stored.levels())
        words, slots, states = stored.kernel.words, self.tasks.slots, sum(file.block.rows for file in files)
        if files:
            (sample,) = stored.read([files[-1].block])
            stored.confirm(stored.wanted.kernel(states), np.ascontiguousarray(sample))
        owners, grouped = owners_of(states, words, slots), tasks_of(files, slots)
        parts = Parts(stored.wanted, words, stored.work.data, graph, grouped, expanded, owners)
        watched = graph / "watched"
        for folder in (watched, parts.exchange):
            folder.make()
        done: list[Expanded] = self.tasks.run(write_states, parts, len(grouped), watched) if grouped else []
        answers = self.tasks.run(answer, questions(parts, done), owners, watched)
        told = told_by(parts, done, answers)
        edges = self.tasks.run(write_edges, told, len(grouped), watched) if grouped else []
        for folder in (watched, parts.exchange):
            folder.remove_all()
        for table, written in (("states", {each.name for each in done}), ("edges", set(edges))):
            for name in set((graph / table).names()) - written:  # of attempts that were repeated
                (graph / table).remove(name)
        made.fill(stored, graph)
        steps = StepWords(stored.definition)
        for number, met in enumerate(first_met(done)):
            steps.add(stored.state(met.state), {met.place: number})
        made.write_steps(graph, steps)
        made.write_small(stored, graph)


def _files(stored: made.Stored) -> list[File]:
    """The files of states in the order of their numbers."""
    firsts = accumulate((block.rows for *_, block in stored.blocks), initial=0)
    return [File(level.number, block, first) for (level, _, block), first in zip(stored.blocks, firsts)]


def _near(graph: Folder, tasks: SparkTasks, parts: Sequence[str]) -> Folder:
    """The tables where Spark can read them: copies, if Spark runs only on this machine and the tables are elsewhere."""
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


def _parquet(session: Any, folder: Folder) -> Any:
    """A table.  Raises UsageError if this Spark cannot open the store."""
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    try:
        return session.read.parquet(re.sub(r"[\[\]{}*?\\]", r"\\\g<0>", folder.url))  # Spark takes it for a pattern
    except (PySparkException, Py4JError) as error:
        connector = "A cluster needs Hadoop's connector for the store (spark.jars.packages)"
        what = f"Spark cannot read {folder}: {str(error).splitlines()[0]}"
        raise UsageError(what, remedy=f"{connector}; --master local[*] does without.") from None


def _plain(value: Any) -> Any:
    """Rows within rows as dictionaries, as DuckDB gives them."""
    if hasattr(value, "asDict"):
        return {name: _plain(part) for name, part in value.asDict().items()}
    if isinstance(value, dict):
        return {key: _plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(_plain(part) for part in value)
    return value


@contextmanager
def _told() -> Iterator[None]:
    from pyspark.errors import PySparkException

    logging.getLogger("SQLQueryContextLogger").disabled = True  # it logs the stack of every wrong query
    try:
        yield
    except PySparkException as error:
        raise UsageError(f"Spark SQL: {str(error).splitlines()[0]}", remedy=REMEDY) from None


@contextmanager
def spark(master: str, folder: Folder) -> Iterator[OnSpark]:
    """The session on a master.  Raises UsageError."""
    try:
        found = OnSpark(connect(master, spark_log(folder)))
        try:
            yield found
        finally:
            found.close()
    except (SparkUnavailable, NotPrivate) as error:
        raise UsageError(str(error)) from None
