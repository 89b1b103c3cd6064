"""The options of `checker check`."""

from __future__ import annotations

from typing import Any

import click

from checker.cli.options import (
    asking,
    build_options,
    call,
    group_option,
    json_option,
    out_option,
    properties_option,
    reduce_option,
    search_options,
    spark_options,
)
from checker.engines.registry import ENGINES


@click.command()
@click.argument("names", nargs=-1, required=True, metavar="MODEL...")
@search_options(ENGINES, spills=True)
@spark_options
@click.option(
    "--workdir",
    metavar="DIR",
    help="Keep finished levels there (a directory or a URL); `checker resume DIR` goes on. Spark's executors must see "
    "it.",
)
@click.option(
    "--keep-graph", is_flag=True, help="Also keep states and edges there as Parquet, for `checker query DIR`."
)
@properties_option()
@click.option(
    "--all",
    "everything",
    is_flag=True,
    help="Do not stop at the first violation: each property gets its own shortest trace.",
)
@reduce_option("Leave out steps that do not change the verdicts: fewer states, the same answers.")
@group_option("Reorder steps of a trace that commute, so that those of each process stand together.")
@asking
@out_option("Write reports of each violation: text, diagram, ITF.")
@build_options
@json_option
def check(**options: Any) -> int:
    """Explore every reachable state of the models and report each property.

    MODEL is a name (see `checker list`), NAME:Class for an edit, or path/to/file.py[:Class].
    """
    return call("checker.cli.check:check", options)
