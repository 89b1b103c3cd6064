"""DuckDB as the engine for questions: it reads the Parquet files of local directories in this process, without Java."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from attrs import frozen

from checker.analysis.graph import made
from checker.analysis.graph.kept import TABLES
from checker.analysis.graph.stated import Predicates
from checker.analysis.graph.views import EDGES, ONLY, REMEDY, STATED, STATES, raw
from checker.language.errors import UsageError
from checker.results.found import Rows
from checker.search.folders import Folder, LocalFolder
from checker.stored.owned import private_directory


@frozen(eq=False)
class Duck:
    """A connection with the views."""

    connection: Any
    write = staticmethod(made.write)

    def add(self, prefix: str, graph: Folder) -> None:
        """The views of a graph."""
        assert isinstance(graph, LocalFolder)
        for part in TABLES:
            files = _pattern(graph.path / part).replace("'", "''")
            self._view(f"{prefix}{raw(part)}", f"SELECT * FROM read_parquet('{files}')")
        self._view(f"{prefix}states", STATES.format(prefix))
        self._view(f"{prefix}edges", EDGES.format(prefix))

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
        with _told():
            found = self.connection.execute(sql)
            rows = found.fetchmany(limit + 1) if found.description else []
        columns = tuple(column[0] for column in found.description or ())
        return Rows(columns, tuple(map(tuple, rows[:limit])), len(rows) > limit)

    def table(self, sql: str) -> Any:
        """The whole answer as a table of pyarrow.  Raises UsageError."""
        with _told():
            found = self.connection.sql(sql)
            if found is not None:
                return found.to_arrow_table()
        raise UsageError("SQL: a statement without an answer has no table", remedy="Use rows().")


def _pattern(folder: Path) -> str:
    """The files of a table as DuckDB's pattern.  Raises UsageError."""
    name = str(folder)
    if "\\" in name:
        what = f"DuckDB takes the \\ in the name of {name} for the end of a folder's name"
        raise UsageError(what, remedy="Rename the directory, or let Spark answer: --master 'local[*]'.")
    return re.sub(r"[\[*?]", r"[\g<0>]", name) + "/*.parquet"


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

    spilled = private_directory("checker-query-")
    settings = {"autoinstall_known_extensions": "false", "python_enable_replacements": "false"}
    connection = duckdb.connect(config={**settings, "temp_directory": str(spilled)})
    try:
        yield Duck(connection)
    finally:
        connection.close()
        shutil.rmtree(spilled, ignore_errors=True)
