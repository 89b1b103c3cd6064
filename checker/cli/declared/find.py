"""The options of `checker find`."""

from __future__ import annotations

from typing import Any

import click

from checker.cli.options import call, json_option, out_option, reduce_option, search_options


@click.command()
@click.argument("name", metavar="MODEL")
@click.argument("predicate")
@search_options()
@click.option("--at-end", is_flag=True, help="Only states in which nothing but faults is enabled.")
@reduce_option("Leave out steps that do not change whether there is such a state.")
@out_option("Write reports of the run.")
@json_option
def find(**options: Any) -> int:
    """Find a shortest run to a state that satisfies PREDICATE, for example 'any(len(delivered[p]) == 2 for p in
    Process)'.

    Exit code 0: found; 1: no reachable state satisfies it; 4: the search was stopped before that was decided.
    """
    return call("checker.cli.find:find", options)
