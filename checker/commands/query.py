"""`checker query`: SQL over an explored graph, and its answer as a table or as JSON."""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
from attrs import frozen

from checker.engines.graph_tables import tables
from checker.language.errors import UsageError

WIDEST = 60


@frozen
class Answer:
    """Rows of a query; `more`: there were more than asked for."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    more: bool


def query(workdir: Path | str, sql: str, master: str, limit: int) -> Answer:
    """Run SQL over `states`, `edges`, `levels` and `actions` of a stored search.  UsageError if it is no valid
    query."""
    session = tables(workdir, master)["levels"].sparkSession
    from pyspark.errors import PySparkException

    logging.getLogger("SQLQueryContextLogger").disabled = True  # it logs the stack of every wrong query
    try:
        frame = session.sql(sql)
        rows = frame.limit(limit + 1).collect()
    except PySparkException as error:
        raise UsageError(
            f"Spark SQL: {str(error).splitlines()[0]}",
            remedy="Tables: states, edges, levels, actions. DESCRIBE states shows the columns.",
        ) from None
    return Answer(tuple(frame.columns), tuple(map(tuple, rows[:limit])), len(rows) > limit)


def print_answer(answer: Answer, json_file: str | None) -> None:
    """Columns aligned, long texts cut; or everything as JSON."""
    if json_file is not None:
        from checker.commands.json_output import write

        write(json_file, [dict(zip(answer.columns, map(_plain, row))) for row in answer.rows])
        return
    cells = [answer.columns, *(tuple(map(_text, row)) for row in answer.rows)]
    widths = [max(len(row[i]) for row in cells) for i in range(len(answer.columns))]
    for number, row in enumerate(cells):
        values: Sequence[Any] = answer.columns if number == 0 else answer.rows[number - 1]
        parts = [
            cell.rjust(w) if isinstance(value, int | float) else cell.ljust(w)
            for cell, value, w in zip(row, values, widths)
        ]
        click.echo("  ".join(parts).rstrip())
        if number == 0:
            click.echo("  ".join("-" * w for w in widths))
    if answer.more:
        click.echo(f"... only the first {len(answer.rows)} rows; --limit shows more")


def _plain(value: Any) -> Any:
    return bytes(value).hex() if isinstance(value, bytes | bytearray) else value


def _text(value: Any) -> str:
    plain = _plain(value)
    text = "" if plain is None else plain if isinstance(plain, str) else json.dumps(plain, default=str)
    return text if len(text) <= WIDEST else text[: WIDEST - 3] + "..."
