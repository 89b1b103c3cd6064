"""What goes wrong in a property or a constraint is a model error in the state, or at the step, that it was asked of:
the same from every engine."""

from __future__ import annotations

from typing import Any

import pytest

from checker.analysis.check import check
from checker.analysis.simulate import simulation
from checker.engines.registry import explore
from checker.engines.request import Request
from checker.language import (
    Int,
    Model,
    Seq,
    StepInvariant,
    action,
    anything,
    constraint,
    invariant,
    quiescent,
    require,
    rule,
    step_invariant,
    var,
)
from checker.language.define import define


class Counts(Model):
    """Up to three."""

    x = var(Int(0, 3), 0)
    log = var(Seq[Int(0, 3), 2])

    @action
    def up(self):
        require(self.x < 3)
        self.x += 1


class AtRest(Counts):
    @quiescent
    def begun(self) -> bool:
        return self.log[0] == 0


class AtRestFromTheStart(AtRest):
    x = var(Int(0, 3), anything)


class OfAStep(Counts):
    @step_invariant
    def small(self) -> bool:
        return 1 // (2 - self.x) == 1 or self.x != 3


class InAConstraint(Counts):
    @constraint
    def few(self) -> bool:
        return 6 // (2 - self.x) > 0


class InACutState(Counts):
    @constraint
    def few(self) -> bool:
        return self.x < 2

    @invariant
    def small(self) -> bool:
        return 4 // (2 - self.x) > 0


@pytest.mark.parametrize("engine", ["native", "interpreter"])
@pytest.mark.parametrize(
    ("protocol", "name", "steps"),
    [
        (AtRest, "index out of range", 3),
        (AtRestFromTheStart, "index out of range", 0),
        (OfAStep, "division by zero", 2),
        (InAConstraint, "division by zero", 2),
        (InACutState, "division by zero", 2),
    ],
    ids=lambda x: getattr(x, "__name__", None),
)
def test_an_error_in_a_property_is_shown_where_it_was_asked(protocol: Any, name: str, steps: int, engine: str) -> None:
    """With the run that leads there, and no step beyond it."""
    report = check(protocol, "x", {}, engine=engine)
    (error,) = [p for p in report.properties if p.kind == "error"]
    assert report.verdict == "violated" and error.name.startswith(name) and error.steps == steps
    assert error.trace is not None and len(error.trace.steps) == steps


class Sooner(Model):
    """Two ways to the same line: at rest one step after `stop`, and over the third `up`."""

    x = var(Int(0, 3), 0)
    log = var(Seq[Int(0, 3), 2])

    @rule
    def first(self):
        return self.log[0]

    @action
    def stop(self):
        require(self.x == 0)
        self.x = 3

    @action
    def up(self):
        require(self.x < 3)
        self.x += 1 if self.x < 2 else self.first()

    @quiescent
    def begun(self) -> bool:
        return self.first() == 0


class SoonerFromTheStart(Sooner):
    x = var(Int(0, 3), anything)


@pytest.mark.parametrize("engine", ["native", "interpreter"])
@pytest.mark.parametrize(("protocol", "steps"), [(Sooner, 1), (SoonerFromTheStart, 0)])
def test_an_error_at_rest_is_found_at_its_state_and_not_a_step_later(protocol: Any, steps: int, engine: str) -> None:
    """Else the same error over a step would come first, and the run shown would not be a shortest one."""
    (found,) = explore(Request(define(protocol), engine=engine, stop_at_first=False)).found
    assert (found.shown.kind, found.shown.beyond, found.steps, len(found.path())) == ("error", False, steps, steps + 1)


def test_random_walks_show_an_error_at_rest_where_the_model_is_at_rest() -> None:
    """Nothing is left out of the run that leads there: in the initial state the property is not asked."""
    found = simulation(Sooner, "x", runs=10, depth=5, seed=1)
    assert found.trace is not None and [step.action for step in found.trace.steps] == ["stop"]
    assert found.trace.witness.endswith("where begun is evaluated")


def test_nothing_is_left_out_of_a_walk_without_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error is in the initial state, so there is no shorter run to look for."""
    monkeypatch.setattr("checker.replay.shorten.SECONDS", 1e9)
    monkeypatch.setattr("checker.replay.shorten._Shortening._run", lambda *_: pytest.fail("a run without steps"))
    found = simulation(SoonerFromTheStart, "x", runs=1, depth=5, seed=0)  # which begins at 3
    assert found.trace is not None and not found.trace.steps


class Grows(StepInvariant):
    """Counts what it is told, and looks at what it had counted before."""

    told = var(Int(0, 3), 0)

    def on_up(self):
        self.told += 1

    def holds(self) -> bool:
        return self.told == self.before.told + 1 and self.told < 3


class Told(Model):
    x = var(Int(0, 3), 0)
    properties = [Grows]

    @action
    def up(self):
        require(self.x < 3)
        self.emit.up()
        self.x += 1


@pytest.mark.parametrize("engine", ["native", "interpreter"])
def test_a_step_property_sees_its_own_variables_as_they_were(engine: str) -> None:
    """self.before has the variables of the property, not of the model alone."""
    (grows,) = check(Told, "x", {}, engine=engine).properties
    assert (grows.verdict, grows.steps) == ("violated", 3)
