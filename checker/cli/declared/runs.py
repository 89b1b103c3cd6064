"""The options of the commands about one run: stored traces, and a run chosen by hand."""

from __future__ import annotations

from typing import Any

import click

from checker.cli.arguments import SECONDS, Number
from checker.cli.options import (
    command,
    constants_option,
    flag,
    json_option,
    option,
    out_option,
    properties_option,
    trust_option,
)


@command
@click.argument("traces", nargs=-1, required=True, metavar="TRACE.json...")
@flag("--group", "Show each confirmed run with commuting steps reordered: those of each process together.")
@trust_option
@json_option
def replay(**options: Any) -> None:
    """Execute stored traces again: is each still a behaviour of its model, with the same finding?  The exit code is
    that of the worst result.
    """


@command
@click.argument("traces", nargs=-1, required=True, metavar="TRACE.json...")
@out_option("Write the reports of the traces again.")
@trust_option
@json_option
def show(**options: Any) -> None:
    """Print stored traces."""


@command
@click.argument("trace", metavar="TRACE.json")
@click.argument("words", nargs=-1, metavar="[-- VALUE...]")
@option("--step", "The state after this step; 0 is the initial state.  [default: the last]", type=Number(0))
@option("--action=NAME", "Only this action, every instance of it.")
@option("--condition=PREDICATE", "Also why this predicate is true or false there: 'deliverable(p2, m1.1)'.")
@flag(
    "--group", "First reorder commuting steps, so that those of each process are adjacent; --step counts the new order."
)
@out_option("Write the reports of the trace again; the page answers the question at each step.")
@trust_option
@json_option
def explain(**options: Any) -> None:
    """Why not?  For a state of a stored trace: each action that is not enabled, with the part of its guard that blocks
    it and the values.

    VALUES choose instances: checker explain trace.itf.json --step 7 --action deliver -- p2 m1.1
    """


@command
@click.argument("name", metavar="MODEL", required=False)
@constants_option()
@option("--trace=TRACE.json", "Walk through this stored trace and leave it at any step; it names model and constants.")
@trust_option
def step(**options: Any) -> None:
    """Execute a model by hand: choose among the enabled actions, see what changes, undo, ask why, save the run as a
    trace.

    Commands come from standard input; `help` lists them.
    """


@command
@click.argument("name", metavar="MODEL|TRACE.json")
@constants_option()
@properties_option(help="Watch only this property (several: repeat, or separate by commas).")
@option(
    "--port=N",
    "Listen on this port. [default: a free one]",
    type=click.IntRange(0, 65535),
    default=0,
    show_default=False,
)
@flag("--no-browser", "Only print the address of the page.")
@option(
    "--max-seconds", "Stop a search for the nearest state of a predicate after this time.", type=SECONDS, default=20.0
)
@trust_option
def explore(**options: Any) -> None:
    """Walk through the runs of a model in the browser: choose among the enabled steps, go back, see what each changes
    and what blocks the others.

    With a stored trace the page begins with its run, model and constants. The page is served on this machine only, to
    users who know the printed address. Ctrl-C ends it.
    """


@command
@option(
    "--max-seconds",
    "End the search of each expectation after this time.",
    type=SECONDS,
    default=10.0,
    show_default=True,
)
def lsp(**options: Any) -> None:
    """Serve an editor on standard input and output, by the Language Server Protocol.

    When a model file is opened or saved: its errors, at their lines.  For a name: the type of a variable, in how many
    states an action is enabled or a rule true.  For an error with a mechanical remedy: an edit.  Needs `pip install
    'path/to/clone[editor]'`.
    """
