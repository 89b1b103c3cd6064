"""A comparison as Markdown, for a pull request: verdicts first, the source and the runs folded away."""

from __future__ import annotations

from collections.abc import Iterator

from checker.report.compare.runs import others, violations
from checker.report.compare.steps import outcome_text
from checker.report.compare.summary import summary
from checker.report.compare.text import STEPS, cause_text, conclusion, details
from checker.report.markdown import escape, markdown_summary
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
    for heading, lines in details(c):
        text = "\n".join(text for text, _ in lines)
        parts.append(f"### {'Steps' if heading == STEPS else heading}\n\n```text\n{text}\n```")
    parts.append(_folded("What differs in the source", "```diff\n" + "\n".join(d.diff for d in c.sources) + "\n```"))
    parts += [markdown_summary(trace) for trace in violations(c)]
    for what, runs in others(c):
        if runs:
            parts.append(
                _folded(
                    f"{escape(what.capitalize())}: {'a run' if len(runs) == 1 else f'the first of {len(runs)} runs'}",
                    markdown_summary(runs[0]),
                )
            )
    return "\n\n".join(parts) + "\n"


def _constants(c: Comparison) -> str:
    rows = ["| | states | transitions | levels |", "|---|---:|---:|---:|"]
    rows += [
        (f"| {escape(side)} | {r.distinct:,} | {r.transitions:,} | {r.depth} |")
        for side, r in ((c.before, c.base), (c.after, c.edit))
    ]
    return f"Constants: {escape(', '.join(f'{n}={v}' for n, v in c.constants.items()))}\n\n" + "\n".join(rows)


def _properties(c: Comparison) -> str:
    rows = ["| property | before | after | | |", "|---|---|---|---|---|"]
    for p in c.properties:
        steps = f" in {counted(len(p.trace.steps), 'step')}" if p.trace is not None else ""
        rows.append(
            f"| {escape(p.name)} | {p.before} | {p.after} | {f'**{p.change}**{steps}' if p.change else ''} | "
            f"{escape('; '.join(filter(None, (cause_text(p), p.note))))} |"
        )
    return "\n".join(rows)


def _outcomes(found: OutcomeDifference) -> Iterator[str]:
    yield f"Outcomes: {found.before:,} before, {found.after:,} after.\n"
    for word, runs in (("new", found.added), ("gone", found.removed)):
        for run in runs:
            yield (
                f"- {word}, {run.count:,} of the kind, in {counted(run.steps, 'step')}: `{outcome_text(run.example)}`"
            ) + (f"; {escape(run.note)}" if run.note else "")
        without = sum(run.trace is None for run in runs)
        if without:
            yield f"- {counted(without, 'kind')} of these without a run (`--runs N` shows more)"


def _folded(summary: str, text: str) -> str:
    return f"<details><summary>{summary}</summary>\n\n{text}\n\n</details>"
