"""The options of `checker compare`."""

from __future__ import annotations

from typing import Any

import click

from checker.cli.arguments import SECONDS_OR_NONE, Number
from checker.cli.options import Decorator, call, json_option, markdown_option, out_option, reduce_option, search_options

SEARCH_SECONDS = 120.0  # on each side: enough for some ten million states
WITHIN_SECONDS = 60.0


def _seconds(option: str, name: str, default: float, help: str) -> Decorator:
    return click.option(
        option, name, type=SECONDS_OR_NONE, default=default, show_default=True, metavar="SECONDS", help=help
    )


@click.command()
@click.argument("base", metavar="BASE")
@click.argument("edit", metavar="[EDIT]", required=False)
@click.option(
    "--against",
    metavar="REVISION|MODEL",
    help="Compare with this git revision of the file (with EDIT: of the file of BASE), or with another model.",
)
@click.option(
    "-D",
    "varied",
    multiple=True,
    metavar="NAME=VALUES",
    help="Instead of the configurations that the models state: these values of a constant, several as in a sweep: "
    "workload='1..2 over 2..3'.",
)
@click.option("--here", is_flag=True, help="Compare with the default constants only.")
@_seconds("--within", "within", WITHIN_SECONDS, "Time for all configurations but the first.")
@search_options(constants=False, seconds=SEARCH_SECONDS)
@reduce_option("Search for verdicts and outcomes without steps that do not change them, where that can be.")
@click.option(
    "--all",
    "everything",
    is_flag=True,
    help="Print the whole report after the first screen: source, rules, outcomes, costs, and every run.",
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
    """Compare a protocol with an edited one: source, verdicts, outcomes, events, and the first step that was not
    allowed before.

    With one MODEL:Class, that class is compared with the model it edits, in whatever file that is. Compared are the
    default constants and all that the two state in `expect`, the smallest first, as far as the time reaches; the
    first configuration in which a property breaks, else something differs, is shown. Exit code 1 if the edit breaks a
    property that the base satisfies.
    """
    return call("checker.cli.compare:compare", options)
