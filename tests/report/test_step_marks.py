"""Which step of a run has which mark, in every form."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import evolve

from checker.report.grid import grid
from checker.report.html import page_data
from checker.report.marks import Mark
from checker.report.mermaid import mermaid
from checker.report.space_time import space_time
from checker.report.step_marks import step_marks
from checker.report.text import text_report
from checker.trace.events import Lost, Send
from checker.trace.reasons import Reason
from checker.trace.trace import Step, Trace

SINCE = Reason("ready(p2) stays false", "rule", about=["ready(p2)"]).continued(
    Reason("so since step 3, send(p2)", steps=(3,))
)


def run(kind: str, steps: int = 5, **known: Any) -> Trace:
    """A run of steps of two processes."""
    taken = [Step(n, "send", {"p": f"p{1 + n % 2}"}, f"p{1 + n % 2}") for n in range(1, steps + 1)]
    return Trace(
        model="m", property="P", kind=kind, states=[{}] * (steps + 1), steps=taken, lanes=("p1", "p2"), **known
    )


@pytest.mark.parametrize(
    "known, marks",
    [
        ({"decides": "does x"}, {5: Mark.VIOLATION}),
        ({"settled": 2, "settles": "SETTLED, step 2"}, {2: Mark.SETTLED, 5: Mark.VIOLATION}),
        ({"earlier": 3, "settles": "EARLIER, step 3"}, {3: Mark.EARLIER, 5: Mark.VIOLATION}),
        ({"opposite": (1, 4), "opposes": ("AGAINST, step 1", "AGAINST, step 4")}, {1: Mark.AGAINST, 4: Mark.AGAINST}),
        ({"also": (4,), "cause": "at the end"}, {4: Mark.CAUSE_TOO}),
        ({"differing": (1, 3), "found_by": "unproved"}, {1: Mark.DIFFERS, 3: Mark.DIFFERS}),
    ],
)
def test_each_line_of_the_head_marks_its_step(known: dict[str, Any], marks: dict[int, Mark]) -> None:
    """Each role that a step has in the head of a violation by a step is a mark."""
    assert step_marks(run("invariant", **known)) == {5: Mark.VIOLATION, **marks}


def test_a_step_with_two_roles_has_the_stronger_mark() -> None:
    """The CAUSE may settle the violation, and be a reason why something is missing."""
    trace = run("quiescence", settled=2, earlier=3, opposite=(3,), blocked=[Reason("lost at step 2", "lost", (2,))])
    assert step_marks(trace) == {2: Mark.SETTLED, 3: Mark.AGAINST}
    caused = evolve(trace, steps=[evolve(step, cause=step.number == 2) for step in trace.steps])
    assert step_marks(caused)[2] is Mark.CAUSE


def test_a_reason_marks_the_steps_that_it_names_also_where_it_is_the_line_that_decides() -> None:
    """So does the step since which a condition has its value."""
    assert SINCE == "ready(p2) stays false; so since step 3, send(p2)" and SINCE.steps == (3,)
    for decides in ("", str(SINCE)):
        trace = run("quiescence", blocked=[SINCE], decides=decides)
        assert step_marks(trace) == {3: Mark.WHY_NOT}
        assert "3 p2  send   send(p2)   WHY NOT\n" in text_report(trace, headed=False)
        assert page_data(trace)["steps"][3]["mark"] == "WHY NOT"
        assert "3 send (WHY NOT)" in mermaid(trace) and space_time(trace).count(">WHY NOT<") == 1


def test_beside_a_step_that_is_the_cause_only_a_fault_is_marked_as_a_reason() -> None:
    """What a process did at step 3 may be right."""
    for reason, marks in (SINCE, {}), (Reason("m1 to p2 is lost at step 3", "lost", (3,)), {3: Mark.WHY_NOT}):
        trace = run("quiescence", blocked=[reason])
        assert step_marks(trace) == {3: Mark.WHY_NOT}
        caused = evolve(trace, steps=[evolve(step, cause=step.number == 4) for step in trace.steps])
        assert step_marks(caused) == {4: Mark.CAUSE, **marks}


def test_a_loss_has_its_mark_although_no_lane_has_a_box_for_it() -> None:
    """The mark stands among the changes of the row, and at the crossed arrow of a sequence diagram."""
    trace = run("quiescence", 3, blocked=[Reason("m1 to p2, sent at step 1, is lost at step 3", "lost", (1, 3))])
    sends = evolve(trace.steps[0], lane="p1", args={"p": "p1"}, events=[Send(1, "p1", "p2", "m1")])
    loses = Step(3, "lose", {}, events=[Lost(1)], fault=True)
    trace = evolve(trace, steps=[sends, trace.steps[1], loses])
    row = grid(trace).rows[3]
    assert row.mark is Mark.WHY_NOT and row.changes[0].text == Mark.WHY_NOT and not row.changes[0].alarm
    assert "p1-xp2: 3 m1 lost (WHY NOT)" in mermaid(trace)


def test_a_marked_step_of_a_long_run_is_drawn() -> None:
    """Steps without events are folded in a run of more than 40 steps, unless they have a mark."""
    trace = run("quiescence", 90, blocked=[Reason("so since step 40", steps=(40,))])
    assert [row.label for row in grid(trace).rows if row.marks] == ["40"]
    assert not [row.label for row in grid(evolve(trace, blocked=())).rows if row.label == "40"]
