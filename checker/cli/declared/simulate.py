"""The options of `checker simulate`."""

from __future__ import annotations

from typing import Any

import click

from checker.cli.arguments import SECONDS, Number
from checker.cli.options import call, constants_option, json_option, out_option, properties_option


@click.command()
@click.argument("name", metavar="MODEL")
@constants_option("Set a constant.")
@properties_option("Check this property (may be repeated). Default: all.")
@click.option("--runs", type=Number(1), default=10_000, show_default=True, help="Walks to make.")
@click.option("--steps", type=Number(1), default=1_000, show_default=True, help="Steps after which a walk ends.")
@click.option("--seed", type=Number(0), default=0, show_default=True, help="Another seed makes other walks.")
@click.option("--max-seconds", type=SECONDS, help="Stop after this time.")
@out_option("Write reports of the violation: text, diagram, ITF.")
@json_option
def simulate(**options: Any) -> int:
    """Walk through MODEL at random and check what is met, where there are too many states to explore.

    Exit code 1: a violation was found; 4: none was, which decides nothing.
    """
    return call("checker.cli.simulate:simulate", options)
