"""`checker verify`: the expectations that models state."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from typing import Any

from attrs import define, field

from checker.analysis.since import touched
from checker.analysis.verify import select
from checker.analysis.verify_all import verify_all
from checker.analysis.workers import interrupted_once
from checker.cli.options import processors
from checker.cli.output import Output
from checker.cli.reports import report_directory
from checker.cli.searching import limits, progress
from checker.report.data import verified_data
from checker.report.directory import ReportDirectory
from checker.report.suite import Suite
from checker.report.suites import BuildFiles, suite_of_expectation
from checker.report.verified import Summary, verified_lines
from checker.results.verified import Case, Verified
from checker.search.deadline import READING, within


def verify(
    names: tuple[str, ...],
    thorough: bool,
    jobs: int | None,
    threads: int,
    engine: str,
    out: str | None,
    since: str | None,
    strict: bool,
    json_file: str | None,
    **options: Any,
) -> int:
    """Do what these options say; the exit code."""
    directory = report_directory(out)
    build = BuildFiles(options["junit"], options["sarif"], options["markdown"])
    output = Output(json_file, build.printed(json_file))
    with within(limits(options).begun(), "reading the model files", READING):
        cases, without = select(names, thorough)
    if since is not None:
        change = touched(cases, since)
        cases = list(change.cases)
        for text in change.texts(since):
            output.line(text, "dim")
    told = Told(directory, output, json_file is not None, build.wanted)
    shown = progress(json_file)
    verified = verify_all(
        cases,
        jobs=jobs or max(1, processors() // threads),
        strict=strict,
        announce=lambda *running: shown.say(_so_far(*running)),
        engine=engine,
        threads=threads,
        limits=limits(options),
        progress=shown,
    )
    with interrupted_once(), shown, closing(verified):
        try:
            for result in verified:
                shown.clear()
                told.add(result)
                if result.interrupted:
                    break
        except KeyboardInterrupt:
            if not told.results:
                raise
        build.write(told.suites)
        summary = Summary(told.results, without, left=len(cases) - len(told.results))
        output.print(summary.lines())
        output.write(lambda: summary.data(told.data))
        return summary.exit_code


@define
class Told:
    """The results so far: each is printed, with its reports written, when it comes."""

    directory: ReportDirectory
    output: Output
    as_data: bool
    as_suites: bool
    results: list[Verified] = field(init=False, factory=list)
    data: list[dict[str, Any]] = field(init=False, factory=list)
    suites: list[Suite] = field(init=False, factory=list)

    def add(self, result: Verified) -> None:
        """One more, in order."""
        files = self.directory.write(result.report) if result.report else {}
        self.output.print(verified_lines(result, files))
        self.results.append(result)
        if self.as_data:
            self.data.append(verified_data(result, files))
        if self.as_suites:
            self.suites.append(suite_of_expectation(result, files))


def _so_far(done: int, all: int, running: Sequence[Case]) -> str:
    return f"{done} of {all} expectations" + "".join(f"; {case.label}" for case in running)
