"""`checker compare`: which two models are meant, what an edit changes, and where the comparison is written."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from attrs import evolve

from checker.analysis.compare.comparison import Side
from checker.analysis.compare.comparison import compare as compared
from checker.analysis.compare.revision import at_revision
from checker.catalogue import find, in_file
from checker.cli.arguments import constants_of_options
from checker.cli.output import Output
from checker.cli.reports import report_directory
from checker.cli.searching import limits, progress, read
from checker.language.errors import UsageError
from checker.replay.base import base_of, likely_base
from checker.report.compare.data import comparison_data
from checker.report.compare.html import comparison_html
from checker.report.compare.markdown import comparison_markdown
from checker.report.compare.runs import every_run
from checker.report.compare.text import lines
from checker.report.directory import trace_file
from checker.report.wording import title
from checker.report.written import writable, write_file
from checker.trace.trace import Trace

PAGE = "comparison.html"
HANDED_ON = "engine threads rule_seconds step_seconds delay_seconds event_seconds most_runs".split()


def compare(
    base: str,
    edit: str | None,
    against: str | None,
    markdown: str | None,
    out: str | None,
    everything: bool,
    json_file: str | None,
    **options: Any,
) -> int:
    """Do what these options say; the exit code."""
    read([base] if edit is None else [base, edit], limits(options))
    constants, output, directory = constants_of_options(options["constants"]), Output(json_file), report_directory(out)
    if markdown is not None:
        writable(markdown, "--markdown")
    with _sides(base, edit, against) as (before, after, warnings):
        with progress(json_file) as shown:
            handed_on = {name: options[name] for name in HANDED_ON}
            found = compared(before, after, constants, limits=limits(options), progress=shown, **handed_on)
        found = evolve(found, warnings=(*warnings, *found.warnings))
        if markdown is not None:
            write_file(markdown, comparison_markdown(found), "--markdown")
        runs = {}
        if directory.path is not None:
            runs = {_heading(trace): directory.write_trace(trace) for trace in every_run(found)}
            write_file(directory.path / PAGE, comparison_html(found, runs, directory.path), "--out")
        output.write(lambda: comparison_data(found))
        output.print(lines(found, everything, lambda trace: trace_file(runs.get(_heading(trace), []))))
        if directory.path is not None:
            output.line(f"  reports    {directory.path / PAGE}")
    return found.exit_code


@contextmanager
def _sides(first: str, second: str | None, against: str | None) -> Iterator[tuple[Side, Side, tuple[str, ...]]]:
    """The two sides: two models; one model against a revision of its file; or an edit against the class it edits."""
    if second is not None and against is not None:
        raise UsageError(
            "--against takes one model", remedy="Write `compare MODEL --against REVISION` or `compare BASE EDIT`."
        )
    entry = find(first)
    if against is not None:
        with at_revision(entry, against) as former:
            yield Side(former.entry.cls, f"{first} at {against}"), Side(entry.cls, first), former.warnings
    elif second is not None:
        yield Side(entry.cls, first), Side(find(second).cls, second), ()
    else:
        base = base_of(entry.cls)
        if base is None:
            other = likely_base(entry)
            example = f", for example `{shlex.join(['checker', 'compare', other, first])}`," if other else ","
            raise UsageError(
                f"{first} edits no model of its file", remedy=f"Name two models{example} or give --against REVISION."
            )
        name = first.rsplit(":", 1)[0]
        label = next(e.reference for e in in_file(entry.file, name) if e.cls is base)
        yield Side(base, label), Side(entry.cls, first), ()


def _heading(trace: Trace) -> str:
    return f"{title(trace)} ({trace.reference})"
