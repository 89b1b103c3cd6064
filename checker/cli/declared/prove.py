"""The options of `checker prove`."""

from __future__ import annotations

from typing import Any

import click

from checker.cli.arguments import SECONDS, SECONDS_OR_NONE, Number
from checker.cli.options import call, constants_option, json_option, out_option, properties_option


@click.command()
@click.argument("name", metavar="MODEL")
@constants_option()
@properties_option("Prove this one (several: together). Default: every invariant.")
@click.option("--assuming", multiple=True, metavar="NAME", help="Take this property for granted.")
@click.option(
    "--depth", type=Number(0), default=3, show_default=True, help="Largest k of the induction, or longest run."
)
@click.option("--bounded", is_flag=True, help="Only look for violations in runs of up to --depth steps; no induction.")
@click.option(
    "--network",
    type=click.IntRange(1, 1024),
    default=4,
    show_default=True,
    help="Messages in flight that are provided for, on each network.",
)
@click.option("--timeout", type=SECONDS, metavar="SECONDS", help="Give up after this time.")
@click.option(
    "--vacuity",
    type=SECONDS_OR_NONE,
    default=5.0,
    show_default=True,
    metavar="SECONDS",
    help="Time to look for what makes the statement hollow; 0: none.",
)
@out_option("Write reports of the violation, or of the counterexample to induction.")
@json_option
def prove(**options: Any) -> int:
    """Prove invariants of a model by k-induction, for runs of every length, with z3.

    Exit code 0: proved; 1: violated, with the run; 4: not decided, with a counterexample to induction if there is one.
    """
    return call("checker.cli.prove:prove", options)
