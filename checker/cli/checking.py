"""What `check` and `resume` share: a search with what is asked for besides its verdict, and its report."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import evolve

from checker.analysis.check import Examined, examine
from checker.analysis.coverage import LIMITS, with_coverage, with_profile
from checker.analysis.vacuity.states import with_first_states, with_states
from checker.catalogue import Entry
from checker.cli.output import Output
from checker.cli.searching import progress
from checker.report.checked import check_lines
from checker.report.data import Files, report_data
from checker.results.checked import Report
from checker.search.deadline import OutOfTime, within
from checker.search.limits import NO_LIMITS, Limits

ADVICE_SECONDS = 6.0
"""How long a profile that nobody asked for may take, where a limit ended the search."""


def searched(entry: Entry, constants: Mapping[str, Any], options: dict[str, Any], **request: Any) -> Report:
    """Search a model as the options of its command say; the report with what they ask for."""
    with progress(options["json_file"]) as told:
        examined = examine(
            entry.cls,
            entry.reference,
            constants,
            engine=options["engine"],
            threads=options["threads"],
            progress=told,
            **request,
        )
        return _answered(examined, constants, options, told)


def _answered(examined: Examined, given: Mapping[str, Any], options: dict[str, Any], progress: Any) -> Report:
    """The report with what these options ask for, and a profile where a limit ended the search."""
    coverage = options["strict"] or options["coverage"]
    asked = coverage or options["profile"]
    more = with_states if asked else with_first_states if examined.report.bound in LIMITS else None
    try:
        with within(NO_LIMITS if asked else Limits(max_seconds=ADVICE_SECONDS).begun(), "making a profile"):
            if more is not None:
                examined = more(examined)
            if coverage:
                progress.say("coverage: conditions of properties, parts of guards")
                examined = evolve(examined, report=with_coverage(examined, options["strict"]))
            return with_profile(examined, given, options["profile"], progress.say)
    except OutOfTime:
        return examined.report


def tell(report: Report, files: Files, output: Output) -> None:
    """Print a check, and keep its data."""
    output.gather(report.exit_code, lambda: report_data(report, files))
    if not output.quiet:
        output.print(check_lines(report, files))
