"""A comparison as Markdown, for a pull request: verdicts first, the source and the runs folded, and at most as long as
a comment may be.
"""

from __future__ import annotations

from collections.abc import Iterator

from checker.report.compare.configurations import beyond, differing, not_looked_at, unchanged, verdict_text
from checker.report.compare.runs import others, violations
from checker.report.compare.steps import outcome_text
from checker.report.compare.summary import states_text, summary
from checker.report.compare.text import STEPS, cause_text, details
from checker.report.lines import plain
from checker.report.markdown import escape, folded, markdown_summary
from checker.report.tables import Right, markdown_table
from checker.results.comparison import Comparison, OutcomeDifference
from checker.results.configurations import FamilyComparison
from checker.results.verdict import Compared
from checker.wording import counted

HEADINGS = {
    Compared.BROKEN: "The edit breaks a property",
    Compared.INCONCLUSIVE: "Not decided",
    Compared.CHANGED: "The edit breaks no property that was compared, and changes what happens",
    Compared.SAME: "No difference where it was compared",
}
LONGEST = 9_900  # characters: a host of pull requests cuts long comments, and nobody reads them
ROOM = {  # characters of each part that has to be there
    "name": 600,
    "verdict": 900,
    "warnings": 1_500,
    "summary": 2_000,
    "note": 600,  # there are three
    "table": 1_500,
    "constants": 600,
    "sizes": 800,
}
LONGEST_MORE = 30  # characters of "and N more"
LEFT_OUT = "Left out, as there is no room: {}. `checker compare` with `--all` or `--out` shows everything."
Part = tuple[str, str]  # what it is, its text


def comparison_markdown(f: FamilyComparison) -> str:
    """The verdict, the differences with their configurations, and as much of the rest as there is room for: first the
    shortest violation.
    """
    c = f.shown
    heading = f"## {HEADINGS[f.verdict]}: {escape(c.before)} against {escape(c.after)}"
    first = "\n".join(f"- {f'**{key}** ' if key else ''}{escape(text)}" for key, text, _ in summary(c))
    verdict, warnings = escape(verdict_text(f)), "\n".join(f"> - {escape(w)}" for w in c.warnings)
    parts = [_clipped(heading, "name"), _clipped(verdict, "verdict") + ".", _clipped(warnings, "warnings")]
    parts += [_clipped(first, "summary"), _configurations(f), *_constants(c)]
    parts = list(filter(None, parts))
    left_out: list[str] = []
    for what, text in _optional(c):
        if sum(map(len, parts)) + 2 * len(parts) + len(text) + len(LEFT_OUT) + len(", ".join(left_out)) > LONGEST - 400:
            left_out.append(what)
        else:
            parts.append(text)
    if left_out:
        parts.append(LEFT_OUT.format(", ".join(dict.fromkeys(left_out))))
    return "\n\n".join(parts) + "\n"


def _clipped(part: str, what: str) -> str:
    """As many whole lines as there is room for, and the number of the others; of a line that is too long, its
    beginning.
    """
    room = ROOM[what]
    if len(part) <= room:
        return part
    whole, line_end, _ = part[: room - LONGEST_MORE].rpartition("\n")
    if not line_end:
        return f"{part[: room - LONGEST_MORE]} ..."
    more = f"and {part.count(chr(10)) - whole.count(chr(10)):,} more"
    if whole.startswith("|"):
        return f"{whole}\n\n{more}"
    return f"{whole}\n{'> - ' if whole.startswith('> - ') else '- '}{more}"


def _optional(c: Comparison) -> Iterator[Part]:
    """The optional parts, the most informative first."""
    yield from (("a violation", markdown_summary(trace)) for trace in violations(c)[:1])
    yield "properties", _properties(c)
    diff = "```diff\n" + "\n".join(d.diff for d in c.sources) + "\n```"
    yield "source", folded("What differs in the source", diff)
    if c.outcomes is not None:
        yield "outcomes", "\n".join(_outcomes(c.outcomes))
    for title, lines in details(c):
        heading = "Steps" if title == STEPS else title
        yield heading, "\n".join([f"### {heading}\n\n```text", *map(plain, lines), "```"])
    yield from (("a violation", markdown_summary(trace)) for trace in violations(c)[1:])
    for what, runs in others(c):
        if runs:
            number = "a run" if len(runs) == 1 else f"the first of {len(runs)} runs"
            yield what, folded(f"{escape(what.capitalize())}: {number}", markdown_summary(runs[0]))


def _configurations(f: FamilyComparison) -> str:
    """What differs in each, if there are several, and what is known of larger ones."""
    larger = "\n".join(f"- {escape(text)}" for text in beyond(f))
    further = [_clipped(f"Beyond what was compared:\n\n{larger}", "note")] if larger else []
    if len(f.looked) + len(f.passed) == 1:
        return "".join(further)
    rows = [(escape(where), escape(what)) for where, what, _ in differing(f)]
    table = [_clipped(markdown_table(["configuration", "what differs"], rows), "table")] if rows else []
    notes = (("Not looked at", not_looked_at(f)), ("No difference", unchanged(f)))
    return "\n\n".join([*(_clipped(f"{key}: {escape(text)}", "note") for key, text in notes if text), *table, *further])


def _constants(c: Comparison) -> tuple[str, str]:
    given = escape(", ".join(f"{n}={v}" for n, v in c.constants.items()))
    sides = ((c.before, c.base), (c.after, c.edit))
    rows = [(escape(side), states_text(r), f"{r.transitions:,}", str(r.depth)) for side, r in sides]
    table = markdown_table(["", Right("states"), Right("transitions"), Right("levels")], rows)
    return _clipped(f"Constants: {given}", "constants"), _clipped(table, "sizes")


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
