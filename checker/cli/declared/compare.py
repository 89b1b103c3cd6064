"""The options of `checker compare`."""

from __future__ import annotations

from typing import Any

import click

from checker.cli.arguments import SECONDS_OR_NONE, Number
from checker.cli.options import Decorator, call, json_option, markdown_option, out_option, search_options

SEARCH_SECONDS = 120.0  # on each side: enough for some ten million states


def _seconds(option: str, name: str, default: float, help: str) -> Decorator:
    return click.option(
        option, name, type=SECONDS_OR_NONE, default=default, show_default=True, metavar="SECONDS", help=help
    )


@click.command()
@click.argument("base", metavar="BASE")
@click.argument("edit", metavar="[EDIT]", required=False)
@click.option("--against", metavar="REVISION", help="Compare the one model with its file at this git revision.")
@search_options(seconds=SEARCH_SECONDS)
@click.option(
    "--all",
    "everything",
    is_flag=True,
    help="Print every run, not only the one that tells most, and all differences of source.",
)
@_seconds("--rules", "rule_seconds", 10.0, "Time for z3 on each rule; 0: none.")
@_seconds("--steps", "step_seconds", 5.0, "Time for comparing steps one by one; 0: none.")
@_seconds("--events", "event_seconds", 10.0, "Time for comparing all sequences of events; 0: none.")
@click.option(
    "--runs",
    "most_runs",
    type=Number(0),
    default=100,
    show_default=True,
    metavar="N",
    help="Kinds of outcome that came, and that went, shown with a run.",
)
@_seconds("--delays", "delay_seconds", 10.0, "Time for delays over all runs, on each side; 0: shortest runs only.")
@markdown_option("Write the comparison as Markdown.")
@out_option("Write the page of the comparison, and reports of every run in it.")
@json_option
def compare(**options: Any) -> int:
    """Compare a protocol with an edited one: source, verdicts, outcomes, and the first step that was not allowed
    before.

    With one MODEL:Class, that class is compared with the model it edits.  Exit code 1 if the edit breaks a property
    that the base satisfies.
    """
    return call("checker.cli.compare:compare", options)
