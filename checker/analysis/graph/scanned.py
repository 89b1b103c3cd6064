"""Columns that have not been made yet, as DuckDB knows them: their types and the number of their rows.

DuckDB 2 takes an object of pyarrow's class `Table`.  It asks it for its columns and, to order joins, for its number of
rows; for each scan of a question it calls `select` with the places of the columns that the question reads, possibly in
a thread of its own.  An error there becomes one of DuckDB.  No table is behind the object here, so that nothing but
these methods may be called; DuckDB 1 calls others.

DuckDB counts rows by reading the first column; a column of nulls in front is there for that.  The number of rows only
orders joins (DuckDB 2.0): it may be an estimate, and then nothing is counted without being made.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from attrs import frozen

ROWS = "\n"
"""The name of the column in front; no column of a table has such a name."""


class NotMade(Exception):
    """A question reads columns that have not been made yet."""


@frozen(eq=False)
class Scan:
    """What a scan calls.  types: an Arrow schema; rows: how many, exactly or about; note: takes the columns that a
    question reads.
    """

    types: Any
    rows: int
    exact: bool
    note: Callable[[Sequence[str]], None]

    def table(self) -> Any:
        """The columns, as DuckDB can register them."""
        import pyarrow as pa

        types = pa.schema([(ROWS, pa.bool_()), *self.types])

        class Unmade(pa.Table):  # type: ignore[misc]
            """A table without content."""

            def __init__(self) -> None:
                pass  # that of Table refuses

            def __len__(self) -> int:
                return scan.rows

            @property
            def schema(self) -> Any:
                return types

            def select(self, columns: Sequence[int]) -> Any:
                return scan.read([types.names[place] for place in columns])

            def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
                return scan.read(types.names).__arrow_c_stream__(requested_schema)

        scan = self
        return Unmade()

    def read(self, names: Sequence[str]) -> Any:
        """The rows without content, to be counted.  Raises NotMade if a question reads columns, or must count."""
        import pyarrow as pa

        wanted = [name for name in names if name != ROWS]
        if wanted or not self.exact:
            self.note(wanted or self.types.names)
            raise NotMade("columns have not been made yet")
        return pa.table({ROWS: pa.nulls(self.rows, pa.bool_())})
