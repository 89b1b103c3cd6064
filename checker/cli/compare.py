"""`checker compare`: the two models to compare, the differences, and the files for the comparison."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
from attrs import evolve

from checker.analysis.compare.pair import Pair, property_changes
from checker.analysis.compare.revision import at_revision
from checker.analysis.compare.several import compare_family
from checker.analysis.compare.side import Side
from checker.analysis.compare.stated import stated
from checker.analysis.sweep.choices import choices_of, combinations
from checker.catalogue import Entry, entry_of, find, in_file
from checker.cli.output import Output, model_background, report_directory
from checker.cli.searching import limits, progress, read
from checker.engines.explored import Phases
from checker.language.errors import UsageError
from checker.replay.base import base_of, likely_base, related
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
from checker.trace.trace import Trace

PAGE = "comparison.html"
STILL = "BROKEN; still to compare: other configurations, outcomes, sequences of events, steps, delays"
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
    with progress(json_file, ticking=True) as shown:
        shown.say("reading the models")
        with phases("read"):
            read([base] if edit is None else [base, edit], limits(options))
        choices, directory = choices_of(varied), report_directory(out)
        if markdown is not None:
            writable(markdown, "--markdown")
        with _sides(base, edit, against) as (before, after, warnings):
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
                    if output.width is None:  # a terminal has a line of progress
                        click.echo(STILL, err=True)

            found = compare_family(
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
            described = evolve(found.shown, warnings=(*warnings, *found.shown.warnings))
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


@contextmanager
def _sides(first: str, second: str | None, against: str | None) -> Iterator[tuple[Side, Side, tuple[str, ...]]]:
    """The two sides: two models; a model and a revision of its file, or of the file of its base; or an edit and its
    base.
    """
    entry = find(first)
    edit = entry if second is None else find(second)
    other = None if against is None or second is not None else _model(against)
    if other is not None:
        yield Side(other.cls, str(against)), Side(entry.cls, first), ()
    elif against is not None:
        with at_revision(entry, against) as former:
            before = Side(former.entry.cls, f"{first} at {against}", renamed=former.renamed)
            yield before, Side(edit.cls, first if second is None else second), former.warnings
    elif second is not None:
        if edit.cls is entry.cls:
            what = f"{first} and {second} are the same class, which cannot differ from itself"
            raise UsageError(what, remedy="Name another class, or give --against REVISION.")
        yield Side(entry.cls, first), Side(edit.cls, second), ()
    else:
        base = base_of(entry.cls)
        if base is None:
            likely = likely_base(entry)
            example = f", for example `{shlex.join(['checker', 'compare', likely, first])}`," if likely else ","
            raise UsageError(f"{first} edits no model", remedy=f"Name two models{example} or give --against REVISION.")
        yield Side(base, _label(entry, first, base)), Side(entry.cls, first), ()


def _model(text: str) -> Entry | None:
    """The model that --against names, if the value has the form of a file or of a class in one; otherwise it is a
    revision.
    """
    name, _, cls = text.rpartition(":") if ":" in text else (text, "", "")
    return find(text) if name.endswith(".py") or cls.isidentifier() else None


def _label(entry: Entry, reference: str, base: type) -> str:
    """The reference of an edit's base: of the same form as that of the edit, if it is in the same file."""
    beside = in_file(entry.file, reference.rsplit(":", 1)[0]) if base.__module__ == entry.cls.__module__ else []
    found = next((e.reference for e in beside if e.cls is base), None) or entry_of(base).reference
    return found.removeprefix(f"{Path.cwd()}/")


def _heading(trace: Trace) -> str:
    return f"{title(trace)} ({trace.reference})"
