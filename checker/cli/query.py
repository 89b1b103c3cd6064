"""`checker query`: questions about the graph that a search has kept."""

from __future__ import annotations

import click

from checker.analysis.query import query as run_query
from checker.cli.options import json_option, trust_option
from checker.cli.output import Output
from checker.report.data import write
from checker.report.found import table_data, table_lines
from checker.results.exit_codes import HOLDS


@click.command()
@click.argument("workdir", metavar="WORKDIR")
@click.argument("sql", metavar="SQL")
@click.option("--master", default="local[*]", show_default=True, help="The Spark that answers.")
@click.option(
    "--limit", type=click.IntRange(1, 1_000_000), default=100, show_default=True, help="Show at most so many rows."
)
@trust_option
@json_option
def query(workdir: str, sql: str, master: str, limit: int, json_file: str | None) -> int:
    """Ask about the explored graph in Spark SQL: tables states, edges, levels and actions.

    For example: checker query DIR "SELECT level, count(*) FROM states WHERE quiescent GROUP BY level"
    """
    found = run_query(workdir, sql, master, limit)
    if json_file is not None:
        write(json_file, table_data(found))
    else:
        Output().print(table_lines(found))
    return HOLDS
