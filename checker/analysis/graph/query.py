"""Questions about the graphs of one or two stored searches in SQL, answered by DuckDB or by Spark, over the same views.

The views states, edges, steps, outcomes, levels and actions are those of the (first) directory.  With a second
directory there are views base_... and edit_... of each, and `only_base` and `only_edit` have the states that the other
side does not reach.  Two states are equal if the variables that both sides have with the same type are equal.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import Any, Protocol

from attrs import frozen

from checker.analysis.graph import made
from checker.analysis.graph.duck import duck
from checker.analysis.graph.on_spark import spark
from checker.analysis.graph.opened import tables
from checker.analysis.graph.stated import Predicates, predicates_of
from checker.analysis.graph.views import SIDES, shared
from checker.engines.committed import work_directory_errors
from checker.extras import are_missing, install, missing
from checker.language.errors import UsageError
from checker.results.found import Rows
from checker.search.folders import Folder, LocalFolder, folder_at

log = logging.getLogger(__name__)


class Answers(Protocol):
    """An engine that answers questions: it has the views, and makes missing tables."""

    def tables(self, where: Path | str) -> AbstractContextManager[Any]:
        """The tables of a stored search, as `add` takes them."""

    def add(self, prefix: str, graph: Any) -> None:
        """The views of a graph."""

    def columns(self, name: str) -> dict[str, str]:
        """The columns of a view with their types."""

    def add_columns(self, predicates: Predicates) -> None:
        """Further columns of `states`."""

    def compare(self, name: str, of: str, other: str, same: Sequence[str]) -> None:
        """A view of the states of one graph that another does not reach."""

    def ask(self, sql: str, limit: int) -> Rows:
        """At most the given number of rows.  Raises UsageError if the query is invalid."""

    def table(self, sql: str) -> Any:
        """The whole answer as a table of pyarrow.  Raises UsageError."""


@frozen(eq=False)
class Graph:
    """One or two open graphs: `rows`, `arrow` and `frame` answer questions.  A context manager; `close` releases the
    files.
    """

    _answers: Answers
    _stack: ExitStack

    def rows(self, sql: str, limit: int = 100) -> Rows:
        """At most the given number of rows of an answer.  Raises UsageError if the query is invalid."""
        return self._answers.ask(sql, limit)

    def arrow(self, sql: str) -> Any:
        """An answer as a table of pyarrow.  Raises UsageError."""
        return self._answers.table(sql)

    def frame(self, sql: str) -> Any:
        """An answer as a data frame of pandas.  Raises UsageError, also where pandas is missing."""
        if missing("pandas"):
            what = "a data frame is one of pandas, and this package is missing"
            raise UsageError(what, remedy=f"{install('query')}, or use arrow().")
        return self.arrow(sql).to_pandas()

    def close(self) -> None:
        """Let go of the files."""
        self._stack.close()

    def __enter__(self) -> Graph:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_graph(
    where: Path | str,
    against: Path | str | None = None,
    *,
    master: str | None = None,
    predicates: Mapping[str, str] | None = None,
) -> Graph:
    """The graph of a stored search, and of another one that is compared with it (`against`); missing tables are made.

    master: the Spark that answers; None: this process, if the directories are local.  predicates: further columns of
    `states`, by name, each an expression of the first model.  Raises UsageError.
    """
    folders = [_folder(place) for place in (where, against) if place is not None]
    if master is None and not all(isinstance(folder, LocalFolder) for folder in folders):
        master = "local[*]"
    with ExitStack() as stack:
        engine = stack.enter_context(_here() if master is None else _on_spark(master, where))
        kept = [stack.enter_context(engine.tables(place)) for place in (where, against) if place is not None]
        for prefix, graph in zip(("", *SIDES) if against is not None else ("",), (kept[0], *kept)):
            engine.add(prefix, graph)
        if predicates:
            there = {column.lower() for column in engine.columns("states")}
            if taken := [name for name in predicates if name.lower() in there]:
                raise UsageError(f"states has a column {taken[0]} already", remedy="Give the predicate another name.")
            engine.add_columns(predicates_of(where, predicates))
        if against is not None:
            types = [engine.columns(f"{side}states") for side in SIDES]
            same, others = shared(types, [graph.variables for graph in kept])
            if others:
                log.warning("warning: only_base and only_edit do not compare %s: not in both", ", ".join(others))
            for name, of, other in (("only_base", *SIDES), ("only_edit", *reversed(SIDES))):
                engine.compare(name, of, other, same)
        return Graph(engine, stack.pop_all())
    raise AssertionError  # no context suppresses


def keep(where: Path | str, master: str | None) -> None:
    """Make the missing tables of a search: in this process, or on Spark.  Raises UsageError."""
    with ExitStack() as stack:
        stack.enter_context(
            tables(where, made.write) if master is None else stack.enter_context(_on_spark(master, where)).tables(where)
        )


def _folder(where: Path | str) -> Folder:
    with work_directory_errors():
        folder = folder_at(where)
    if isinstance(folder, LocalFolder) and not _is_text(str(folder)):
        what = f"the name of {ascii(str(folder))} is no text in UTF-8, and neither DuckDB nor Spark opens such files"
        raise UsageError(what, remedy="Rename the directory.")
    return folder


def _is_text(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _here() -> AbstractContextManager[Answers]:
    lacking = missing("duckdb", "pyarrow")
    if lacking:
        what = f"questions are answered here by packages of which {are_missing(lacking)}"
        raise UsageError(what, remedy=f"{install('query')}, or let Spark answer: --master 'local[*]'")
    return duck()


def _on_spark(master: str, where: Path | str) -> AbstractContextManager[Answers]:
    return spark(master, _folder(where))
