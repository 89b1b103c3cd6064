"""The options of `checker gallery`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from checker.cli.options import call, jobs_option, json_option


@click.command()
@click.argument("names", nargs=-1, metavar="[MODEL]...")
@click.option(
    "--out",
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("counterexamples"),
    show_default=True,
)
@click.option(
    "--check",
    "compare_only",
    is_flag=True,
    help="Write nothing; exit code 1 if the gallery and the models disagree. Of a picture only the diagram that it "
    "shows is compared.",
)
@jobs_option("Searches at the same time.")
@click.option(
    "--thorough",
    is_flag=True,
    help="Search again for what only expectations marked thorough show; else such runs are executed again, not "
    "searched for.",
)
@json_option
def gallery(**options: Any) -> int:
    """Write the run and the diagram of every violation that models expect, and a page for each model, or compare them
    with what is there.

    Runs that no expectation asks for any more are removed.
    """
    return call("checker.cli.gallery:gallery", options)
