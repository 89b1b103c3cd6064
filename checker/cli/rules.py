"""`checker rules`: the rules of two models over all states of their types, by z3."""

from __future__ import annotations

from typing import Any

import click

from checker.analysis.compare.comparison import Side
from checker.analysis.compare.family import compare_family
from checker.analysis.sweep.choices import choices_of
from checker.catalogue import find
from checker.cli.arguments import SECONDS, constants_of_options, names_of_options
from checker.cli.options import constants_option, json_option, said
from checker.cli.output import Output
from checker.report.compare.family_table import family_data, family_lines, label


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
def rules(base: str, edit: str, json_file: str | None, **options: Any) -> int:
    """Compare the rules of two models by z3 over all states of their types, for a family of constants.  Nothing is
    explored.

    Exit code 0: every rule is the same in every state; 1: some rule differs, with a state that shows it; 4: not
    decided.
    """
    sides = (Side(find(base).cls, base), Side(find(edit).cls, edit))
    output, each, say = Output(json_file), choices_of(options["each"], "--each"), said(json_file)
    family = compare_family(
        *sides,
        constants_of_options(options["constants"]),
        each,
        assuming=options["assuming"],
        only=names_of_options(options["rules"]),
        seconds=options["seconds"],
        progress=lambda varied: say(label(varied)),
    )
    output.print(family_lines(family))
    output.write(lambda: family_data(family))
    return family.exit_code
