"""Algorithm 3 with its five repairs keeps total order where groups only receive: also in the configuration in which the
printed line 41 violates it, whose whole state space is too large for a search.

An explorer of its own decides it (`algorithm_3_repaired.py`), and agrees with the model where that can be searched.
"""

from __future__ import annotations

import pytest

from checker.analysis.check import outcomes
from checker.catalogue import find
from tests.models.algorithm_3_repaired import Message, agree, decide, decisions, disagreements, views

RECEIVED = [(1,), (1, 1), (2, 1), (3, 1), (2, 2)]
LARGER = [(1, 1, 1), (3, 2)]


@pytest.mark.parametrize(
    "workload", [*RECEIVED, *(pytest.param(w, marks=pytest.mark.thorough) for w in LARGER)], ids=str
)
def test_everything_is_delivered_in_one_order(workload: tuple[int, ...]) -> None:
    """Whatever the sources decide, and in whatever order a process reads their logs."""
    decided, disagreeing = disagreements(workload)
    assert decided > 0 and disagreeing == 0


def test_without_identifiers_two_messages_are_delivered_in_two_orders() -> None:
    """Line 41 compares timestamps alone; so the explorer finds what the repair mends."""
    assert disagreements((1, 1), ties=False) == (10, 2)
    assert disagreements((2, 2), ties=False)[1] > 0


def test_the_decided_configuration_has_so_many_decisions() -> None:
    """Two messages of each of two groups, as on the page."""
    assert disagreements((2, 2)) == (140, 0)


@pytest.mark.parametrize("workload", [(1, 1), pytest.param((2, 1), marks=pytest.mark.thorough)], ids=str)
def test_the_model_delivers_in_the_same_orders(workload: tuple[int, ...]) -> None:
    """The orders of all runs together, at a process of the group that only receives."""
    settings = {"workload": (*workload, 0), "groups": (1, 2, 3), "destinations": (3,) * sum(workload)}
    found = outcomes(find("optimistic_multicast_3:Repaired").cls, settings, reduce=True)
    by_model = {
        tuple(map(str, delivered)) for one in found for p, delivered in one["delivered"].items() if str(p) == "p3"
    }
    assert by_model == {tuple(map(name, order)) for logs in decisions(workload) for order in views(logs)}


def name(m: Message) -> str:
    """As the model writes it."""
    return f"m{m[1] + 1}.{m[2] + 1}"


def test_a_message_that_comes_late_is_raised() -> None:
    """Lines 29 and 30, with >=: above an equal timestamp too."""
    first, late = ((0, 0, 0), (1, 0)), ((0, 0, 1), (1, 0))
    assert decide((), frozenset({first, late})) == (first, ((0, 0, 1), (1, 1)))
    assert not agree(frozenset({((0, 0, 0),), ()}), 1)
