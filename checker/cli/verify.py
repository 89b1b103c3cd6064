"""`checker verify`: the expectations that models state."""

from __future__ import annotations

from typing import Any

from checker.analysis.since import touched
from checker.analysis.verify import select, verify_one
from checker.cli.output import Output
from checker.cli.reports import report_directory
from checker.cli.searching import limits, progress
from checker.report.data import verified_data
from checker.report.suites import BuildFiles, suite_of_expectation
from checker.report.verified import Summary, verified_lines
from checker.results.verified import Verified
from checker.search.deadline import READING, within


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
    """Do what these options say; the exit code."""
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
