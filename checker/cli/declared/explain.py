"""The options of `checker explain`."""

from __future__ import annotations

from typing import Any

import click

from checker.cli.arguments import Number
from checker.cli.options import call, group_option, json_option, out_option, trust_option


@click.command()
@click.argument("trace", metavar="TRACE.json")
@click.argument("words", nargs=-1, metavar="[-- VALUE...]")
@click.option("--step", type=Number(0), help="The state after this step; 0 is the start.  [default: the last]")
@click.option("--action", metavar="NAME", help="Only this action, every instance of it.")
@click.option(
    "--condition",
    metavar="PREDICATE",
    help="Also why this is true or false there, as in `checker find`: 'deliverable(p2, m1.1)'.",
)
@group_option(
    "First reorder steps that commute, so that those of each process stand together; --step counts the new order."
)
@out_option("Make the reports of the trace again, there; the page answers the question at each step.")
@trust_option
@json_option
def explain(**options: Any) -> int:
    """Why not?  For a state of a stored trace: each action that is not enabled, with the part of its guard that blocks
    it and the values.

    VALUES choose instances: checker explain trace.itf.json --step 7 --action deliver -- p2 m1.1
    """
    return call("checker.cli.explain:explain", options)
