"""A comparison in a terminal: differences in the text, in the verdicts, then the runs for them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice

from checker.language.constants import written
from checker.report.compare.cost_table import cost_lines, pace_words
from checker.report.compare.rules import rule_lines
from checker.report.compare.runs import every_run
from checker.report.compare.steps import behaviour_lines, outcome_text, step_lines
from checker.report.compare.summary import MOST_NAMES, summary
from checker.report.lines import Line, line
from checker.report.text import report_lines
from checker.report.wording import constants_text
from checker.results.comparison import Comparison, OutcomeDifference, PropertyChange
from checker.results.verdict import Compared
from checker.trace.trace import Trace
from checker.wording import counted, listed

STYLES = {"broken": "bold red", "repaired": "green", "other": "yellow", "": "dim"}
VERDICTS = dict(zip(Compared, ("bold red", "yellow", "bold yellow", "green")))
WORDS = {verdict: "NO DIFFERENCE" if verdict is Compared.SAME else verdict.upper() for verdict in Compared}
DIFF_STYLES = {"+": "green", "-": "red", "@": "cyan"}
STEPS = "Steps, one by one"
CHANGES = ("broken", "repaired")
Section = tuple[str, Iterator[Line]]  # a heading, and the lines under it


def whole(c: Comparison, file_of: Callable[[Trace], str | None]) -> Iterator[Line]:
    """Everything but the first screen: every part, then every run; file_of: where a run is stored."""
    for heading, lines in islice(sections(c), 1, None):
        yield line(heading, "bold underline")
        yield from ((("  ", ""), *pieces) for pieces in lines)
        yield line()
    for trace in every_run(c):
        yield from report_lines(trace, file_of(trace))
        yield line()


def sections(c: Comparison) -> Iterator[Section]:
    """The whole report but for the traces."""
    yield f"{c.before} against {c.after}", _head(c)
    yield "Source", _sources(c)
    yield "Properties", _properties(c)
    if c.outcomes is not None:
        yield "Outcomes", _outcomes(c.outcomes)
    yield from details(c)


def details(c: Comparison) -> Iterator[Section]:
    """The parts of the terminal's text that Markdown contains, too."""
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
        yield (f"{key if key != last else '':<11}", "bold"), (text, style)
        last = key
    yield line(f"{'constants':<11}{constants_text(c.constants) or 'none'}", "dim")
    if c.validation is not None:
        yield line(f"{'confirmed':<11}{c.validation.text()}", "dim")
    for warning in c.warnings:
        yield (f"{'warning':<11}", "yellow"), (warning, "")


def _sources(c: Comparison) -> Iterator[Line]:
    if not c.sources:
        yield line("no rule, action, variable, type, constant or derived value differs")
    for d in c.sources:
        yield line(f"{d.kind} {d.name}", "bold")
        yield from (line(f"  {text}", DIFF_STYLES.get(text[:1], "")) for text in d.diff.splitlines())
        if d.kind == "default":
            both = f"both are run with {d.name}={written(c.constants[d.name])}"
            yield line(f"  {both}: to run each with its own, check them one by one", "dim")


def _properties(c: Comparison) -> Iterator[Line]:
    width = max((len(p.name) for p in c.properties), default=0)
    for p in c.properties:
        arrow = p.after if p.before == p.after else f"{p.before} → {p.after}"
        change = f"  {p.change.upper()}" if p.change else ""
        style = STYLES[p.change]
        yield (f"{p.name:<{width}}  {arrow}", style), (change, style), (_steps(p), "")
        if p.note:
            yield line(f"{'':<{width}}  {p.note}", "italic")


def _steps(p: PropertyChange) -> str:
    if p.trace is None:
        return ""
    cause = cause_text(p)
    return f", {counted(len(p.trace.steps), 'step')}" + (f", {cause}" if cause else "")


def cause_text(p: PropertyChange) -> str:
    """The first different step of its run; "" if there is none."""
    first = p.cause if p.trace is None or p.trace.parted is None else p.trace.parted
    return "" if first is None else f"the first that was not allowed before is step {first}"


def _outcomes(found: OutcomeDifference) -> Iterator[Line]:
    yield line(f"{found.before:,} before, {found.after:,} after")
    for sign, style, runs in (("+", "bold yellow", found.added), ("-", "yellow", found.removed)):
        for run in runs:
            times = f"{run.count} like " if run.count > 1 else ""
            steps = f"   in {counted(run.steps, 'step')}"
            yield (f"{sign} {times}{outcome_text(run.example)}", style), (steps, "dim")
            if run.note:
                yield line(f"    {run.note}", "italic")
        without = sum(run.trace is None for run in runs)
        if without:
            yield line(f"  {counted(without, 'kind')} without a run (--runs N shows more)", "yellow")


def observed(c: Comparison) -> list[str]:
    """What differs in outcomes and in events: what a run shows, whatever the properties say."""
    parts = []
    if c.outcomes is not None and c.outcomes_differ:
        parts.append(f"outcomes: {c.outcomes.new:,} new, {c.outcomes.gone:,} gone")
    if c.behaviours is not None and c.events_differ:
        sides = (("new", c.behaviours.added), ("gone", c.behaviours.removed))
        parts.append(f"sequences of events: {' and '.join(word for word, side in sides if side is not None)}")
    return parts


def conclusion(c: Comparison) -> str:
    """One sentence: what the edit breaks and repairs and the other differences, or why that is not known; without a
    difference, what was compared, and why steps were not.
    """
    changed = {change: [p.name for p in c.changed(change) if p.name not in c.weakened] for change in CHANGES}
    called = {"broken": "broken", "repaired": "violated no more, as nothing can happen" if c.dead else "repaired"}
    parts = [f"{called[change]}: {', '.join(names)}" for change, names in changed.items() if names]
    parts += [f"weakened property: {', '.join(c.weakened)}"] * bool(c.weakened)
    parts += [f"never enabled any more: {listed(c.disabled, MOST_NAMES)}"] * bool(c.disabled)
    parts += observed(c)
    if c.steps is not None and c.steps_differ and not c.events_differ:
        parts.append(f"steps: {' and '.join(w for w, t in (('new', c.steps.added), ('gone', c.steps.removed)) if t)}")
    if c.costs is not None and (words := pace_words(*c.costs)):
        parts.append(words)
    parts += c.undecided
    if not parts and c.proof is not None:
        parts = ["no difference: every step is the same"]
    elif not parts:
        others = {"outcomes": c.outcomes, "sequences of events": c.behaviours, "steps": c.steps}
        compared = ["verdicts", *(name for name, found in others.items() if found is not None)]
        parts = [f"no difference in {' and '.join(filter(None, (', '.join(compared[:-1]), compared[-1])))}"]
        parts += [f"steps not compared: {c.steps_apart}"] * bool(c.steps_apart)
    return "; ".join(parts)
