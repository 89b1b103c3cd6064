"""A CAUSE at the end and the reason why its step is disabled are said once."""

from __future__ import annotations

from pathlib import Path

import pytest
from attrs import evolve

from checker.analysis.stored_trace import explained_again
from checker.report.at_end import repeats
from checker.report.directory import stored
from checker.report.grid import grid
from checker.report.marks import Mark
from checker.report.said import Weight
from checker.report.space_time import space_time
from checker.report.step_marks import step_marks
from checker.report.wording import guilty_parts, guilty_said, shown_blocked
from checker.trace.former import Contrast
from checker.trace.itf import to_itf
from checker.trace.read_itf import from_itf
from checker.trace.reasons import Reason
from checker.trace.trace import Step, Trace

GALLERY = Path(__file__).resolve().parents[2] / "counterexamples"
SINCE = Reason("so since step 1, send(p2)", steps=(1,))
DISABLED = Reason("take(p1) is disabled: x = 1 is not 0 (m.py:3)", "disabled", about=["take(p1)"], placed=True)
CAUSE = Contrast("at the end, take(p1): it is disabled (m.py:3): x = 1 is not 0", "it is enabled", instance="take(p1)")
RUN = Trace(
    model="m",
    property="P",
    kind="quiescence",
    states=[{}, {}],
    steps=[Step(1, "send", {"p": "p2"}, "p2")],
    lanes=("p1", "p2"),
    contrast=CAUSE,
    cause=CAUSE.text,
    found_by="ending",
)


def test_the_reason_adds_since_when_the_step_is_disabled() -> None:
    """It has no line of its own, and the step that it names has its mark."""
    for trace in (run := evolve(RUN, blocked=[DISABLED.continued(SINCE)]), from_itf(to_itf(run))):
        (sentence,) = guilty_said(trace)
        assert [said.text for said in sentence] == [f"CAUSE {CAUSE.now};", f"{SINCE};", "before the edit it is enabled"]
        assert [said.weight for said in sentence] == [Weight.STRONG, Weight.PLAIN, Weight.PLAIN]
        assert shown_blocked(trace) == () and step_marks(trace) == {1: Mark.WHY_NOT}


def test_a_reason_that_adds_nothing_is_left_out_and_another_one_stays() -> None:
    """Another step may be disabled for a reason of its own; a CAUSE that is a step says nothing of the end."""
    other = Reason("take(p2) is disabled: y = 1 is not 0 (m.py:4)", "disabled", about=["take(p2)"], placed=True)
    trace = evolve(RUN, blocked=[DISABLED, other])
    assert shown_blocked(trace) == (other,) and step_marks(trace) == {}
    assert guilty_parts(trace) == [f"CAUSE {CAUSE.now}; before the edit it is enabled"]
    elsewhere = evolve(trace, contrast=evolve(CAUSE, instance=""))
    assert shown_blocked(elsewhere) == (DISABLED, other)


def test_a_protocol_that_takes_one_thread_says_once_why_the_last_message_waits() -> None:
    """The condition that disables the receipt is that of the CAUSE."""
    run = explained_again(stored(str(GALLERY / "sequencer" / "OneThread-Termination.itf.json")))
    (told,) = guilty_parts(run)
    assert told.startswith("CAUSE at the end, numbered(p1, p1, m1.1, 0): ") and "; so since step 5, " in told
    assert not any(repeats(run, reason) for reason in shown_blocked(run)) and step_marks(run)[5] is Mark.WHY_NOT


def test_the_last_row_of_a_picture_has_the_word_of_a_cause_at_the_end() -> None:
    end = grid(RUN).rows[-1]
    assert end.mark is Mark.CAUSE and [line.text for line in end.changes][0] == Mark.CAUSE
    assert space_time(RUN).count(f">{Mark.CAUSE}<") == 1
    assert grid(evolve(RUN, found_by="initial")).rows[-1].mark is None


@pytest.mark.parametrize(
    ("name", "told", "marks"),
    [
        (
            "reliable_multicast/RelayWhatWasHeld-Agreement",
            "; so since step 3, relay(p3, m1.1): does noticed[p3].add(p1) (reliable_multicast.py:",
            {1: Mark.WHY_NOT, 3: Mark.WHY_NOT},
        ),
        (
            "learners_two_leaders/OnlyNewPlaces-everything_delivered",
            "; so since step 3, promise(a1): does promised.add(a1) (learners_two_leaders.py:",
            {3: Mark.WHY_NOT},
        ),
    ],
)
def test_since_when_the_step_is_disabled_is_known_where_no_reason_for_what_is_missing_is_about_it(
    name: str, told: str, marks: dict[int, Mark]
) -> None:
    """The step of the CAUSE leads to what is missing by others, so it is none of the reasons why not."""
    run = explained_again(stored(str(GALLERY / f"{name}.itf.json")))
    assert told in guilty_parts(run)[0] and step_marks(run) == marks
