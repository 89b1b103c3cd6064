"""The common part of `check` and `resume`: a search with the requested additions to its verdict, and its report."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from typing import Any

import click
from attrs import evolve

from checker.analysis.check import Examined, examine
from checker.analysis.vacuity.unasked import with_unasked
from checker.bound import LIMITS
from checker.catalogue import Entry
from checker.cli.output import Output
from checker.cli.searching import progress
from checker.engines.placement import Placement
from checker.engines.registry import ENGINES
from checker.language.distributed import Distributed, beyond
from checker.language.errors import UsageError
from checker.report.checked import check_lines
from checker.report.data import Files, report_data
from checker.results.checked import Report
from checker.search.deadline import OutOfTime, within
from checker.search.limits import NO_LIMITS, Limits

ADVICE_SECONDS = 6.0
"""The time of a profile that was not requested, after a limit ended the search."""


BREAKPOINTS = (
    "a debugger is attached: compiled code searches, so breakpoints in the model are hit only where the interpreter "
    "executes a sample again; --engine interpreter hits them in every step"
)


def debugged() -> bool:
    """Whether a debugger runs this process: pdb by a trace function, debugpy and PyCharm by pydevd."""
    monitoring = getattr(sys, "monitoring", None)
    tool = None if monitoring is None else monitoring.get_tool(monitoring.DEBUGGER_ID)
    return tool is not None or getattr(sys.gettrace(), "__module__", "") == "bdb" or "pydevd" in sys.modules


def searched(
    entry: Entry, constants: Mapping[str, Any], options: dict[str, Any], output: Output, **request: Any
) -> Report:
    """Search a model with the options of its command; the report with the requested additions."""
    if debugged() and not ENGINES[options["engine"]].interprets:
        click.echo(BREAKPOINTS, err=True)
    with progress(options["json_file"]) as told:
        examined = examine(
            entry.cls,
            entry.reference,
            constants,
            engine=options["engine"],
            threads=options["threads"],
            progress=told,
            meanwhile=output.prepare,
            announce=told.say,
            **request,
        )
        if issubclass(entry.cls, Distributed):
            for text in beyond(examined.definition.constants):
                output.line(f"note: {text}", "yellow")
        return _answered(examined, constants, options, told)


def _answered(examined: Examined, given: Mapping[str, Any], options: dict[str, Any], progress: Any) -> Report:
    """The report with the additions that these options request, and a profile if a limit ended the search."""
    coverage = options["strict"] or options["coverage"]
    asked = coverage or options["profile"]
    if not coverage:
        examined = evolve(examined, report=with_unasked(examined))
    if not asked and examined.report.bound not in LIMITS:
        return examined.report
    from checker.analysis.coverage import with_coverage, with_profile
    from checker.analysis.vacuity.states import with_first_states, with_states

    more, began = with_states if asked else with_first_states, time.perf_counter()
    try:
        with within(NO_LIMITS if asked else Limits(max_seconds=ADVICE_SECONDS).begun(), "making a profile"):
            examined = more(examined) if asked or examined.report.bound in LIMITS else examined
            if coverage:
                progress.say("coverage: conditions of properties, parts of guards")
                examined = evolve(examined, report=with_coverage(examined, options["strict"]))
            return with_profile(examined, given, options["profile"], progress.say)
    except OutOfTime:
        report, spent = examined.report, time.perf_counter() - began
        return evolve(report, seconds={**report.seconds, "profile": spent})


def require_few_questions(options: Mapping[str, Any], workdir: str | None = None) -> None:
    """Raise UsageError if the options of a reduced search ask about every state.  workdir: where it is resumed."""
    every = [name for name in ("coverage", "strict", "profile", "keep_graph") if options.get(name)]
    if every:
        asks = f"--{every[0].replace('_', '-')} asks about every state"
        if workdir is not None:
            raise UsageError(f"{asks}, and {workdir} holds a reduced search", remedy="Leave it out.")
        raise UsageError(f"{asks}, and --reduce leaves some out", remedy="Leave out one of the two.")


def tell(report: Report, files: Files, output: Output, place: Placement, compared: str | None = None) -> None:
    """Print a check, and keep its data.  place: of the search; compared: how to compare an edit with its base."""
    output.gather(report.exit_code, lambda: report_data(report, files))
    if not output.quiet:
        output.print(check_lines(report, files, _resumed(report, place), compared))


def _resumed(report: Report, place: Placement) -> str | None:
    """The command that resumes a search that was stopped, without the keys that a URL may contain."""
    if report.bound is None or place.workdir is None:
        return None
    from checker.search.folders import folder_at

    return place.resumed(folder_at(place.workdir))
