"""Every run of the gallery: a step that the head of its picture names has its mark, and each mark has its line.

One kind of step is named and has no mark: beside a CAUSE, what a process did right, which "why not" may name.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from checker.report.grid import grid
from checker.report.html import page_data
from checker.report.lines import plain
from checker.report.marks import Mark
from checker.report.mermaid import mermaid
from checker.report.space_time import space_time
from checker.report.step_marks import step_marks
from checker.report.text import report_lines
from checker.report.wording import caption, guilty_parts, head_reasons, shown_blocked, title
from checker.trace.read_itf import read_trace
from checker.trace.trace import Trace

GALLERY = Path(__file__).resolve().parents[3] / "counterexamples"
RUNS = sorted(GALLERY.glob("*/*.itf.json"))
NAMED = re.compile(r"\bsteps? (\d+(?:(?:, \d+)* and \d+)?)")
LINES = {
    Mark.CAUSE: ("CAUSE, step ",),
    Mark.CAUSE_TOO: ("CAUSE, step ",),
    Mark.DIFFERS: ("CAUSE, step ",),
    Mark.SETTLED: ("SETTLED, step ",),
    Mark.AGAINST: ("AGAINST, step ",),
    Mark.EARLIER: ("EARLIER, step ",),
    Mark.WHY_NOT: ("WHY NOT", "CAUSE at the end"),
    Mark.VIOLATION: ("violated at step ",),
    Mark.CAUSE_AND_VIOLATION: ("CAUSE, step ",),
    Mark.REACHED: ("reached at step ",),
}
"""What the line of the head with the step begins with, or, for the last step, the title has."""


def head(trace: Trace) -> list[str]:
    """The lines of the head of a picture that name steps as reasons."""
    reasons = (f"WHY NOT: {text}" for what, text in caption(trace, None, shown_blocked(trace)) if what == "why not")
    return [*guilty_parts(trace), *reasons]


def right(trace: Trace) -> set[int]:
    """The steps of processes, no crashes and losses, that only "why not" names beside a CAUSE."""
    if not any(step.cause for step in trace.steps):
        return set()
    harmful = {n for reason in head_reasons(trace) if reason.kind in ("crash", "lost") for n in reason.steps}
    return set().union(*map(named, head(trace))) - set().union(*map(named, guilty_parts(trace))) - harmful


@cache
def drawn(run: Path) -> str:
    """The picture as Graphviz text."""
    return space_time(read_trace(run))


def named(text: str) -> set[int]:
    """The numbers of the steps that a sentence names: "step 3", "steps 6, 7 and 13"."""
    return {int(number) for found in NAMED.findall(text) for number in re.findall(r"\d+", found)}


@pytest.mark.parametrize("folder", sorted({run.parent for run in RUNS}), ids=lambda folder: folder.name)
def test_the_steps_of_the_head_are_the_marked_ones(folder: Path) -> None:
    """No step is named above a drawing that has no mark in it, and no step has a mark that nothing above explains."""
    for run in sorted(folder.glob("*.itf.json")):
        trace = read_trace(run)
        marks, lines = step_marks(trace), head(trace)
        unmarked = set().union(*map(named, lines)) - marks.keys() - right(trace)
        assert not unmarked, f"{run.name}: {unmarked}"
        for number, mark in marks.items():
            told = [
                line
                for line in (title(trace), *lines)
                if number in named(line) and any(word in line for word in LINES[mark])
            ]
            assert told or mark is Mark.VIOLATION and trace.kind in ("error", "assert"), f"{run.name}: {number} {mark}"


@pytest.mark.parametrize("folder", sorted({run.parent for run in RUNS}), ids=lambda folder: folder.name)
def test_a_picture_has_two_bold_lines_above_its_lanes(folder: Path) -> None:
    """What happened, which is larger, and the beginning of the guilty rule or statement, if there is one."""
    for run in sorted(folder.glob("*.itf.json")):
        trace = read_trace(run)
        label = drawn(run).partition("label=<")[2].partition("  node ")[0]
        below = re.findall(r'POINT-SIZE="11"><B>(.*?)</B>', label)
        assert len(below) == bool(guilty_parts(trace)), f"{run.name}: {below}"
        assert label.count("<B>") == len(below) + label.count('POINT-SIZE="15"')


@pytest.mark.parametrize("folder", sorted({run.parent for run in RUNS}), ids=lambda folder: folder.name)
def test_each_form_has_the_marks(folder: Path) -> None:
    """The picture, the page, the text and the sequence diagram mark the same steps with the same words."""
    for run in sorted(folder.glob("*.itf.json")):
        trace = read_trace(run)
        picture, marks, lines = grid(trace), step_marks(trace), [*map(plain, report_lines(trace))]
        sequence, page = mermaid(trace), page_data(trace)["steps"]
        for number, mark in marks.items():
            row = picture.rows[picture.row_of[number]]
            assert not row.folded and (mark in row.marks.values() or row.mark is mark), f"{run.name}: step {number}"
            assert mark in drawn(run) and mark in sequence, f"{run.name}: {mark}"
            words = mark.split(" AND ") if number not in trace.also else [Mark.CAUSE_TOO, *mark.split(" AND ")[1:]]
            assert all(f"({word})" in page[number]["title"] for word in words), f"{run.name}: {page[number]['title']}"
            line = next(line for line in lines if re.match(rf" *{number} ", line))
            assert all(f"   {word}" in line for word in words), f"{run.name}: {line}"
