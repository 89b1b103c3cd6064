"""A comparison in a terminal: what differs in the text, what differs in the verdicts, then the runs that show it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from attrs import frozen

from checker.language.constants import written
from checker.report.compare.cost_table import cost_lines, pace_words
from checker.report.compare.rules import rule_lines
from checker.report.compare.runs import every_run, telling
from checker.report.compare.steps import behaviour_lines, outcome_text, step_lines
from checker.report.compare.summary import summary
from checker.report.lines import Line, line
from checker.report.text import report_lines
from checker.results.comparison import Comparison, OutcomeDifference, OutcomeRun, PropertyChange
from checker.trace.trace import Trace
from checker.wording import counted

STYLES = {"broken": "bold red", "repaired": "green", "other": "yellow", "": "dim"}
VERDICTS = {"broken": "bold red", "inconclusive": "yellow", "sound": "green"}
MOST_LINES = 60  # of differences in source text
DIFF_STYLES = {"+": "green", "-": "red", "@": "cyan"}
STEPS = "Steps, one by one"


@frozen
class Section:
    """Lines under a heading, each a tuple of (text, style)."""

    heading: str
    lines: tuple[Line, ...]


def lines(c: Comparison, everything: bool, file_of: Callable[[Trace], str | None]) -> Iterator[Line]:
    """The whole report, with the run that tells most, or every one, and the verdict; file_of: where a run is stored."""
    for section in sections(c, everything):
        yield line(section.heading, "bold underline")
        yield from ((("  ", ""), *pieces) for pieces in section.lines)
        yield line()
    told = telling(c)
    for trace in every_run(c) if everything else [told] if told is not None else []:
        yield from report_lines(trace, file_of(trace))
        yield line()
    yield (c.verdict.upper(), VERDICTS[c.verdict]), (f"  {conclusion(c)}", "")


def sections(c: Comparison, everything: bool = True) -> Iterator[Section]:
    """The whole report but for the traces; without `everything`, long differences of source text are named only."""
    yield Section(f"{c.before} against {c.after}", tuple(_head(c)))
    yield Section("Source", tuple(_sources(c, everything)))
    yield Section("Properties", tuple(_properties(c)))
    if c.outcomes is not None:
        yield Section("Outcomes", tuple(_outcomes(c.outcomes)))
    for heading, lines in details(c):
        yield Section(heading, tuple((line,) for line in lines))


def details(c: Comparison) -> Iterator[tuple[str, Iterable[tuple[str, str]]]]:
    """Headings and lines (text, style) of what Markdown shows in the words of the terminal."""
    if c.costs is not None:
        yield "Cost (steps and messages: on a shortest run to each outcome)", cost_lines(*c.costs)
    if c.rules:
        yield "Rules over all states of their types", rule_lines(c.rules)
    if c.steps is not None:
        yield STEPS, step_lines(c.steps)
    if c.behaviours is not None:
        yield "Behaviours: sequences of events", behaviour_lines(c.behaviours)


def _head(c: Comparison) -> Iterator[Line]:
    last = None
    for key, text, style in summary(c):
        yield ((f"{key if key != last else '':<11}", "bold"), (text, style))
        last = key
    yield ((f"{'constants':<11}{' '.join(f'{n}={written(v)}' for n, v in c.constants.items()) or 'none'}", "dim"),)
    if c.validation is not None:
        yield ((f"{'confirmed':<11}{c.validation.text()}", "dim"),)
    for warning in c.warnings:
        yield ((f"{'warning':<11}", "yellow"), (warning, ""))


def _sources(c: Comparison, everything: bool) -> Iterator[Line]:
    if not c.sources:
        yield (("no rule, action, variable, type, constant or derived value differs", ""),)
    lines = sum(len(d.diff.splitlines()) for d in c.sources)
    if not everything and lines > MOST_LINES:
        for d in c.sources:
            yield ((f"{d.kind} {d.name}", "bold"), (f"   {' → '.join(filter(None, (d.before, d.after)))}", "dim"))
        yield ((f"{lines} lines differ: --all shows them", "yellow"),)
        return
    for d in c.sources:
        yield ((f"{d.kind} {d.name}", "bold"),)
        for text in d.diff.splitlines():
            yield ((f"  {text}", DIFF_STYLES.get(text[:1], "")),)
        if d.kind == "default":
            yield (
                (
                    f"  both are run with {d.name}={written(c.constants[d.name])}: to run each with its own, check "
                    f"them one by one",
                    "dim",
                ),
            )


def _properties(c: Comparison) -> Iterator[Line]:
    width = max((len(p.name) for p in c.properties), default=0)
    for p in c.properties:
        arrow = p.after if p.before == p.after else f"{p.before} → {p.after}"
        yield (
            (f"{p.name:<{width}}  {arrow}", STYLES[p.change]),
            (f"  {p.change.upper()}" if p.change else "", STYLES[p.change]),
            (_steps(p), ""),
        )
        if p.note:
            yield ((f"{'':<{width}}  {p.note}", "italic"),)


def _steps(p: PropertyChange) -> str:
    if p.trace is None:
        return ""
    cause = cause_text(p)
    return f", {counted(len(p.trace.steps), 'step')}" + (f", {cause}" if cause else "")


def cause_text(p: PropertyChange) -> str:
    """The step of its run where the two part; "" if there is none."""
    return "" if p.cause is None else f"the first that was not allowed before is step {p.cause}"


def _outcomes(found: OutcomeDifference) -> Iterator[Line]:
    yield ((f"{found.before:,} before, {found.after:,} after", ""),)
    for sign, style, runs in (("+", "green", found.added), ("-", "red", found.removed)):
        for run in runs:
            yield (
                (f"{sign} {_times(run)}{outcome_text(run.example)}", style),
                (f"   in {counted(run.steps, 'step')}", "dim"),
            )
            if run.note:
                yield ((f"    {run.note}", "italic"),)
        without = sum(run.trace is None for run in runs)
        if without:
            yield ((f"  {counted(without, 'kind')} without a run (--runs N shows more)", "yellow"),)


def _times(run: OutcomeRun) -> str:
    return f"{run.count} like " if run.count > 1 else ""


def conclusion(c: Comparison) -> str:
    """One sentence: what the edit breaks and repairs, or why that is not known."""
    parts = []
    for change in ("broken", "repaired"):
        names = [p.name for p in c.changed(change)]
        if names:
            parts.append(f"{change}: {', '.join(names)}")
    if c.outcomes is not None and (c.outcomes.new or c.outcomes.gone):
        parts.append(f"outcomes: {c.outcomes.new:,} new, {c.outcomes.gone:,} gone")
    if c.costs is not None and (words := pace_words(*c.costs)):
        parts.append(words)
    if c.verdict == "inconclusive":
        parts += c.undecided
    return "; ".join(parts) or "no verdict and no outcome differs"
