"""The options of `checker verify`."""

from __future__ import annotations

from typing import Any

import click

from checker.cli.options import (
    MOST_THREADS,
    build_options,
    call,
    honoured,
    jobs_option,
    json_option,
    limit_options,
    out_option,
    reduce_option,
)


@click.command()
@click.argument("names", nargs=-1, metavar="[MODEL]...")
@click.option("--thorough", is_flag=True, help="Include the expectations marked thorough.")
@jobs_option("Expectations checked at the same time; results do not depend on it.", "processors / threads")
@click.option("--threads", type=click.IntRange(1, MOST_THREADS), default=1, show_default=True)
@click.option("--engine", type=click.Choice(["native", "interpreter"]), default="native", show_default=True)
@honoured
@limit_options()
@out_option("Write reports of each violation that is not expected.")
@click.option(
    "--all",
    "everything",
    is_flag=True,
    help="With --out: reports of all runs that are found, also those that are expected.",
)
@click.option(
    "--since",
    metavar="REVISION",
    help="Only what has changed since this branch left a git revision: models, their bases and properties.",
)
@reduce_option("Leave out steps that do not change verdicts; what states counts or a violation is searched in full.")
@click.option(
    "--strict",
    is_flag=True,
    help="Exit code 3 if something holds as expected, but for want of anything to judge: each finding is named.",
)
@click.option(
    "--comment",
    metavar="FILE",
    help="With --since: write what the change does, as Markdown for one comment of less than 10,000 characters.",
)
@click.option("--link", metavar="URL", help="With --comment: where the full report is.")
@build_options
@json_option
def verify(**options: Any) -> int:
    """Check every model and edit that states an expected verdict.  A name stands for a model with all its edits, a
    folder for all models in it.

    Limits hold for the search of each expectation.  What a limit leaves undecided is not met: exit code 4, or 1 if
    another expectation is contradicted.  Ctrl-C ends it with the expectations that are done; the exit code is then 4
    or worse, or 130 if none is.
    """
    return call("checker.cli.verify:verify", options)
