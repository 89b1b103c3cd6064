"""The head of a report has two strong lines: what happened, and the guilty rule or statement."""

from __future__ import annotations

import re
from typing import Any

import pytest

from checker.report.html import html_report
from checker.report.markdown import markdown_summary
from checker.report.said import Weight
from checker.report.space_time import space_time
from checker.report.text import guilty_lines
from checker.report.wording import guilty_line, guilty_said
from checker.trace.former import Contrast
from checker.trace.trace import Step, Trace

CONTRAST = Contrast("is true (m.py:3): x = 1", "it is false (m.py:2): x = 1 is not 2", subject="fits(p1)")
LONG = " and ".join(f"limit[p{n}] = {n} is not none" for n in range(1, 20))
FURTHER = {"settled": 2, "settles": "SETTLED, step 2, send(p1)", "opposite": (1,), "opposes": ("AGAINST, step 1: it",)}
WHY = {"statement": "does it (m.py:4)", "because": "fits(p1) is true (m.py:3)"}
DECIDES = {"decides": "does it (m.py:4), because fits(p1) is true (m.py:3)", **WHY}
START = {"cause": "in the initial state"}


def run(kind: str = "invariant", caused: int = 0, **known: Any) -> Trace:
    """A run of three steps of one process, one of them the CAUSE."""
    steps = [Step(n, "send", {"p": "p1"}, "p1", cause=n == caused) for n in (1, 2, 3)]
    return Trace(model="m", property="P", kind=kind, states=[{}] * 4, steps=steps, lanes=("p1",), **known)


RUNS = {
    "a CAUSE": (run(caused=2, contrast=CONTRAST), "CAUSE, step 2, send(p1): fits(p1) is true (m.py:3): x = 1;"),
    "a CAUSE at the start": (
        run(contrast=CONTRAST, found_by="initial", **FURTHER, **DECIDES, **START),
        "CAUSE fits(p1) is true (m.py:3): x = 1;",
    ),
    "a condition": (run(**DECIDES, **FURTHER), "because fits(p1) is true (m.py:3)"),
    "a statement": (run(decides="does it (m.py:4)", **FURTHER), "VIOLATION, step 3, send(p1): does it (m.py:4)"),
    "a rule of an earlier step that another class repairs": (
        run(**DECIDES, **FURTHER, mended=True),
        "SETTLED, step 2, send(p1)",
    ),
    "a CAUSE at the start before such a rule": (
        run(contrast=CONTRAST, found_by="initial", **FURTHER, **DECIDES, **START, mended=True),
        "CAUSE fits(p1) is true (m.py:3): x = 1;",
    ),
    "a base that is broken too": (run(former="Broken", **DECIDES), "because fits(p1) is true (m.py:3)"),
    "something missing": (run("quiescence", decides="it waits"), "WHY NOT: it waits"),
    "a base with the run": (run("quiescence", former="Broken too"), "Broken too"),
}


@pytest.mark.parametrize("name", RUNS)
def test_one_line_below_the_title_is_strong_in_every_form(name: str) -> None:
    """It is the guilty rule or statement, with its line."""
    trace, strong = RUNS[name]
    said = [said for part in guilty_said(trace) for said in part]
    assert [s.text for s in said if s.weight is Weight.STRONG] == [strong]
    assert [text for ((text, style),) in guilty_lines(trace) if style == "bold"] == [strong]
    page, summary = html_report(trace), markdown_summary(trace)
    assert re.findall("<strong>(.*?)</strong>", page) == [strong]
    assert re.findall(r"\*\*(.*?)\*\*", summary.partition("```")[0].replace("\\", "")) == [strong]
    assert bold(trace)[1:] == [strong]


def test_a_line_in_two_weights_is_one_sentence() -> None:
    """What stands before and behind the strong part is the rest of it."""
    told = "CAUSE, step 2, send(p1): fits(p1) is true (m.py:3): x = 1; "
    told += "before the edit it is false (m.py:2): x = 1 is not 2"
    assert guilty_line(RUNS["a CAUSE"][0]) == told
    told = "VIOLATION, step 3, send(p1): does it (m.py:4), because fits(p1) is true (m.py:3)"
    assert guilty_line(run(**DECIDES)) == told and guilty_line(run(decides=DECIDES["decides"])) == told


def test_a_strong_line_that_a_picture_breaks_is_bold_in_its_first_part() -> None:
    """So the head of a picture has two bold lines, however long the reason is."""
    first = bold(run(decides=f"does it, because {LONG}", statement="does it", because=LONG))[1:]
    assert (
        len(first) == 1 and first[0].startswith("because limit[p1] = 1 is not none") and LONG.startswith(first[0][8:])
    )


def test_bold_ends_behind_a_cited_line_or_a_condition_not_within_a_comparison() -> None:
    """A bold line that ends with 'b.time = 2', and goes on with 'is not > a.time = 2', reads as an equality."""
    told = "pick(m1.1, m2.1) is m1.1 (isis.py:524): b.time = 2 is not > a.time = 2"
    assert bold(run(decides=f"does it, because {told}", statement="does it", because=told))[1:] == [
        "because pick(m1.1, m2.1) is m1.1 (isis.py:524):"
    ]
    first = bold(run(decides=f"does it, because {LONG}", statement="does it", because=LONG))[1]
    assert LONG.startswith(first[8:]) and LONG[len(first) - 8 :].startswith(" and limit")


def bold(trace: Trace) -> list[str]:
    """The bold lines above the lanes of a picture."""
    drawn = space_time(trace)
    label = drawn[drawn.index("label=<") : drawn.index("  node ")]
    return re.findall(r"<B>(.*?)</B>", label)
