"""Where the protocol before the edit breaks the property too, the run is compared with the nearest protocol above that
one which keeps the property: a step that this one does not allow is the CAUSE, whoever's edit it is.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from attrs import evolve

from checker.analysis import before_edit
from checker.analysis.check import check
from checker.analysis.stored_trace import explained_again, regrouped
from checker.language import Int, action, const, invariant, rule, var
from checker.language.choice import require
from checker.language.expectation import holds
from checker.language.model import Model
from checker.replay.marked import broken_too
from checker.report.directory import stored
from checker.report.same_cause import _inherited
from checker.report.wording import first_difference, guilty_line, reasons
from checker.trace.trace import Trace

GALLERY = Path(__file__).resolve().parents[2] / "counterexamples"


class Tank(Model):
    """A tank with room for 3: the level stays low."""

    room = const(3, "litres")
    level = var(Int(0, 9), 0)
    hours = var(Int(0, 9), 0)

    @rule
    def is_full(self) -> bool:
        return self.level >= self.room

    @rule
    def is_late(self) -> bool:
        return self.hours >= 8

    @action
    def fill(self) -> None:
        require(not self.is_full() and not self.is_late())
        self.level += 2
        self.hours += 1

    @invariant
    def is_low(self) -> bool:
        return self.level <= 4

    @invariant
    def is_dry(self) -> bool:
        return self.level == 0

    properties = []


class Loose(Tank):
    """EDIT: full is one litre more: is_low is violated in 3 steps."""

    @rule
    def is_full(self) -> bool:
        return self.level > self.room + 1


class LooseDay(Loose):
    """EDIT: a longer day, which is no reason."""

    @rule
    def is_late(self) -> bool:
        return self.hours >= 9


class Filled(Tank):
    """EDIT: the tank is never dry, and is not full with 4 litres: is_low is violated in 2 steps."""

    level = var(Int(0, 9), 2)

    @rule
    def is_full(self) -> bool:
        return self.level > 4


class FilledDay(Filled):
    """EDIT: a longer day, which is no reason."""

    is_late = LooseDay.is_late


class Sealed(Tank):
    """The tap is shut: no property can be violated, and nothing is poured."""

    poured = var(Int(0, 9), 0)

    @rule
    def is_full(self) -> bool:
        return True

    @rule
    def is_shut(self) -> bool:
        return True

    @action
    def pour(self) -> None:
        require(not self.is_shut() and self.poured < 9)
        self.poured += 3

    @invariant
    def pours_little(self) -> bool:
        return self.poured == 0 or self.poured <= 5

    @invariant
    def drips(self) -> bool:
        return not self.poured > 0 or self.level > 0

    @action
    def rest(self) -> None:
        require(self.hours < 3)
        self.hours += 1


class Opened(Sealed):
    """EDIT: the tap is open: pours_little is violated in 2 steps, drips in 1."""

    @rule
    def is_shut(self) -> bool:
        return False


class OpenedDay(Opened):
    """EDIT: a longer day, which is no reason."""

    is_late = LooseDay.is_late


class Certain(Sealed):
    """The same, which states it."""

    expect = holds()


class OpenedCertain(Certain):
    """EDIT: the tap is open."""

    is_shut = Opened.is_shut


class OpenedCertainDay(OpenedCertain):
    """EDIT: a longer day, which is no reason."""

    is_late = LooseDay.is_late


def line(method: object, number: int = 2) -> str:
    return f"(test_above_base.py:{method.__code__.co_firstlineno + number})"  # type: ignore[attr-defined]


def run_of(
    cls: type[Model], name: str = "is_low", base: type[Model] | None = None, engine: str = "interpreter"
) -> Trace:
    report = check(cls, f"{__file__}:{cls.__name__}", engine=engine, only=[name], base=base)
    found = next(p.trace for p in report.properties if p.name == name)
    assert found is not None
    return found


def test_the_cause_is_the_edit_above_that_breaks_the_property() -> None:
    run = run_of(LooseDay)
    told = f"is_full() is false {line(Loose.is_full)}: level = 4 is not > room + 1 = 4"
    was = f"in Tank it is true {line(Tank.is_full)}: level = 4 is >= room = 3"
    above = "Caused by an earlier change, not by the edit: Loose, the protocol before it, has this run too"
    assert guilty_line(run) == f"{above}; CAUSE, step 3, fill: {told}; {was}"
    assert run.against == "Tank" and [s.number for s in run.steps if s.cause] == [3]
    assert reasons(run) == [f"CAUSE in step 3, fill: {told}; {was}; in Tank this step is not enabled"]


def test_that_the_edit_is_not_the_cause_stays_known() -> None:
    run = run_of(LooseDay)
    assert broken_too(run) and _inherited(run)
    assert first_difference(run) == ""


@pytest.mark.parametrize("edit", [OpenedDay, OpenedCertainDay])
def test_a_protocol_above_that_never_takes_the_violating_step_is_compared_with_none(edit: type[Model]) -> None:
    run = run_of(edit, "pours_little")
    assert not run.against and not any(step.cause for step in run.steps)
    assert "VIOLATION, step 2, pour" in guilty_line(run) and broken_too(run)


def test_a_protocol_above_in_which_the_antecedent_is_never_true_is_compared_with_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(before_edit, "is_never_enabled", lambda *_: False)
    assert run_of(OpenedDay, "drips").against == "Sealed"  # the interpreter asks no antecedent
    run = run_of(OpenedDay, "drips", engine="native")
    assert not run.against and not any(step.cause for step in run.steps)


def test_a_property_that_no_protocol_above_keeps_is_compared_with_none() -> None:
    run = run_of(LooseDay, "is_dry")
    assert not run.against and not any(step.cause for step in run.steps)
    assert guilty_line(run).startswith("Not caused by the edit: Loose, the protocol before it, has this run too; VIOLA")


def test_another_initial_state_of_an_edit_above_is_no_cause() -> None:
    """The run has no step of which it is known that it matters."""
    run = run_of(FilledDay)
    assert not run.cause and not run.against
    assert guilty_line(run).startswith("Not caused by the edit: Filled, the protocol before it, has this run too; VIO")


def test_a_base_that_is_named_is_compared_with_alone() -> None:
    run = run_of(LooseDay, base=Loose)
    assert not run.against and "CAUSE" not in guilty_line(run)


class Stated(Tank):
    """It states what it keeps."""

    expect = holds(only=["is_low"])


class StatedLoose(Stated):
    """EDIT: full is one litre more."""

    is_full = Loose.is_full


class StatedDay(StatedLoose):
    """EDIT: a longer day."""

    is_late = LooseDay.is_late


def test_without_an_expectation_a_search_that_ends_early_does_not_say_that_the_property_is_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(before_edit, "MOST_INTERPRETED", 1)
    assert run_of(LooseDay).against == "" and run_of(StatedDay).against == "Stated"


def test_a_stored_run_keeps_the_protocol_above_that_it_was_compared_with() -> None:
    name = "optimistic_multicast_1/OwnGroupIsNoBarrierUniqueClock-UniformTotalOrder"
    run = evolve(stored(str(GALLERY / f"{name}.itf.json")), against="OptimisticMulticast1")
    again = explained_again(run)
    by = "OwnGroupIsNoBarrier, the protocol before it, has this run too"
    above = f"Caused by an earlier change, not by the edit: {by}"
    told = guilty_line(again)
    assert told.startswith(
        f"{above}; CAUSE, step 15 (and step 18: together), deliver_next(p1): passed(p1, g1, m1.2) is true ("
    )
    assert "; in OptimisticMulticast1 it is false (optimistic_multicast_1.py:" in told
    assert explained_again(again) == again
    assert regrouped(again).against == "OptimisticMulticast1" and broken_too(regrouped(again))
    assert not explained_again(evolve(again, against="")).against
