"""The options of `checker replay`."""

from __future__ import annotations

from typing import Any

import click

from checker.cli.options import call, group_option, json_option, trust_option


@click.command()
@click.argument("traces", nargs=-1, required=True, metavar="TRACE.json...")
@group_option("Show each that is confirmed with steps that commute reordered, those of each process together.")
@trust_option
@json_option
def replay(**options: Any) -> int:
    """Execute stored traces again: is each still a behaviour of its model, and does it still show what it showed?  Of
    several the worst result is the exit code."""
    return call("checker.cli.replay:replay", options)
