"""`checker prove`: invariants for runs of every length."""

from __future__ import annotations

from typing import Any

import click

from checker.analysis.prove.prove import prove as run_prove
from checker.cli.arguments import SECONDS, SECONDS_OR_NONE, Number, constants_of_options, names_of_options
from checker.cli.options import constants_option, json_option, out_option, properties_option, said
from checker.cli.output import Output
from checker.cli.reports import report_directory, told
from checker.cli.searching import read
from checker.report.proof import data, lines
from checker.search.limits import Limits


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
def prove(name: str, json_file: str | None, out: str | None, **options: Any) -> int:
    """Prove invariants of a model by k-induction, for runs of every length, with z3.

    Exit code 0: proved; 1: violated, with the run; 4: not decided, with a counterexample to induction if there is one.
    """
    (entry,) = read([name], Limits(max_seconds=options["timeout"]))
    directory = report_directory(out)
    proof = run_prove(
        entry.cls,
        entry.reference,
        constants_of_options(options["constants"]),
        properties=names_of_options(options["properties"]),
        using=names_of_options(options["assuming"]) or (),
        depth=options["depth"],
        induction=not options["bounded"],
        network=options["network"],
        timeout=options["timeout"],
        vacuity=options["vacuity"],
        progress=said(json_file),
    )
    return told(proof, lines, data, directory, Output(json_file))
