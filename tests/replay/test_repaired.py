"""The rule that another class of the same file repairs, as the condition of a violation."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from checker.analysis.check import check
from checker.language import Ids, Int, Model, Seq, action, const, holds, invariant, require, rule, var, violates
from checker.replay.base import base_of
from checker.report.said import Weight
from checker.report.wording import guilty_said


class Kitchen(Model):
    """Dishes are served in the order in which they were ordered."""

    Dish = Ids("d", 2)
    ordered = var(Seq[Dish, 2])
    served = var(Seq[Dish, 2])

    @action
    def order(self, d: Dish):
        require(self.is_free(d) and self.is_open())
        self.ordered.append(d)

    @rule
    def is_open(self) -> bool:
        """Orders are taken."""
        return True

    @rule
    def is_free(self, d: Dish) -> bool:
        """d can be ordered."""
        return d not in self.ordered

    @action
    def serve(self):
        require(len(self.served) < len(self.ordered))
        d = self.ordered[len(self.served)]
        require(d not in self.served)
        self.served.append(d)

    @invariant
    def in_turn(self) -> bool:
        """Dishes are served in the order of the menu."""
        return all(d == self.Dish[i] for i, d in enumerate(self.served))

    expect = violates("in_turn")


class Closed(Kitchen):
    """Nothing can be ordered."""

    @rule
    def is_open(self):
        return False

    expect = holds()


class Menu(Kitchen):
    """REPAIR: the first dish is ordered first."""

    @rule
    def is_free(self, d):
        return d not in self.ordered and (d == self.Dish[0] or self.Dish[0] in self.ordered)

    expect = holds(at={})


class Polite(Kitchen):
    """EDIT: nothing that matters."""

    @action
    def serve(self):
        super().serve()

    expect = violates("in_turn")


class Counter(Model):
    """Counts too far."""

    most = const(1, "how far")
    x = var(Int(0, 3), 0)

    @action
    def up(self):
        require(self.may_go_on())
        self.x += 1

    @rule
    def may_go_on(self) -> bool:
        """There is room."""
        return self.x <= self.most

    @invariant
    def few(self) -> bool:
        """No more than are allowed."""
        return self.x <= self.most


class Still(Counter):
    """EDIT: nothing is counted, so nothing goes wrong."""

    @rule
    def may_go_on(self):
        return False

    expect = holds()


class Bounded(Counter):
    """Also the last one has room."""

    @rule
    def may_go_on(self):
        return self.x < self.most

    expect = [holds(), holds(at={"most": 2})]


class Failed(Counter):
    """REPAIR that is none for this property."""

    @rule
    def may_go_on(self):
        return self.x < self.most - 1 or self.most == 2

    expect = [holds(), violates("few", at={"most": 2})]


class Uneven(Counter):
    """EDIT: another rule, which breaks the property too."""

    @rule
    def may_go_on(self):
        return self.x != self.most

    expect = violates("few")


class Stopped(Uneven):
    """REPAIR: nothing is counted; the rule is that of a class that breaks the property."""

    @action
    def up(self):
        require(self.x < 0)
        super().up()

    expect = holds()


class Brothers:
    """What three counters share that are not made from each other."""

    most = const(1, "how far")
    x = var(Int(0, 3), 0)

    @action
    def up(self):
        require(self.may_go_on())
        self.x += 1

    @rule
    def may_go_on(self) -> bool:
        return self.x <= self.most

    @invariant
    def few(self) -> bool:
        """No more than are allowed."""
        return self.x <= self.most


class Elder(Brothers, Model):
    """Goes too far."""

    expect = violates("few")


class Younger(Brothers, Model):
    """Stops in time, but not where more are allowed."""

    @rule
    def may_go_on(self) -> bool:
        return self.x < self.most or self.most == 2

    expect = [holds(), violates("few", at={"most": 2})]


class Idle(Brothers, Model):
    """Has another action, so what it does is no matter of a rule."""

    @action
    def up(self):
        require(self.x > 2)

    @rule
    def may_go_on(self) -> bool:
        return self.x < 0

    expect = holds(at={"most": 2})


def decides(cls: type[Model], **given: Any) -> str:
    """What violates the property, and what settles this, with the conditions."""
    report = check(cls, cls.__name__, given, engine="interpreter", base=base_of(cls))
    found = next(p.trace for p in report.properties if p.trace is not None)
    return "; ".join(filter(None, (found.decides, found.settles)))


@pytest.mark.parametrize(("cls", "strong"), [(Kitchen, "SETTLED, step 1, order(d2)"), (Counter, "because may_go_on")])
def test_the_strong_line_is_the_rule_that_is_repaired(cls: type[Model], strong: str) -> None:
    report = check(cls, cls.__name__, engine="interpreter", base=base_of(cls))
    found = next(p.trace for p in report.properties if p.trace is not None)
    (said,) = [said for part in guilty_said(found) for said in part if said.weight is Weight.STRONG]
    assert said.text.startswith(strong)


def line(cls: type[Model], name: str, number: int) -> str:
    """A line of a method, counted from its decorator."""
    return f"(test_repaired.py:{vars(cls)[name].__code__.co_firstlineno + number})"


FREE = f"because is_free(d2) is true {line(Kitchen, 'is_free', 3)}"
REPAIRED = (
    f"in Menu, where in_turn holds, it is false {line(Menu, 'is_free', 2)}: d2 is not d1 and d1 is not in ordered"
)


def test_the_rule_is_shown_with_both_values_where_the_violation_is_settled() -> None:
    """A class that calls itself a repair comes before another one that keeps the property.  The last step keeps its own
    condition."""
    told = decides(Kitchen)
    last = f"because d2 is not in served = [] {line(Kitchen, 'serve', 4)}"
    assert told.startswith(f"does served.append(d2) {line(Kitchen, 'serve', 5)}, {last}; SETTLED, step 1, ")
    assert f"; SETTLED, step 1, order(d2): does ordered.append(d2) {line(Kitchen, 'order', 3)}, {FREE}" in told
    assert f"; {REPAIRED}" in told and "Closed" not in told


def test_a_run_of_an_edit_is_told_with_the_repair_of_what_it_edits() -> None:
    told = decides(Polite)
    assert FREE in told and REPAIRED in told


def test_in_the_last_step_it_replaces_the_condition() -> None:
    """A class that keeps the property with these constants is enough; one that breaks it anywhere, or is
    an EDIT, does not count, nor does a rule that a repair has from such a class."""
    told = decides(Counter)
    does = f"sets x to 2 {line(Counter, 'up', 3)}"
    why = f"may_go_on() is true {line(Counter, 'may_go_on', 3)}: x = 1 is <= most = 1"
    other = f"in Bounded, where few holds, it is false {line(Bounded, 'may_go_on', 2)}: x = 1 is not < most = 1"
    assert told == f"{does}, because {why}; {other}"


def test_with_other_constants_only_a_repair_counts() -> None:
    told = decides(Counter, most=0)
    assert told.startswith("sets x to 1 ") and "holds" not in told
    assert "in Bounded, where few holds," in decides(Counter, most=2)


def test_a_class_that_a_program_made_has_no_classes_beside_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its module need not be loaded under its name."""
    monkeypatch.delitem(sys.modules, Counter.__module__)
    report = check(Counter, "Counter", {}, engine="interpreter", base=Counter)
    (run,) = (p.trace for p in report.properties if p.trace is not None)
    assert run.decides.startswith("sets x to 2 ") and "holds" not in run.decides


def test_a_class_that_is_made_from_no_version_of_the_model_counts_with_the_same_constants() -> None:
    """It differs in rules alone; what it states with other constants does not matter."""
    why = f"because may_go_on() is true {line(Brothers, 'may_go_on', 2)}: x = 1 is <= most = 1"
    other = f"in Younger, where few holds, it is false {line(Younger, 'may_go_on', 2)}: x = 1 is not < most = 1"
    assert f"{why}; {other}" in decides(Elder)
    assert "holds" not in decides(Elder, most=0) and "holds" not in decides(Elder, most=2)
