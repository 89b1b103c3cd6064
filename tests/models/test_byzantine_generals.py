"""Three generals with oral messages: no rule of decision works, whatever it makes of the order and of what the peer tells."""

from itertools import product

import pytest

from checker.check import check
from models.byzantine_generals import ByzantineGenerals, ThreeByTable

BROKEN = {"agreement", "integrity"}


def broken(cls: type, constants: dict[str, object]) -> set[str]:
    """The names of the properties that are violated."""
    report = check(cls, cls.__name__, constants, engine="interpreter", traces=False, stop_at_first=False)
    return {p.name for p in report.properties if p.verdict == "violated"}


@pytest.mark.parametrize("table", list(product((0, 1), repeat=4)))
def test_every_rule_for_three_generals_fails(table: tuple[int, ...]) -> None:
    """All sixteen functions of (ordered, told by the peer) break agreement or integrity with one traitor."""
    assert broken(ThreeByTable, {"table": table}) & BROKEN


@pytest.mark.parametrize("table", [(0, 0, 1, 1), (0, 1, 0, 1), (0, 0, 0, 1), (0, 1, 1, 1)])
def test_without_traitors_any_rule_that_respects_unanimity_works(table: tuple[int, ...]) -> None:
    """The traitor is what breaks these rules: with loyal generals both messages are the same."""
    assert not broken(ThreeByTable, {"table": table, "traitors": 0})


def test_a_treacherous_commander_can_leave_four_generals_without_majority() -> None:
    """Lecture, N = 4 with a faulty commander: v, w, u to the three lieutenants; all decide for nothing."""
    model = ByzantineGenerals(values=3)
    commander, *lieutenants = model.Process
    model.disloyal.add(commander)
    for p in lieutenants:
        for q, value in zip(lieutenants, model.Value):
            model.hear(p, commander if p == q else q, value)
    assert [model.decision[p] for p in lieutenants] == [None, None, None]
    assert all(p in model.decided for p in lieutenants)


def test_a_treacherous_lieutenant_is_outvoted() -> None:
    """Lecture, N = 4 with faulty p3: p2 gathers v, w, v and decides for v."""
    model = ByzantineGenerals()
    p1, p2, p3, p4 = model.Process
    v, w = model.Value
    model.disloyal.add(p3)
    for q, value in ((p1, v), (p3, w), (p4, v)):
        model.hear(p2, q, value)
    assert model.decision[p2] == v
