"""A sweep as a table: aligned text, Markdown, JSON.  All three have the same cells.

Columns: the constants that vary, the verdict with the violated properties and their steps, then counts and seconds.
The row of a stopped configuration names the limit.
"""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from checker.language.constants import written
from checker.report.data import as_data
from checker.report.lines import Line, line
from checker.report.tables import Right, aligned, markdown_table
from checker.report.wording import constants_text
from checker.results.sweep import Judged, Row, Summary, Sweep
from checker.results.verdict import Swept, Verdict
from checker.wording import counted

STYLES: dict[Verdict | Swept | None, str] = {
    Verdict.HOLDS: "",
    Swept.IMPLIED: "",
    Verdict.INCONCLUSIVE: "yellow",
    Verdict.VACUOUS: "yellow",
}
TAKEN_FOR_ALIKE = (
    "taken for alike because the command says so; nothing examines whether the model tells processes apart"
)
NUMBERS = ("states", "transitions", "depth", "outcomes", "seconds")


def columns(found: Sweep) -> list[str]:
    """The heads of the table."""
    with_outcomes = any(r.outcomes is not None for r in found.searched)
    numbers = [n for n in NUMBERS if n != "outcomes" or with_outcomes]
    stopped = ["stopped by"] if any(r.bound for r in found.searched) else []
    return [*found.varying, "verdict", "violated", *numbers, *stopped]


def cells(found: Sweep, row: Row) -> list[str]:
    """One row of the table, without numbers that were not counted."""
    counted, own = row.distinct > 0 or row.verdict is Verdict.VACUOUS, row.seconds > 0
    values = {
        **{n: written(row.configuration.constants[n]) for n in found.varying},
        "verdict": row.note if row.verdict is Swept.IMPLIED else str(row.verdict),
        "violated": ", ".join(map(_judged, row.violated)),
        "seconds": f"{row.seconds:.2f}" if own else "",
        "stopped by": row.bound or "",
        "states": f"{row.distinct:,}" if counted else "",
        "transitions": f"{row.transitions:,}" if counted and own else "",
        "depth": str(row.depth) if counted else "",
        "outcomes": "" if row.outcomes is None else f"{row.outcomes:,}",
    }
    return [values[c] for c in columns(found)]


def _judged(p: Judged) -> str:
    return p.name if p.steps is None else f"{p.name} ({counted(p.steps, 'step')})"


# Text


def lines(found: Sweep, brief: bool = False) -> Iterator[Line]:
    """The table, unless `brief` is set, and the conclusions."""
    summaries = found.summaries()
    yield line(found.reference, "bold")
    if found.constants:
        yield line(f"  constants  {constants_text(found.constants)}")
    if not brief:
        yield from _table(found)
    yield from (line(text, "yellow") for text in _skipped(found))
    yield from (line(text, "bold red") for text in _wrong(found))
    for s in summaries:
        yield line(sentence(s), "bold red" if s.violated else "yellow" if s.undecided or s.untested else "green")
    yield from (line(f"  run: {command}", "dim") for command in dict.fromkeys(_commands(found, summaries)))
    ended = any(r.violated and r.bound is None for r in found.searched)
    if found.stop_at_first and ended and any(s.undecided for s in summaries):
        yield line("a search ends at its first violation; --all decides the other properties", "dim")
    yield from (line(text, "dim") for text in _reduced(found))
    if found.not_reached:
        yield line(_interrupted(found), "bold yellow")
    if found.validation is not None:
        yield line(found.validation.text(), "dim")
    yield from (line(text, "yellow") for text in _left_out(found))
    yield line(f"{counted(len(found.searched), 'configuration')} in {found.seconds:.1f} s", "bold")


def _commands(found: Sweep, summaries: Sequence[Summary]) -> Iterator[str]:
    """How to see the run of each smallest violation: of an edit beside its base, which names the guilty step."""
    for s in summaries:
        if s.smallest is not None:
            given = [word for n, v in s.smallest.given.items() for word in ("-D", f"{n}={written(v)}")]
            yield shlex.join(["checker", "compare" if found.edit else "check", found.reference, *given])


