"""A step that settles a violation is named with a reason: a condition, or that it is a fault or a crash itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from checker.analysis.stored_trace import explained_again
from checker.report.directory import stored
from checker.report.step_marks import step_marks
from checker.report.wording import guilty_line
from checker.trace.trace import Trace

GALLERY = Path(__file__).resolve().parents[2] / "counterexamples"


def again(run: str) -> Trace:
    """A run of the gallery, explained again."""
    return explained_again(stored(str(GALLERY / f"{run}.itf.json")))


@pytest.mark.parametrize("run", ["causal_broadcast/NoDuplication", "optimistic_delivery/OptimisticOrder"])
def test_a_step_without_a_condition_is_not_named(run: str) -> None:
    """That a message is taken, or a decision noted, is in the drawing."""
    found = again(run)
    assert found.settled is None and "SETTLED" not in guilty_line(found)
    assert "SETTLED" not in step_marks(found).values() and not any("continuation" in step.note for step in found.steps)


def test_a_fault_is_its_own_reason() -> None:
    """The second copy lets the message be delivered twice."""
    found = again("basic_multicast/NoDuplication")
    assert "; SETTLED, step 2, duplicate_net(p1, p1, m1.1); " in guilty_line(found)
    assert step_marks(found)[2] == "SETTLED"


def test_what_a_crash_cuts_off_does_not_happen() -> None:
    """The second process crashes before its answer is sent."""
    found = again("isis/WithoutGaps-UniformGapFreeTotalOrder")
    does = "crashes before sending Proposal(m1.1, Stamp(3, p2)) to p1 (isis.py:54)"
    assert f"; SETTLED, step 11, propose(p2, p1, m1.1): {does}; AGAINST" in guilty_line(found)


def test_that_a_step_leaves_out_what_the_violation_is_about_is_a_reason() -> None:
    """p2 has not delivered m1.1, and orders m2.1 without it."""
    found = again("stale_discard/EachForItself-OptimisticOrder")
    head = "; SETTLED, step 11, decide(p2): does order.append(m2.1) (optimistic_delivery.py:"
    why = ", because batch leaves out m1.1: m1.1 is not in optimistic[p2] = [m2.1] (optimistic_delivery.py:"
    assert head in guilty_line(found) and why in guilty_line(found) and step_marks(found)[11] == "SETTLED"
