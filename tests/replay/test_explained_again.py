"""A stored run gets the sentences that a search would give it today."""

from __future__ import annotations

from pathlib import Path

import pytest
from attrs import evolve

from checker.analysis.stored_trace import explained_again
from checker.report.directory import stored
from checker.report.marks import Mark
from checker.report.step_marks import step_marks

GALLERY = Path(__file__).resolve().parents[2] / "counterexamples"


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("basic_multicast/DeliverFirst-UniformAgreement", "before the edit it does not"),
        ("basic_multicast/AcknowledgeOnce-AllAcknowledged", "before the edit it sends Ack(m1.1) to p1"),
        # what a version does not send, in these words
        ("reliable_multicast/RelayOnFailure-UniformAgreement", "does not send m1.1 p3 → p2 (reliable_multicast.py:"),
        # of a member that only one version has, the element that decides the other version
        ("s_toto/LatestVote-PrefixOrder", ": for x = m3.1: for y = m3.2: m3.2 is not in past[m3.1] = {}"),
        # where the edit leaves a loop, the test that lets it do so
        (
            "optimistic_indentation/DecidedInGroup",
            "as it finds addressed(g1, m1.1) is false: addressed_table[0] is false",
        ),
    ],
)
def test_a_note_that_is_out_of_date_is_made_again(name: str, told: str) -> None:
    """Also of a run that repeats steps for ever; nothing else changes the second time."""
    trace = stored(str(GALLERY / f"{name}.itf.json"))
    old = evolve(trace, steps=[evolve(step, note="", cause=False, rule=None) for step in trace.steps])
    again = explained_again(old)
    (cause,) = (step for step in again.steps if step.cause)
    assert told in cause.note and cause.rule is not None
    assert explained_again(again) == again


def test_a_statement_that_the_witness_does_not_name_has_the_condition_on_what_it_is_called_with() -> None:
    """The last message in order is m1.2; here the one that makes m1.1 stale is put into the order."""
    again = explained_again(stored(str(GALLERY / "stale_discard" / "FifoOrder.itf.json")))
    assert "does order.append(m2.1) (stale_discard.py:" in again.settles
    assert ", because stale(m2.1) is false (stale_discard.py:" in again.settles


def test_that_the_protocol_before_the_edit_breaks_the_property_too_is_kept() -> None:
    """It is not searched again, and said in the words of today; a line of the edit's class has its name."""
    trace = stored(str(GALLERY / "sequencer" / "ViaSequencer-Agreement.itf.json"))
    again = explained_again(evolve(trace, former="It was so before.", decides="", blocked=()))
    assert again.former == "Broken in Sequencer too, with these constants, in 14 steps"
    assert again.decides.startswith("deliverable(p2, m2.1) stays false (sequencer.py:")
    assert " of ViaSequencer: due(p2, 2) is false (sequencer.py:" in again.decides


@pytest.mark.parametrize(
    ("name", "earlier"), [("consensus_attempts/agreement", 6), ("optimistic_destinations/OptimisticOrder", None)]
)
def test_beside_another_statement_an_earlier_step_is_named_if_it_concerns_what_the_sentence_names(
    name: str, earlier: int | None
) -> None:
    """That v2 gets known is said beside the decision for v2; that a barrier rises is not, beside two messages."""
    again = explained_again(stored(str(GALLERY / f"{name}.itf.json")))
    assert again.opposes and again.earlier == earlier and bool(again.settles) == (earlier is not None)


def test_where_nothing_is_in_flight_because_of_crashes_these_are_named() -> None:
    """No rule keeps the decision from happening; both crashes have a mark."""
    again = explained_again(stored(str(GALLERY / "consensus" / "not_blocked.itf.json")))
    idle = "nothing in flight to p3 for: receive_estimate, receive_proposal"
    assert again.decides == f"p1 crashes at step 1, p2 crashes at step 2; {idle}"
    assert step_marks(again) == {1: Mark.WHY_NOT, 2: Mark.WHY_NOT}
    without = explained_again(stored(str(GALLERY / "consensus" / "HeardOf-Decision.itf.json")))
    assert without.decides == ""
