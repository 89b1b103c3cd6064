"""Whatever a model writes has an effect or is refused: every row of the table in docs/language.md, tried in a model, an
edit and a property class."""

from __future__ import annotations

import re
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from checker.analysis.check import check
from checker.catalogue import in_file
from checker.language import Model, UsageError
from checker.language.expectation import expectations
from checker.report.suites import suite_of_check
from checker.results.checked import Report
from checker.trace.trace import Trace
from tests.language.written import ROWS, Row, source

PAGE = Path(__file__).resolve().parents[2] / "docs" / "language.md"
COLUMNS = ("model", "edit", "property")


def stated() -> dict[str, tuple[str, ...]]:
    """The table of the page: what a row says of each kind of class."""
    text = PAGE.read_text(encoding="utf-8").split("| written | in a model | in an edit | in a property |\n")[1]
    rows = (re.split(r" *(?<!\\)\| *", line)[1:-1] for line in text.split("\n\n")[0].splitlines()[1:])
    return {written: tuple(outcomes) for written, *outcomes in rows}


DIRECTORY = tempfile.TemporaryDirectory()


@cache
def reported(text: str, column: str, constants: tuple[tuple[str, object], ...]) -> tuple[Report, type[Model]]:
    """The report of a check of the model or the edit of this text."""
    directory = Path(DIRECTORY.name)
    path = directory / f"written_{sum(1 for _ in directory.iterdir())}.py"  # a file is read once
    path.write_text(text, encoding="utf-8")
    entry = next(e for e in in_file(path) if e.cls.__name__ == ("Edited" if column == "edit" else "M"))
    return check(entry.cls, entry.reference, dict(constants), engine="interpreter", stop_at_first=False), entry.cls


def said(report: Report, cls: type[Model]) -> tuple[Any, ...]:
    """What somebody sees of a check, findings aside: verdict, counts, properties with what explains them, actions,
    constants, texts, what is expected."""
    properties = [(p.name, p.kind, p.verdict, p.steps, p.trace and _shown(p.trace)) for p in report.properties]
    counts = report.distinct, report.transitions, report.initial, report.quiescent, report.outcomes
    texts = report.doc, [c.meaning for c in suite_of_check(report, cls).cases]
    return (
        report.verdict,
        counts,
        properties,
        [a.name for a in report.actions],
        report.constants,
        texts,
        expectations(cls),
    )


def _shown(trace: Trace) -> tuple[Any, ...]:
    """What a reader of a run sees besides its steps."""
    return trace.witness, [step.label for step in trace.steps], trace.shared


def outcome(row: Row, column: str) -> str:
    """What becomes of a row: refused (with a place and a remedy), a finding, an effect, or nothing."""
    try:
        found, cls = reported(source(row, column, True), column, row.constants)
    except UsageError as error:
        assert error.line is not None and error.remedy, f"no place or no remedy: {error}"
        assert not error.message.startswith("reading the model failed"), (
            f"refused by Python, not by the language: {error}"
        )
        return "refused"
    without, base = reported(source(row, column, False), column, row.constants)
    new = {(f.kind, f.subject) for f in found.findings} - {(f.kind, f.subject) for f in without.findings}
    kinds = sorted({kind for kind, _ in new} & {"never-called", "never-read", "no-event"})
    return f"finding {kinds[0]}" if kinds else "effect" if said(found, cls) != said(without, base) else "nothing"


def test_the_table_and_the_rows_are_the_same() -> None:
    """Neither has a row that the other has not."""
    assert list(stated()) == list(ROWS)


@pytest.mark.parametrize("column", COLUMNS)
@pytest.mark.parametrize("written", ROWS)
def test_what_is_written_becomes_what_the_table_states(written: str, column: str) -> None:
    """The outcome of each row in each kind of class; a dash: it cannot be written there."""
    expected = stated()[written][COLUMNS.index(column)]
    if expected != "-":
        assert outcome(ROWS[written], column) == expected