def _table(found: Sweep) -> Iterator[Line]:
    heads = columns(found)
    rows = [heads, *(cells(found, r) for r in found.searched)]
    head, *table = aligned([[Right(c) if h in NUMBERS else c for h, c in zip(heads, row)] for row in rows])
    yield line(head, "bold")
    for row, text in zip(found.searched, table):
        yield line(text, STYLES.get(row.verdict, "bold red"))
        if row.note and row.verdict is not Swept.IMPLIED:
            yield line(f"    {row.note}", "yellow")


def _reduced(found: Sweep) -> list[str]:
    """Which counts are those of reduced graphs, if any are."""
    number = sum(row.reduced for row in found.rows)
    where = f"{number} of {counted(len(found.searched), 'configuration')}"
    return [f"reduced graphs in {where}: states, transitions and depth are theirs"] if number else []


def _interrupted(found: Sweep) -> str:
    return f"interrupted: {counted(found.not_reached, 'configuration')} not reached"


def _skipped(found: Sweep) -> list[str]:
    """The combinations that the model refuses, gathered by reason."""
    return [f"skipped {counted(n, 'configuration')}: {reason}" for reason, n in _reasons(found, Swept.SKIPPED).items()]


def _left_out(found: Sweep) -> list[str]:
    """What `alike` left out, by its text."""
    return [
        f"{text!r}: {counted(number, 'distribution')} left out: {TAKEN_FOR_ALIKE}"
        for text, number in found.left_out.items()
    ]


def _wrong(found: Sweep) -> list[str]:
    """The combinations for which the model is wrong as written, by reason: no property is checked there, so no sentence
    counts them.
    """
    where = {reason: counted(n, "configuration") for reason, n in _reasons(found, Swept.ERROR).items()}
    return [f"wrong as written in {configurations}: {reason}" for reason, configurations in where.items()]


def _reasons(found: Sweep, verdict: Swept) -> dict[str, int]:
    """How many rows have a verdict, by reason."""
    return Counter(row.reason for row in found.rows if row.verdict is verdict)


def sentence(s: Summary) -> str:
    """The conclusion of the sweep about one property."""
    kinds = (("implied", s.implied), ("vacuous", s.untested), ("not decided", s.undecided))
    undecided = "".join(f", {what} in {number}" for what, number in kinds if number)
    if s.smallest is None:
        return f"{s.property} holds in {s.holds}{undecided}"
    steps = "" if s.steps is None else f" in {counted(s.steps, 'step')}"
    held = f", holds in {s.holds}" if s.holds else ""
    where = s.smallest.label or "the default constants"
    return f"{s.property} is first violated at {where}{steps} (violated in {s.violated}{held}{undecided})"


# Files


def markdown_text(found: Sweep) -> str:
    """The table and the sentences as Markdown."""
    heads = [Right(h) if h in NUMBERS else h for h in columns(found)]
    table = markdown_table(heads, (cells(found, r) for r in found.searched))
    notes = [f"{r.configuration.label}: {r.note}" for r in found.searched if r.note and r.verdict is not Swept.IMPLIED]
    bullets = [*map(sentence, found.summaries()), *notes, *_skipped(found), *_wrong(found)]
    bullets += [*_reduced(found), *_left_out(found)]
    bullets += [_interrupted(found)] * (found.not_reached > 0)
    head = [f"# {found.reference}", "", f"Constants that are alike: {constants_text(found.constants) or 'none'}", ""]
    return "\n".join([*head, table, "", *(f"* {b}" for b in bullets), ""])


def data(found: Sweep) -> dict[str, Any]:
    """The sweep as JSON data."""
    return {
        **as_data(found, "reference constants varying exit_code seconds:3 validation not_reached left_out"),
        "rows": [_row_data(r) for r in found.rows],
        "properties": [_summary_data(s) for s in found.summaries()],
    }


def _summary_data(s: Summary) -> dict[str, Any]:
    smallest = None if s.smallest is None else {**as_data(s.smallest, "given constants"), "steps": s.steps}
    return {**as_data(s, "name=property violated holds implied untested undecided"), "smallest": smallest}


def _row_data(row: Row) -> dict[str, Any]:
    found = "exit_code properties distinct transitions depth outcomes seconds:4 bound validation reduced"
    searched = row.verdict not in (Swept.SKIPPED, Swept.NOT_REACHED)
    return {
        **as_data(row.configuration, "given constants"),
        **as_data(row, f"verdict note {found}" if searched else "verdict note"),
    }
