"""`checker verify`: the expectations that models state."""

from __future__ import annotations

from typing import Any

import click

from checker.analysis.since import touched
from checker.analysis.verify import select, verify_one
from checker.cli.options import MOST_THREADS, build_options, honoured, json_option, limit_options, out_option
from checker.cli.output import Output
from checker.cli.reports import report_directory
from checker.cli.searching import limits, progress
from checker.report.data import verified_data
from checker.report.suites import BuildFiles, suite_of_expectation
from checker.report.verified import Summary, verified_lines
from checker.results.verified import Verified
from checker.search.deadline import READING, within


@click.command()
@click.argument("names", nargs=-1, metavar="[MODEL]...")
@click.option("--thorough", is_flag=True, help="Include the expectations marked thorough.")
@click.option("--threads", type=click.IntRange(1, MOST_THREADS), default=1, show_default=True)
@click.option("--engine", type=click.Choice(["native", "interpreter"]), default="native", show_default=True)
@honoured
@limit_options()
@out_option("Write reports of each violation, expected ones too.")
@click.option(
    "--since",
    metavar="REVISION",
    help="Only what has changed since this branch left a git revision: models, their bases and properties.",
)
@click.option(
    "--strict",
    is_flag=True,
    help="Exit code 3 if something holds as expected, but for want of anything to judge: each finding is named.",
)
@build_options
@json_option
def verify(
    names: tuple[str, ...],
    thorough: bool,
    threads: int,
    engine: str,
    out: str | None,
    since: str | None,
    strict: bool,
    json_file: str | None,
    **options: Any,
) -> int:
    """Check every model and edit that states an expected verdict.  A name stands for a model with all its edits, a
    folder for all models in it.

    Limits hold for the search of each expectation.  What a limit leaves undecided is not met: exit code 4, or 1 if
    another expectation is contradicted.
    """
    directory, suites = report_directory(out), []
    build = BuildFiles(options["junit"], options["sarif"], options["markdown"])
    output = Output(json_file, build.printed(json_file))
    with within(limits(options).begun(), "reading the model files", READING):
        cases, without = select(names, thorough)
    if since is not None:
        change = touched(cases, since)
        cases = list(change.cases)
        for text in change.texts(since):
            output.line(text, "dim")
    results: list[Verified] = []
    data: list[dict[str, Any]] = []
    for case in cases:
        with progress(json_file) as shown:
            result = verify_one(
                case, engine=engine, threads=threads, limits=limits(options), progress=shown, strict=strict
            )
        files = directory.write(result.report) if result.report else {}
        output.print(verified_lines(result, files))
        results.append(result)
        if json_file is not None:
            data.append(verified_data(result, files))
        suites += [suite_of_expectation(result, files)] if build.wanted else []
        if result.interrupted:
            break
    build.write(suites)
    summary = Summary(results, without, left=len(cases) - len(results))
    output.print(summary.lines())
    output.write(lambda: summary.data(data))
    return summary.exit_code
