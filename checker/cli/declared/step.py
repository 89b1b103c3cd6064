"""The options of `checker step`."""

from __future__ import annotations

from typing import Any

import click

from checker.cli.options import call, constants_option, trust_option


@click.command()
@click.argument("name", metavar="MODEL", required=False)
@constants_option()
@click.option(
    "--trace",
    metavar="TRACE.json",
    help="Walk through this stored trace, and leave it anywhere; model and constants are its own.",
)
@trust_option
def step(**options: Any) -> int:
    """Execute a model by hand: choose among the enabled actions, see what changes, undo, ask why, save the run as a
    trace.

    Commands come from standard input; `help` lists them.
    """
    return call("checker.cli.step:step", options)
