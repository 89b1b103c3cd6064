"""Starts and constraints: what a constraint excludes is no start, for every engine."""

from __future__ import annotations

import pytest

from checker.check import check
from checker.language import Int, Model, UsageError, action, anything, constraint, initial, invariant, require, var

ENGINES = ("native", "interpreter")


class Counting(Model):
    """Counts up from any number; only small ones are looked at."""

    n = var(Int(0, 5), anything)

    @action
    def up(self):
        require(self.n < 5)
        self.n += 1

    @constraint
    def low(self) -> bool:
        return self.n < 2

    @invariant
    def small(self) -> bool:
        return self.n < 4


class Nowhere(Counting):
    """EDIT: no start fits."""

    @constraint
    def low(self) -> bool:
        return self.n > 5


class Undefined(Counting):
    """EDIT: the constraint has no value at the first start."""

    @constraint
    def low(self) -> bool:
        return 6 // self.n > 2


class Moved(Counting):
    """EDIT: the method moves the start out of the constraint, or not."""

    @initial
    def start(self):
        self.n = 5 - self.n


@pytest.mark.parametrize("engine", ENGINES)
def test_a_start_outside_a_constraint_is_none(engine: str) -> None:
    """Four of six are not looked at, so that the invariant, which they break, holds; the step out of the constraint is
    cut."""
    report = check(Counting, "counting", engine=engine)
    assert (report.verdict, report.initial, report.distinct, report.cut) == ("holds", 2, 2, 1)


@pytest.mark.parametrize("engine", ENGINES)
def test_the_constraint_is_asked_after_the_initial_method(engine: str) -> None:
    """What counts is the state that the method leaves."""
    report = check(Moved, "moved", engine=engine)
    assert (report.initial, report.distinct) == (2, 2)


@pytest.mark.parametrize("engine", ENGINES)
def test_without_a_start_inside_nothing_holds(engine: str) -> None:
    """Vacuous, exit code 3."""
    report = check(Nowhere, "nowhere", engine=engine)
    assert (report.verdict, report.distinct, report.cut) == ("vacuous", 0, 0)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_constraint_without_a_value_at_the_start_is_refused(engine: str) -> None:
    """It says which constraint, and why."""
    with pytest.raises(UsageError, match="the constraint low goes wrong: .*zero"):
        check(Undefined, "undefined", engine=engine)
