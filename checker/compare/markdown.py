"""A comparison as Markdown, for a pull request: verdicts first, the source and the runs folded away."""

from __future__ import annotations

from collections.abc import Iterator

from checker.compare.behaviours import behaviour_lines
from checker.compare.comparison import Comparison
from checker.compare.cost_table import cost_lines
from checker.compare.outcomes import outcome_text
from checker.compare.rules import rule_lines
from checker.compare.runs import others, violations
from checker.compare.steps import step_lines
from checker.compare.summary import summary
from checker.compare.text import cause_text, conclusion
from checker.report.markdown import escape, markdown_summary
from checker.wording import counted

HEADINGS = {"broken": "The edit breaks a property", "inconclusive": "Not decided", "sound": "The edit breaks nothing"}


def comparison_markdown(c: Comparison) -> str:
    """The whole comparison."""
    parts = [
        f"## {HEADINGS[c.verdict]}: {escape(c.before.label)} against {escape(c.after.label)}",
        escape(conclusion(c)) + ".",
    ]
    parts += [f"> {escape(w)}" for w in c.warnings]
    parts += [
        "\n".join(f"- {f'**{key}** ' if key else ''}{escape(text)}" for key, text, _ in summary(c)),
        _constants(c),
        _properties(c),
    ]
    if c.outcomes is not None:
        parts.append("\n".join(_outcomes(c)))
    if c.costs is not None:
        parts.append(
            ("### Cost (steps and messages: on a shortest run to each outcome)\n\n```text\n")
            + "\n".join(text for text, _ in cost_lines(*c.costs))
            + "\n```"
        )
    if c.rules:
        parts.append(
            "### Rules over all states of their types\n\n```text\n"
            + "\n".join(text for text, _ in rule_lines(c.rules))
            + "\n```"
        )
    if c.steps is not None:
        parts.append("### Steps\n\n```text\n" + "\n".join(text for text, _ in step_lines(c.steps)) + "\n```")
    if c.behaviours is not None:
        parts.append(
            "### Behaviours: sequences of events\n\n```text\n"
            + "\n".join(text for text, _ in behaviour_lines(c.behaviours))
            + "\n```"
        )
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
        (f"| {escape(s.label)} | {r.distinct:,} | {r.transitions:,} | {r.depth} |")
        for s, r in ((c.before, c.base), (c.after, c.edit))
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


def _outcomes(c: Comparison) -> Iterator[str]:
    assert c.outcomes is not None
    yield f"Outcomes: {c.outcomes.before:,} before, {c.outcomes.after:,} after.\n"
    for word, runs in (("new", c.added), ("gone", c.removed)):
        for run in runs:
            yield (
                f"- {word}, {run.kind.count:,} of the kind, in {counted(run.kind.steps, 'step')}: "
                f"`{outcome_text(run.kind.example)}`"
            ) + (f"; {escape(run.note)}" if run.note else "")
        without = sum(run.trace is None for run in runs)
        if without:
            yield f"- {counted(without, 'kind')} of these without a run (`--runs N` shows more)"


def _folded(summary: str, text: str) -> str:
    return f"<details><summary>{summary}</summary>\n\n{text}\n\n</details>"
