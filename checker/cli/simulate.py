"""`checker simulate`: random runs, where there are too many states to explore."""

from __future__ import annotations

from typing import Any

import click

from checker.analysis.simulate import simulation
from checker.cli.arguments import SECONDS, Number, constants_of_options, names_of_options
from checker.cli.options import constants_option, json_option, out_option, properties_option
from checker.cli.output import Output
from checker.cli.reports import report_directory, told
from checker.cli.searching import read
from checker.report.found import simulation_data, simulation_lines
from checker.search.limits import Limits


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
def simulate(name: str, out: str | None, json_file: str | None, **options: Any) -> int:
    """Walk through MODEL at random and check what is met, where there are too many states to explore.

    Exit code 1: a violation was found; 4: none was, which decides nothing.
    """
    given = Limits(max_seconds=options["max_seconds"]).begun()
    (entry,), directory = read([name], given), report_directory(out)
    found = simulation(
        entry.cls,
        entry.reference,
        constants_of_options(options["constants"]),
        only=names_of_options(options["properties"]),
        runs=options["runs"],
        depth=options["steps"],
        seed=options["seed"],
        limits=given,
    )
    return told(found, simulation_lines, simulation_data, directory, Output(json_file))
