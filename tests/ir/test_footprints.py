"""What instances read, write, send and take, and which conditions tell their cases apart."""

from __future__ import annotations

from typing import Any

from checker.catalogue import find
from checker.frontend.lower import lower
from checker.ir import show
from checker.ir.footprints.instances import Instance, Instances, Kind
from checker.ir.footprints.places import ANY, At, Member, Part
from checker.language.define import define


def instances(reference: str, **constants: Any) -> tuple[list[str], list[Instance]]:
    """The names of the actions, and the instances."""
    model = lower(define(find(reference).cls, constants))
    return [a.name for a in model.actions], Instances.of(model).found


def literals(instance: Instance) -> list[tuple[str, bool]]:
    return [(show.expression(x.condition), x.holds) for x in instance.literals]


def test_a_sender_has_an_instance_for_each_message() -> None:
    """Its counter decides which message is meant, so the values of the counter are told apart."""
    names, found = instances("reliable_multicast", workload=(2, 0))
    sending = [i for i in found if names[i.head.action] == "multicast"]
    assert [literals(i) for i in sending] == [[("(sent[p1] == 0)", True)], [("(sent[p1] == 1)", True)]]
    assert [[(w.part, w.raw, w.way) for w in i.writes] for i in sending] == [
        [(Part("sent", (At(0),)), 1, "grows")],
        [(Part("sent", (At(0),)), 2, "grows")],
    ]
    kinds = [{dict(k.identities)["body",] for k in i.sends} for i in sending]
    assert kinds == [{0}, {1}]


def test_a_receiver_has_an_instance_for_each_message_that_somebody_sends() -> None:
    """p2 sends nothing of its own, so it is never the source of what nobody relayed."""
    names, found = instances("basic_multicast", workload=(1, 0))
    received = [dict(i.head.opening.identities) for i in found if isinstance(i.head.opening, Kind)]
    assert [(r["source",], r["target",], r["body",]) for r in received] == [(0, 0, 0), (0, 1, 0)]


def test_cases_that_send_are_told_apart_from_those_that_do_not() -> None:
    """A message that is known already is received without anything else."""
    names, found = instances("reliable_multicast", workload=(1, 0))
    receipts = [
        i for i in found if isinstance(i.head.opening, Kind) and dict(i.head.opening.identities)["target",] == 1
    ]
    first, again = receipts[:2]
    assert literals(first) == [("(m1.1 in received[p2])", False)]
    assert literals(again) == [("(m1.1 in received[p2])", True)]
    assert len(first.sends) == 2 and first.takes
    assert not again.sends and not again.writes and again.takes
    assert Part("received", (At(1), Member(0))) in {r.part for r in first.reads}


def test_a_guard_on_what_the_step_itself_changes_is_one_of_the_state_before() -> None:
    """ISIS announces when the count that it has just raised is complete."""
    names, found = instances("isis", workload=(1, 0))
    collecting = [i for i in found if names[i.head.action] == "collect"]
    assert ("((replies[p1][m1.1] + 1) == 2)", True) in literals(collecting[0])
    assert [bool(i.sends) for i in collecting[:2]] == [True, False]


def test_what_a_message_says_in_numbers_is_left_open() -> None:
    """A proposal carries a timestamp: one kind for all of them, which is not exact."""
    names, found = instances("isis", workload=(1, 0))
    exact = {names[i.head.action]: i.head.opening.exact for i in found if isinstance(i.head.opening, Kind)}
    assert exact == {"propose": True, "collect": False, "agree": False}


def test_parts_overlap_where_they_may_be_the_same() -> None:
    whole, own, other = Part("held"), Part("held", (At(0),)), Part("held", (At(1),))
    some, member = Part("held", (At(ANY),)), Part("held", (At(0), Member(3)))
    assert own.overlaps(whole) and own.overlaps(some) and own.overlaps(member)
    assert not own.overlaps(other) and not other.overlaps(member) and not own.overlaps(Part("sent", (At(0),)))
    assert not member.overlaps(Part("held", (At(0), Member(2))))
    assert whole.covers(own) and own.covers(member) and not some.covers(own) and not own.covers(whole)
