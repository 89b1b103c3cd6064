"""The options of `checker rules`."""

from __future__ import annotations

from typing import Any

import click

from checker.cli.arguments import SECONDS
from checker.cli.options import call, constants_option, json_option


@click.command()
@click.argument("base", metavar="BASE")
@click.argument("edit", metavar="EDIT")
@constants_option()
@click.option(
    "--each",
    multiple=True,
    metavar="NAME=VALUES",
    help="Try several: phi=1..4, workload=1x3..8 (as many ones), channels=fifo|unordered.",
)
@click.option(
    "--rule", "rules", multiple=True, metavar="NAME", help="Only this rule (several: repeat, or separate by commas)."
)
@click.option("--assuming", metavar="PREDICATE", help="Only states that satisfy this, as in `checker find`.")
@click.option("--seconds", type=SECONDS, default=20.0, show_default=True, help="Time for each rule.")
@json_option
def rules(**options: Any) -> int:
    """Compare the rules of two models by z3 over all states of their types, for a family of constants.  Nothing is
    explored.

    Exit code 0: every rule is the same in every state; 1: some rule differs, with a state that shows it; 4: not
    decided.
    """
    return call("checker.cli.rules:rules", options)
