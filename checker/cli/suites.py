"""Commands about all models: list, verify, gallery."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from checker.cli.options import MOST_THREADS, build_options, honoured, json_option, limit_options, limits
from checker.results.exit_codes import HOLDS, USAGE, VIOLATED

if TYPE_CHECKING:
    from checker.results.verified import Verified


@click.command("list")
@click.argument("names", nargs=-1, metavar="[MODEL]...")
@json_option
def list_models(names: tuple[str, ...], json_file: str | None) -> int:
    """Show the models: edits, constants with defaults, properties."""
    from checker.analysis.listing import listing
    from checker.cli.output import Output
    from checker.report.listing import listing_data, listing_lines

    (models, problems), output = listing(names), Output(json_file)
    output.print(listing_lines(models, problems, detailed=bool(names)))
    output.write(lambda: listing_data(models, problems))
    return USAGE if problems else HOLDS


@click.command()
@click.argument("names", nargs=-1, metavar="[MODEL]...")
@click.option("--thorough", is_flag=True, help="Include the expectations marked thorough.")
@click.option("--threads", type=click.IntRange(1, MOST_THREADS), default=1, show_default=True)
@click.option("--engine", type=click.Choice(["native", "interpreter"]), default="native", show_default=True)
@honoured
@limit_options
@click.option("--out", metavar="DIR", help="Write reports of each violation, expected ones too.")
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
    from checker.analysis.verify import select, verify_one
    from checker.cli.output import Output
    from checker.cli.reports import report_directory
    from checker.report.data import verified_data
    from checker.report.suites import BuildFiles, suite_of_expectation
    from checker.report.verified import Summary, verified_lines
    from checker.search.deadline import READING, within

    directory, build, suites = (
        report_directory(out),
        BuildFiles(options["junit"], options["sarif"], options["markdown"]),
        [],
    )
    output = Output(json_file, build.printed(json_file))
    with within(limits(options).begun(), "reading the model files", READING):
        cases, without = select(names, thorough)
    if since is not None:
        from checker.analysis.since import touched

        change = touched(cases, since)
        cases = list(change.cases)
        for text in change.texts(since):
            output.line(text, "dim")
    results: list[Verified] = []
    data: list[dict[str, Any]] = []
    for case in cases:
        with output.progress(case.label) as progress:
            result = verify_one(
                case, engine=engine, threads=threads, limits=limits(options), progress=progress, strict=strict
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
    help="Write nothing; exit code 1 if the gallery and the models disagree. Pictures are not compared.",
)
@click.option(
    "--jobs",
    type=click.IntRange(1, MOST_THREADS),
    default=os.cpu_count() or 1,
    show_default="processors",
    help="Searches at the same time.",
)
@click.option(
    "--thorough",
    is_flag=True,
    help="Search again for what only expectations marked thorough show; else such runs are executed again, not "
    "searched for.",
)
@json_option
def gallery(
    names: tuple[str, ...], out: Path, compare_only: bool, jobs: int, thorough: bool, json_file: str | None
) -> int:
    """Write the run, the diagram and a page for every violation that models expect, or compare them with what is there.

    Folders that no expectation asks for any more are removed.
    """
    from checker.cli.gallery import change_lines, compare_gallery, write_gallery
    from checker.cli.output import Output

    changes = (compare_gallery if compare_only else write_gallery)(out, names, jobs, thorough)
    code, output = VIOLATED if compare_only and changes.files else HOLDS, Output(json_file)
    output.print(change_lines(changes, str(out), compare_only))
    files = [{"path": path, "what": what} for path, what in changes.files]
    output.write(lambda: {"directory": str(out), "runs": changes.exhibits, "changes": files, "exit_code": code})
    return code


COMMANDS = (list_models, verify, gallery)
