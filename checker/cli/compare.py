"""`checker compare`: the two models to compare, the differences, and the files for the comparison."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click
from attrs import evolve

from checker.analysis.compare.pair import Pair, property_changes
from checker.analysis.compare.several import compare_family
from checker.analysis.compare.stated import stated
from checker.analysis.sweep.choices import choices_of, combinations
from checker.cli.compared import sides
from checker.cli.output import Output, model_background, report_directory
from checker.cli.searching import limits, progress, read
from checker.engines.explored import Phases
from checker.language.errors import UsageError
from checker.replay.base import related
from checker.report.compare.data import family_data
from checker.report.compare.first_screen import first_lines, first_screen
from checker.report.compare.html import comparison_html
from checker.report.compare.markdown import comparison_markdown
from checker.report.compare.runs import every_run
from checker.report.compare.text import whole
from checker.report.directory import trace_file
from checker.report.lines import Line
from checker.report.wording import title
from checker.report.written import writable, write_file
from checker.results.configurations import FamilyComparison
from checker.trace.trace import Trace

PAGE = "comparison.html"
STILL = "BROKEN; still to compare: other configurations, outcomes, sequences of events, steps, delays"
SELDOM = 10.0  # seconds between two lines of progress where there is no terminal
HANDED_ON = "engine threads reduce within rule_seconds step_seconds delay_seconds event_seconds most_runs".split()


def compare(
    base: str,
    edit: str | None,
    against: str | None,
    varied: tuple[str, ...],
    here: bool,
    markdown: str | None,
    out: str | None,
    everything: bool,
    json_file: str | None,
    **options: Any,
) -> int:
    if here and varied:
        raise UsageError("--here means the default constants, and -D others", remedy="Leave one of the two out.")
    output, phases = Output(json_file), Phases()
    with progress(json_file, ticking=True, seldom=SELDOM) as shown:
        shown.say("reading the models")
        with phases("read"):
            read([base] if edit is None else [base, edit], limits(options))
        choices, directory = choices_of(varied), report_directory(out)
        if markdown is not None:
            writable(markdown, "--markdown")
        with sides(base, edit, against) as named:
            before, after, warnings = named.before, named.after, named.warnings
            if choices:
                wanted = combinations(choices)
            else:
                wanted = [{}] if here else stated(before.cls, after.cls)
            told: list[Line] = []

            def breaking(pair: Pair) -> None:
                """Print what breaks and why at once; the other differences take longer."""
                if not warnings and not pair.edit.report.misspelt and related(before.cls, after.cls):
                    broken = [p for p in property_changes(pair) if p.change == "broken"]
                    labels, reduced = (before.label, after.label), bool(pair.edit.report.reduced)
                    given = pair.sides.given
                    told.extend(first_lines(labels, broken, given, reduced, output.width, everything))
                    shown.clear()
                    output.print(told)
                    output.flush()
                    if output.width is None and sys.stderr.isatty():  # else a line of progress says it
                        click.echo(STILL, err=True)

            found = _compared(
                before,
                after,
                wanted,
                breaking=breaking,
                asked=bool(choices),
                limits=limits(options),
                progress=shown,
                announce=shown.say,
                phases=phases,
                **{name: options[name] for name in HANDED_ON},
            )
            told_first = (*warnings, *named.others, *found.shown.warnings)
            described = evolve(found.shown, warnings=told_first)
            found = evolve(found, shown=described, seconds=phases.seconds)
            if markdown is not None:
                write_file(markdown, comparison_markdown(found), "--markdown")
            runs: dict[str, list[Path]] = {}
            if directory.path is not None:
                shown.say("writing the reports")
                runs = {
                    _heading(trace): directory.write_trace(trace, model_background(trace, before.cls))
                    for trace in every_run(found.shown)
                }
                write_file(directory.path / PAGE, comparison_html(found, runs, directory.path), "--out")
            output.write(lambda: family_data(found))
            shown.clear()
            screen = first_screen(found, output.width, everything=everything)
            output.print(text for text in screen if text not in told)
            if everything:
                output.line()
                output.print(whole(found.shown, lambda trace: trace_file(runs.get(_heading(trace), []))))
            if directory.path is not None:
                output.line(f"  reports    {directory.path / PAGE}")
    return found.exit_code


def _compared(*sides: Any, **how: Any) -> FamilyComparison:
    """The comparison; a line where Ctrl-C leaves nothing to report."""
    try:
        return compare_family(*sides, **how)
    except KeyboardInterrupt:
        click.echo("interrupted before the first configuration was searched: nothing is known", err=True)
        raise


def _heading(trace: Trace) -> str:
    return f"{title(trace)} ({trace.reference})"
