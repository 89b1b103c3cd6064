"""`checker query`: questions about the graph that a search has kept."""

from __future__ import annotations

from checker.analysis.query import query as run_query
from checker.cli.output import Output
from checker.report.data import write
from checker.report.found import table_data, table_lines
from checker.results.exit_codes import HOLDS


def query(workdir: str, sql: str, master: str, limit: int, json_file: str | None) -> int:
    found = run_query(workdir, sql, master, limit)
    if json_file is not None:
        write(json_file, table_data(found))
    else:
        Output().print(table_lines(found))
    return HOLDS
