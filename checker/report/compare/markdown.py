"""A comparison as Markdown, for a pull request: verdicts first, the source and the runs folded away."""

from __future__ import annotations

from collections.abc import Iterator

from checker.report.compare.runs import others, violations
from checker.report.compare.steps import outcome_text
from checker.report.compare.summary import summary
from checker.report.compare.text import STEPS, cause_text, conclusion, details
from checker.report.lines import plain
from checker.report.markdown import escape, folded, markdown_summary
from checker.report.tables import Right, markdown_table
from checker.results.comparison import Comparison, OutcomeDifference
from checker.wording import counted

HEADINGS = {"broken": "The edit breaks a property", "inconclusive": "Not decided", "sound": "The edit breaks nothing"}


def comparison_markdown(c: Comparison) -> str:
    """The whole comparison."""
    parts = [f"## {HEADINGS[c.verdict]}: {escape(c.before)} against {escape(c.after)}", escape(conclusion(c)) + "."]
    parts += [f"> {escape(w)}" for w in c.warnings]
    parts += [
        "\n".join(f"- {f'**{key}** ' if key else ''}{escape(text)}" for key, text, _ in summary(c)),
        _constants(c),
        _properties(c),
    ]
    if c.outcomes is not None:
        parts.append("\n".join(_outcomes(c.outcomes)))
    for section in details(c):
        heading = "Steps" if section.heading == STEPS else section.heading
        parts.append("\n".join([f"### {heading}\n\n```text", *map(plain, section.lines), "```"]))
    parts.append(folded("What differs in the source", "```diff\n" + "\n".join(d.diff for d in c.sources) + "\n```"))
    parts += [markdown_summary(trace) for trace in violations(c)]
    for what, runs in others(c):
        if runs:
            number = "a run" if len(runs) == 1 else f"the first of {len(runs)} runs"
            parts.append(folded(f"{escape(what.capitalize())}: {number}", markdown_summary(runs[0])))
    return "\n\n".join(parts) + "\n"


def _constants(c: Comparison) -> str:
    given = escape(", ".join(f"{n}={v}" for n, v in c.constants.items()))
    sides = ((c.before, c.base), (c.after, c.edit))
    rows = [(escape(side), f"{r.distinct:,}", f"{r.transitions:,}", str(r.depth)) for side, r in sides]
    table = markdown_table(["", Right("states"), Right("transitions"), Right("levels")], rows)
    return f"Constants: {given}\n\n{table}"


def _properties(c: Comparison) -> str:
    rows = []
    for p in c.properties:
        steps = f" in {counted(len(p.trace.steps), 'step')}" if p.trace is not None else ""
        change = f"**{p.change}**{steps}" if p.change else ""
        notes = escape("; ".join(filter(None, (cause_text(p), p.note))))
        rows.append((escape(p.name), p.before, p.after, change, notes))
    return markdown_table(["property", "before", "after", "", ""], rows)


def _outcomes(found: OutcomeDifference) -> Iterator[str]:
    yield f"Outcomes: {found.before:,} before, {found.after:,} after.\n"
    for word, runs in (("new", found.added), ("gone", found.removed)):
        for run in runs:
            kind = f"- {word}, {run.count:,} of the kind, in {counted(run.steps, 'step')}"
            yield f"{kind}: `{outcome_text(run.example)}`" + (f"; {escape(run.note)}" if run.note else "")
        without = sum(run.trace is None for run in runs)
        if without:
            yield f"- {counted(without, 'kind')} of these without a run (`--runs N` shows more)"
