"""Steps that the protocol before the edit does not allow, of which none is enough alone and each can be left out: the
first of the smallest choices that are enough together is the CAUSE.
"""

from __future__ import annotations

import pytest

from checker.analysis.check import check
from checker.language import Bool, Ids, Int, Map, Seq, action, invariant, require, rule, var
from checker.language.model import Model
from checker.replay import rearranged
from checker.report.wording import guilty_line
from checker.trace.trace import Trace


class Choice(Model):
    """After the bell each guest takes both dishes; the bell says with which of them all begin."""

    Guest = Ids("g", 2)
    Dish = Int(1, 2)
    taken = var(Map[Guest, Seq[Dish, 2]])
    begin = var(Int(0, 2), 0)
    rung = var(Bool, False)

    @rule
    def may_take(self, g: Guest, x: Dish) -> bool:
        return self.rung and (len(self.taken[g]) > 0 or x == self.begin)

    @action
    def take(self, g: Guest, x: Dish):
        require(x not in self.taken[g] and self.may_take(g, x))
        self.taken[g].append(x)

    @action
    def ring(self):
        """Who has a dish already is followed."""
        require(not self.rung)
        self.rung = True
        first, second = self.taken[self.Guest[0]], self.taken[self.Guest[1]]
        self.begin = first[0] if len(first) > 0 else second[0] if len(second) > 0 else 1

    @invariant
    def alike(self) -> bool:
        """Guests who have both dishes have begun with the same one: violated in 4 steps by the edit."""
        return any(len(self.taken[g]) < 2 for g in self.Guest) or all(
            self.taken[g][0] == self.taken[h][0] for g in self.Guest for h in self.Guest
        )

    properties = []


class Unrung(Choice):
    """EDIT: nobody waits for the bell."""

    @rule
    def may_take(self, g, x):
        return not self.rung or len(self.taken[g]) > 0 or x == self.begin


def run() -> Trace:
    report = check(Unrung, "Unrung", engine="interpreter", only=["alike"])
    found = report.properties[0].trace
    assert found is not None
    return found


def test_the_first_pair_that_is_enough_is_marked() -> None:
    """Each step of the run differs. With the first dishes of both guests as they are, the bell may ring after them."""
    found = run()
    assert [tuple(map(str, step.args.values())) for step in found.steps] == [
        ("g1", "1"),
        ("g1", "2"),
        ("g2", "2"),
        ("g2", "1"),
    ]
    assert guilty_line(found).startswith("CAUSE, step 1 (and step 3: together), take(g1, 1): may_take(g1, 1) is true (")
    assert found.found_by == "effect" and found.differing == ()


def test_where_too_much_would_have_to_be_looked_at_no_choice_is_said_to_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    """All steps that differ are named instead."""
    monkeypatch.setattr(rearranged, "MOST_STATES", 14)
    assert run().found_by == "unproved" and run().differing == (1, 2, 3, 4)
