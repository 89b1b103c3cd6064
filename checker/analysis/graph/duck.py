"""DuckDB as the engine for questions: it reads the Parquet files of local directories in this process, without Java."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from attrs import field, frozen

from checker.analysis.graph import made as complete
from checker.analysis.graph.demanded import Demanded
from checker.analysis.graph.kept import TABLES, Kept
from checker.analysis.graph.opened import as_asked, tables
from checker.analysis.graph.stated import Predicates
from checker.analysis.graph.views import EDGES, ONLY, REMEDY, STATED, STATES, raw
from checker.language.errors import UsageError
from checker.results.found import Rows
from checker.search.folders import Folder, LocalFolder
from checker.stored.owned import NotPrivate, private_directory

Tables = Kept | Demanded
T = TypeVar("T")


@frozen(eq=False)
class Duck:
    """A connection with the views.  Tables that are made as questions read them are made in the thread that asks, and
    the statement that missed them is executed again.
    """

    connection: Any
    _demanded: dict[str, Demanded] = field(factory=dict)
    """By the prefix of its views."""

    def tables(self, where: Path | str) -> AbstractContextManager[Tables]:
        """The tables of a stored search."""
        import duckdb

        return as_asked(where) if int(duckdb.__version__.partition(".")[0]) >= 2 else tables(where, complete.write)

    def add(self, prefix: str, graph: Tables) -> None:
        """The views of a graph."""
        if isinstance(graph, Demanded):
            self._demanded[prefix] = graph
            self._add_files(prefix, graph)
        else:
            for part in TABLES:
                pattern = _quoted(f"{_pattern(graph.folder, part)}/*.parquet")
                self._view(f"{prefix}{raw(part)}", f"SELECT * FROM read_parquet({pattern})")
        self._view(f"{prefix}states", STATES.format(prefix))
        self._view(f"{prefix}edges", EDGES.format(prefix))

    def _add_files(self, prefix: str, graph: Demanded) -> None:
        """The views of the files that there are, beside the columns that are missing."""
        for part in TABLES:
            folder, unmade = _pattern(graph.folder, part), f"{prefix}{raw(part)}_unmade"
            sources = [
                f"(SELECT {_names(columns)} FROM read_parquet({_quoted(f'{folder}/{name}')}))"
                for name, columns in graph.kept(part).items()
            ]
            if graph.missing(part):
                self.connection.register(unmade, graph.unmade(part))
                sources.append(unmade)
            beside = " POSITIONAL JOIN ".join(f"{source} AS of_{i}" for i, source in enumerate(sources))
            self._view(f"{prefix}{raw(part)}", f"SELECT {_names(graph.types.schemas[part].names)} FROM {beside}")

    def _view(self, name: str, sql: str) -> None:
        self.connection.execute(f"CREATE OR REPLACE TEMP VIEW {name} AS {sql}")

    def columns(self, name: str) -> dict[str, str]:
        """The columns of a view with their types."""
        return {column: kind for column, kind, *_ in self.connection.execute(f"DESCRIBE {name}").fetchall()}

    def add_columns(self, predicates: Predicates) -> None:
        """Further columns of `states`."""
        self.connection.register("stated", predicates.here())
        self._view("states", STATED.format(", ".join(f't."{name}"' for name in predicates.asked.names)))

    def compare(self, name: str, of: str, other: str, same: Sequence[str]) -> None:
        """A view of the states of one graph that another does not reach."""
        equal = " AND ".join(f'a."{column}" IS NOT DISTINCT FROM b."{column}"' for column in same) or "true"
        self._view(name, ONLY.format(of, other, equal))

    def ask(self, sql: str, limit: int) -> Rows:
        """At most the given number of rows.  Raises UsageError if the query is invalid."""
        columns: tuple[str, ...] = ()
        rows: list[Any] = []
        with _told():
            for statement in self._statements(sql):
                found = self._answered(partial(self.connection.execute, statement))
                columns = tuple(column[0] for column in found.description or ())
                rows = found.fetchmany(limit + 1) if columns else []
        return Rows(columns, tuple(map(tuple, rows[:limit])), len(rows) > limit)

    def table(self, sql: str) -> Any:
        """The whole answer as a table of pyarrow.  Raises UsageError."""
        found = None
        with _told():
            for statement in self._statements(sql):
                found = self._answered(partial(self._table, statement))
        if found is None:
            raise UsageError("SQL: a statement without an answer has no table", remedy="Use rows().")
        return found

    def _table(self, statement: Any) -> Any:
        found = self.connection.sql(statement)
        return None if found is None else found.to_arrow_table()

    def _statements(self, sql: str) -> Iterator[Any]:
        """The statements of a question.  Within a transaction none can be repeated: everything is made before."""
        import duckdb

        for statement in self.connection.extract_statements(sql):
            if statement.type == duckdb.StatementType.TRANSACTION:
                for graph in self._demanded.values():
                    graph.note_all()
                self._made()
            yield statement

    def _answered(self, answer: Callable[[], T]) -> T:
        """The answer to a statement, as soon as all that it reads has been made."""
        import duckdb

        while True:
            try:
                return answer()
            except duckdb.Error:
                if not self._made():
                    raise

    def _made(self) -> bool:
        """Make what was missing; False if nothing was."""
        made = [graph for graph in dict.fromkeys(self._demanded.values()) if graph.make()]
        for prefix, graph in self._demanded.items():
            if graph in made:
                self._add_files(prefix, graph)
        return bool(made)


def _names(columns: Sequence[str]) -> str:
    return ", ".join(f'"{name}"' for name in columns)


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _pattern(folder: Folder, part: str) -> str:
    """The folder of a table as DuckDB's pattern.  Raises UsageError."""
    assert isinstance(folder, LocalFolder)
    name = str(folder.path / part)
    if "\\" in name:
        what = f"DuckDB takes the \\ in the name of {name} for the end of a folder's name"
        raise UsageError(what, remedy="Rename the directory, or let Spark answer: --master 'local[*]'.")
    return re.sub(r"[\[*?]", r"[\g<0>]", name)


@contextmanager
def _told() -> Iterator[None]:
    import duckdb

    try:
        yield
    except duckdb.Error as error:
        raise UsageError(f"SQL: {str(error).splitlines()[0]}", remedy=REMEDY) from None


@contextmanager
def duck() -> Iterator[Duck]:
    """A DuckDB connection of this process; the files to which it spills are removed with it."""
    import duckdb

    try:
        spilled = private_directory("checker-query-")
    except NotPrivate as error:
        raise UsageError(str(error)) from None
    settings = {"autoinstall_known_extensions": "false", "python_enable_replacements": "false"}
    connection = duckdb.connect(config={**settings, "temp_directory": str(spilled)})
    try:
        yield Duck(connection)
    finally:
        connection.close()
        shutil.rmtree(spilled, ignore_errors=True)
