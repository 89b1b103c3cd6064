"""The options of `checker explore`."""

from __future__ import annotations

from typing import Any

import click

from checker.cli.arguments import SECONDS
from checker.cli.options import call, constants_option, properties_option, trust_option


@click.command()
@click.argument("name", metavar="MODEL|TRACE.json")
@constants_option()
@properties_option("Watch only this property (several: repeat, or separate by commas).")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=0, metavar="N", help="Listen on this port. [default: a free one]"
)
@click.option("--no-browser", is_flag=True, help="Only print the address of the page.")
@click.option(
    "--max-seconds",
    type=SECONDS,
    default=20.0,
    show_default=True,
    help="Stop a search for the nearest state of a predicate after this time.",
)
@trust_option
def explore(**options: Any) -> int:
    """Walk through the runs of a model in the browser: choose among the enabled steps, go back, see what each changes
    and what blocks the others.

    A stored trace is a run to begin with; model and constants are its own. The page is served on this machine only, to
    whoever knows the address that is printed. Ctrl-C ends it.
    """
    return call("checker.cli.explore:explore", options)
