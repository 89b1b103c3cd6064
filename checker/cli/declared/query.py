"""The options of `checker query`."""

from __future__ import annotations

from typing import Any

import click

from checker.cli.options import call, json_option, trust_option


@click.command()
@click.argument("workdir", metavar="WORKDIR")
@click.argument("sql", metavar="SQL")
@click.option("--master", default="local[*]", show_default=True, help="The Spark that answers.")
@click.option(
    "--limit", type=click.IntRange(1, 1_000_000), default=100, show_default=True, help="Show at most so many rows."
)
@trust_option
@json_option
def query(**options: Any) -> int:
    """Ask about the explored graph in Spark SQL: tables states, edges, levels and actions.

    For example: checker query DIR "SELECT level, count(*) FROM states WHERE quiescent GROUP BY level"
    """
    return call("checker.cli.query:query", options)
