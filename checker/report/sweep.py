"""A sweep as a table: aligned text, Markdown, JSON.  All three hold the same cells.

Columns: the constants that vary, the verdict with the violated properties and their steps, then counts and seconds.  A
configuration that was stopped says by what.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from checker.analysis.sweep.sweep import NOT_REACHED, Announce, Configuration, Judged, Row, Summary, Sweep
from checker.cli.output import Output
from checker.language.constants import written
from checker.report.lines import STYLES
from checker.report.written import write_file
from checker.wording import counted

NUMBERS = ("states", "transitions", "depth", "outcomes", "seconds")


def print_sweep(found: Sweep, output: Output, markdown: str | None, brief: bool = False) -> int:
    """Print a sweep, its table too unless it is to be brief, and write its files; returns the exit code."""
    for text, style in lines(found, brief):
        output.line(text, style)
    if markdown:
        write_file(markdown, markdown_text(found), "--markdown")
        output.line(f"  wrote {markdown}")
    output.write(data(found))
    return found.exit_code


@contextmanager
def announcements(enabled: bool) -> Iterator[Announce]:
    """One line on standard error that is kept up to date; silent unless that is a terminal."""
    if not enabled or not sys.stderr.isatty():
        yield lambda done, all, running: None
        return
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

    with Live(console=Console(stderr=True), transient=True, auto_refresh=False) as live:

        def announce(done: int, all: int, running: Sequence[Configuration]) -> None:
            text = f"{done} of {all} configurations" + "".join(f"; {c.label}" for c in running)
            live.update(Text(text, no_wrap=True, overflow="ellipsis"), refresh=True)

        yield announce


def columns(found: Sweep) -> list[str]:
    """The heads of the table."""
    with_outcomes = any(r.outcomes is not None for r in found.searched)
    numbers = [n for n in NUMBERS if n != "outcomes" or with_outcomes]
    stopped = ["stopped by"] if any(r.bound for r in found.searched) else []
    return [*found.varying, "verdict", "violated", *numbers, *stopped]


def cells(found: Sweep, row: Row) -> list[str]:
    """One row of the table, without what was not counted."""
    counted, own = row.distinct > 0 or row.verdict == "vacuous", row.seconds > 0
    values = {
        **{n: written(row.configuration.constants[n]) for n in found.varying},
        "verdict": row.note if row.verdict == "implied" else row.verdict,
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


def lines(found: Sweep, brief: bool = False) -> Iterator[tuple[str, str]]:
    """The table, unless it is to be brief, and what follows from it, as lines with their styles."""
    fixed = " ".join(f"{n}={written(v)}" for n, v in found.constants.items())
    yield found.reference, "bold"
    if fixed:
        yield f"  constants  {fixed}", ""
    if not brief:
        yield from _table(found)
    yield from ((text, "yellow") for text in _skipped(found))
    yield from ((text, "bold red") for text in _wrong(found))
    for summary in found.summaries():
        yield (
            sentence(summary),
            "bold red" if summary.violated else "yellow" if summary.undecided or summary.untested else "green",
        )
    if (
        found.stop_at_first
        and any(s.undecided for s in found.summaries())
        and any(r.violated and r.bound is None for r in found.searched)
    ):
        yield "a search ends at its first violation; --all decides the other properties", "dim"
    if found.not_reached:
        yield _interrupted(found), "bold yellow"
    if found.validation is not None:
        yield found.validation.text(), "dim"
    yield f"{counted(len(found.searched), 'configuration')} in {found.seconds:.1f} s", "bold"


def _table(found: Sweep) -> Iterator[tuple[str, str]]:
    heads, table = columns(found), [cells(found, r) for r in found.searched]
    widths = [max(len(r[i]) for r in [heads, *table]) for i in range(len(heads))]
    yield _aligned(heads, heads, widths), "bold"
    for row, texts in zip(found.searched, table):
        yield (
            _aligned(texts, heads, widths),
            STYLES.get(row.verdict, "bold red") if row.verdict not in ("holds", "implied") else "",
        )
        if row.note and row.verdict != "implied":
            yield f"    {row.note}", "yellow"


def _aligned(texts: Sequence[str], heads: Sequence[str], widths: Sequence[int]) -> str:
    return "  ".join(t.rjust(w) if h in NUMBERS else t.ljust(w) for t, h, w in zip(texts, heads, widths)).rstrip()


def _interrupted(found: Sweep) -> str:
    return f"interrupted: {counted(found.not_reached, 'configuration')} not reached"


def _skipped(found: Sweep) -> list[str]:
    """The combinations that the model refuses, gathered by reason."""
    return [f"skipped {counted(n, 'configuration')}: {reason}" for reason, n in _reasons(found, "skipped").items()]


def _wrong(found: Sweep) -> list[str]:
    """The combinations for which the model is wrong as written, gathered by reason: no property is judged there, so no
    sentence counts them."""
    return [
        f"wrong as written in {counted(n, 'configuration')}: {reason}" for reason, n in _reasons(found, "error").items()
    ]


def _reasons(found: Sweep, verdict: str) -> dict[str, int]:
    """How many rows have a verdict, by reason."""
    return Counter(row.note.split("\n")[0] for row in found.rows if row.verdict == verdict)


def sentence(s: Summary) -> str:
    """What the sweep says about one property."""
    undecided = (f", never put to the test in {s.untested}" if s.untested else "") + (
        f", not decided in {s.undecided}" if s.undecided else ""
    )
    undecided = (f", implied in {s.implied}" if s.implied else "") + undecided
    if s.smallest is None:
        return f"{s.property} holds in {s.holds}{undecided}"
    steps = "" if s.steps is None else f" in {counted(s.steps, 'step')}"
    held = f", holds in {s.holds}" if s.holds else ""
    where = s.smallest.label or "the default constants"
    return f"{s.property} is first violated at {where}{steps} (violated in {s.violated}{held}{undecided})"


# Files


def markdown_text(found: Sweep) -> str:
    """The table and the sentences as Markdown."""
    heads = columns(found)
    fixed = " ".join(f"{n}={written(v)}" for n, v in found.constants.items())
    rows = [_markdown_row(heads), _markdown_row(["---:" if h in NUMBERS else "---" for h in heads])]
    rows += [_markdown_row(cells(found, r)) for r in found.searched]
    notes = [f"{r.configuration.label}: {r.note}" for r in found.searched if r.note and r.verdict != "implied"]
    bullets = [
        *map(sentence, found.summaries()),
        *notes,
        *_skipped(found),
        *_wrong(found),
        *[_interrupted(found)] * (found.not_reached > 0),
    ]
    return "\n".join(
        [
            f"# {found.reference}",
            "",
            f"Constants that are alike: {fixed or 'none'}",
            "",
            *rows,
            "",
            *(f"* {b}" for b in bullets),
            "",
        ]
    )


def _markdown_row(texts: Sequence[str]) -> str:
    return "| " + " | ".join(t.replace("|", "\\|") for t in texts) + " |"


def data(found: Sweep) -> dict[str, Any]:
    """The sweep as JSON data."""
    return {
        "reference": found.reference,
        "constants": dict(found.constants),
        "varying": list(found.varying),
        "exit_code": found.exit_code,
        "seconds": round(found.seconds, 3),
        "validation": None if found.validation is None else found.validation.data(),
        "not_reached": found.not_reached,
        "rows": [_row_data(r) for r in found.rows],
        "properties": [
            {
                "name": s.property,
                "violated": s.violated,
                "holds": s.holds,
                "implied": s.implied,
                "untested": s.untested,
                "undecided": s.undecided,
                "smallest": None
                if s.smallest is None
                else {"given": dict(s.smallest.given), "constants": dict(s.smallest.constants), "steps": s.steps},
            }
            for s in found.summaries()
        ],
    }


def _row_data(row: Row) -> dict[str, Any]:
    head = {
        "given": dict(row.configuration.given),
        "constants": dict(row.configuration.constants),
        "verdict": row.verdict,
        "note": row.note,
    }
    if row.verdict in ("skipped", NOT_REACHED):
        return head
    return {
        **head,
        "exit_code": row.exit_code,
        "properties": [{"name": p.name, "verdict": p.verdict, "steps": p.steps} for p in row.properties],
        "distinct": row.distinct,
        "transitions": row.transitions,
        "depth": row.depth,
        "outcomes": row.outcomes,
        "seconds": round(row.seconds, 4),
        "bound": row.bound,
        "validation": None if row.validation is None else row.validation.data(),
    }
