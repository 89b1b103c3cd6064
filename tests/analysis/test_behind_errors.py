"""Where a step is an error, the states after it are not explored: the error is named beside a violation, and the
numbers of states are no costs."""

from __future__ import annotations

import pytest

from checker.analysis.check import check
from checker.analysis.compare.comparison import compare
from checker.analysis.compare.side import Side
from checker.language import Int, action, invariant, reachable, require, var
from checker.language.model import Model
from checker.report.compare.summary import summary
from checker.results.verdict import Verdict


class Counters(Model):
    """Two counters with ends."""

    a = var(Int(0, 4), 0)
    b = var(Int(0, 4), 0)

    @action
    def up(self):
        require(self.a < 4)
        self.a += 1

    @action
    def other(self):
        require(self.b < 2)
        self.b += 1

    @invariant
    def small(self) -> bool:
        return self.b < 3

    @invariant
    def together(self) -> bool:
        return self.a + self.b < 12

    @reachable
    def far(self) -> bool:
        return self.a == 3 and self.b == 4


class NoEnds(Counters):
    """EDIT: one counter leaves its type, and the other breaks a property before."""

    @action
    def up(self):
        self.a += 1

    @action
    def other(self):
        require(self.b < 3)
        self.b += 1


@pytest.mark.parametrize("engine", ["interpreter", "native"])
def test_an_error_is_named_beside_a_violation(engine: str) -> None:
    """The violation and the error are both there, whichever comes first."""
    found = {p.name: p.verdict for p in check(NoEnds, "NoEnds", stop_at_first=False, engine=engine).properties}
    assert found.pop("small") is Verdict.VIOLATED
    assert found.pop("together") is Verdict.HOLDS and found.pop("far") is Verdict.UNREACHABLE
    assert list(found.values()) == [Verdict.VIOLATED]
    assert check(Counters, "Counters", only=["together"]).properties[0].verdict is Verdict.HOLDS


def test_states_of_a_search_that_an_error_cut_off_are_no_cost() -> None:
    """They are compared where both searches are whole."""
    base = Side(Counters, "Counters")
    cut, whole = compare(base, Side(NoEnds, "NoEnds")), compare(base, Side(Counters, "again"))
    assert dict(e[:2] for e in summary(cut))["cost"] == "not compared: an error cut off runs of the edit"
    assert "15 states" in dict(e[:2] for e in summary(whole))["cost"]
