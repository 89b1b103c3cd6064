"""Tables of a stored search that are made as far as questions read them, and kept in its work directory.

Of `states` only the columns are made that a question reads and that no earlier one has read; `edges` and `steps` are
made together, and each of the other tables as a whole.  DuckDB knows the types of all columns from a list
(`checker.analysis.graph.lists`), and so binds a question before anything is made.  What it then reads is either in a
file, or is noted and `NotMade`: whoever asks makes what is missing and asks again.  Which columns a question reads is
therefore never guessed from its text.

All files of `states` have the rows in the order of their numbers.  Makings exclude nobody.  What is damaged when the
tables are opened is made again when a question reads it.

Where it stops: a question that reads much before it comes to what is missing reads it twice.  Complete tables, which
`--keep-graph` and Spark write, are elsewhere (`checker.analysis.graph.kept`).
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property
from typing import Any

from attrs import define, field

from checker.analysis.graph import made
from checker.analysis.graph.columns import titles
from checker.analysis.graph.kept import TABLES
from checker.analysis.graph.lists import File, Types, new_name, publish_files, publish_types, types_in
from checker.analysis.graph.rows import OWN
from checker.analysis.graph.scanned import Scan
from checker.engines.committed import work_directory_errors
from checker.search.folder_errors import folder_errors
from checker.search.folders import LocalFolder

TOGETHER = ("edges", "steps")
"""Tables that are made together: edges have the numbers of steps."""
FEW = 100
"""Rows of a table that the search does not count, as DuckDB is told before it is made."""
log = logging.getLogger(__name__)


@define(eq=False)
class Demanded:
    """Tables of a search, in a folder.  sealed: what its lists are sealed as; counts: numbers of rows; search: the
    stored search, whose model is executed only to make what is missing; files: those that are whole.
    """

    folder: LocalFolder
    sealed: str
    counts: Mapping[str, int]
    search: Callable[[], made.Stored]
    _files: list[File] = field(factory=list)
    _missing: dict[str, set[str]] = field(factory=dict)

    @cached_property
    def types(self) -> Types:
        """The columns of all tables; made if there is no list of them."""
        with work_directory_errors(), folder_errors(self.folder):
            found, wrong = types_in(self.folder, self.sealed)
            if wrong:
                log.warning("warning: %s; it is made again", wrong)
            return self._new_types() if found is None else found

    def _new_types(self) -> Types:
        search = self.search()
        found = Types(made.types(search), tuple(titles([v.name for v in search.kernel.model.variables], OWN)))
        for part in TABLES:
            (self.folder / part).make()
        publish_types(self.folder, self.sealed, found)
        return found

    @property
    def variables(self) -> tuple[str, ...]:
        """The columns of states that are variables."""
        return self.types.variables

    # ---- reading

    def kept(self, part: str) -> dict[str, tuple[str, ...]]:
        """Names of files of a table, and the columns to be read from each: those that no earlier file has."""
        found: dict[str, tuple[str, ...]] = {}
        for file in sorted(self._files, key=lambda file: (-len(file.columns), file.name)):
            known = {name for names in found.values() for name in names}
            if file.part == part and (own := tuple(name for name in file.columns if name not in known)):
                found[file.name] = own
        return found

    def missing(self, part: str) -> list[str]:
        """The columns of a table that are in no file, in order."""
        there = {name for names in self.kept(part).values() for name in names}
        return [name for name in self.types.schemas[part].names if name not in there]

    def unmade(self, part: str) -> Any:
        """The missing columns of a table, as DuckDB can register them; what is read of them is noted."""
        import pyarrow as pa

        types = pa.schema([self.types.schemas[part].field(name) for name in self.missing(part)])
        rows, exact = self.counts.get(part, FEW), part == "states"
        return Scan(types, rows, exact, lambda names: self._note(part, names)).table()

    def _note(self, part: str, names: Sequence[str]) -> None:
        self._missing.setdefault(part, set()).update(names)

    def note_all(self) -> None:
        """Note everything that is not there as missing."""
        for part in TABLES:
            if names := self.missing(part):
                self._note(part, names)

    # ---- making

    def make(self) -> bool:
        """Make what was noted as missing; False if nothing was.  Raises UsageError, Disagreement."""
        noted, self._missing = self._missing, {}
        missing = {part: [name for name in self.missing(part) if name in noted[part]] for part in noted}
        with work_directory_errors(), folder_errors(self.folder):
            if missing.get("states"):
                self._make_states(missing["states"])
            if any(missing.get(part) for part in TOGETHER):
                self._make_edges()
            if missing.get("outcomes"):
                self._make({"outcomes": made.outcomes(self.search())})
            if missing.get("levels") or missing.get("actions"):
                self._make(made.counted(self.search().work))
        return any(missing.values())

    def _make_states(self, missing: Sequence[str]) -> None:
        """Columns of states; all of them, if most are missing: one file is read faster than several side by side."""
        search, every = self.search(), self.types.schemas["states"].names
        names = every if 2 * len(missing) > len(every) else missing
        with self._making() as write:
            with write("states", names) as writer:
                for piece in search.pieces():
                    writer.write(search.rows.table(piece, names))

    def _make_edges(self) -> None:
        search = self.search()
        made.require_room(search)
        with self._making() as write:
            with write("edges", self.types.schemas["edges"].names, made.EDGES) as writer:
                words = made.write_edges(search, writer)
            with write("steps", self.types.schemas["steps"].names) as writer:
                writer.write(words.table())

    def _make(self, tables: Mapping[str, Any]) -> None:
        with self._making() as write:
            for part, table in tables.items():
                with write(part, table.column_names) as writer:
                    writer.write(table)

    @contextmanager
    def _making(self) -> Iterator[Callable[..., made.Writer]]:
        """A function that begins a file; all files are published at the end, or removed."""
        begun: dict[tuple[str, str], Sequence[str]] = {}

        def write(part: str, columns: Sequence[str], options: Mapping[str, Any] | None = None) -> made.Writer:
            name = new_name()
            begun[part, name] = columns
            return made.Writer(self.folder / part, name, options)

        try:
            yield write
            files = publish_files(self.folder, self.sealed, begun)
        except BaseException:
            for part, name in begun:
                with suppress(OSError):
                    (self.folder / part).remove(name)
            raise
        self._files.extend(files)
