"""No CAUSE is marked where the protocol before the edit breaks the property with the same constants."""

from __future__ import annotations

from typing import Any

import pytest

from checker.analysis import before_edit
from checker.analysis.before_edit import steps_before
from checker.analysis.check import check
from checker.analysis.stored_trace import explained_again, regrouped
from checker.catalogue import find
from checker.engines.request import Request
from checker.language import Int, action, const, invariant, require, rule, var
from checker.language.define import define
from checker.language.model import Model
from checker.report.wording import guilty_line, reasons
from checker.trace.itf import to_itf
from checker.trace.read_itf import from_itf
from checker.trace.trace import Trace


class Slow(Model):
    """A number goes up one by one, to a bound."""

    bound = const(5, "the last number")
    number = var(Int(0, 9), 0)

    @action
    def up(self):
        require(self.number < self.bound)
        self.number += 1

    @invariant
    def below(self) -> bool:
        return self.number < 3

    @invariant
    def small(self) -> bool:
        return self.number < 3


class Quick(Slow):
    """EDIT: three by three."""

    @action
    def up(self):
        require(self.number < self.bound)
        self.number += 3

    @invariant
    def small(self) -> bool:
        return self.number < 2


def traced(property: str, engine: str = "native", **constants: Any) -> Trace:
    """The trace of the edit's violation."""
    report = check(Quick, "Quick", constants, engine=engine, only=[property])
    (found,) = report.properties
    assert found.trace is not None
    return found.trace


@pytest.mark.parametrize("engine", ["native", "interpreter"])
def test_no_step_is_the_cause_of_what_the_base_breaks_with_these_constants(engine: str) -> None:
    """One by one takes three steps, three by three takes one; the trace as stored says so too."""
    found = traced("below", engine)
    assert len(found.steps) == 1 and not any(step.cause for step in found.steps)
    assert found.former == "Broken before the edit too: Slow breaks below with these constants, in 3 steps"
    assert guilty_line(found).startswith(f"{found.former}; VIOLATION, step 1, up: sets number to 3 (")
    assert found.former in reasons(found)
    assert from_itf(to_itf(found)) == found


@pytest.mark.parametrize("engine", ["native", "interpreter"])
def test_the_first_step_that_is_new_is_the_cause_where_the_base_keeps_the_property(engine: str) -> None:
    """Up to 1 the base stays below 3; the edit goes from 0 to 3."""
    found = traced("below", engine, bound=1)
    assert found.former == "" and [step.cause for step in found.steps] == [True]


def test_a_property_that_the_edit_defines_otherwise_is_not_asked_of_the_base() -> None:
    """The base breaks what it calls small as well, but that is another claim."""
    found = traced("small")
    assert found.former == "" and [step.cause for step in found.steps] == [True]


def test_a_base_of_which_not_enough_was_searched_counts_as_one_that_keeps_the_property(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With two states nobody knows."""
    monkeypatch.setattr(before_edit, "MOST_STATES", 2)
    found = traced("below")
    assert found.former == "" and [step.cause for step in found.steps] == [True]


def test_what_the_caller_knows_of_the_base_is_not_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    """A comparison has searched the base already."""
    monkeypatch.setattr(before_edit, "explore", None)
    for known, former in (({}, ""), ({"below": 3}, "Broken before the edit too")):
        (found,) = check(Quick, "Quick", only=["below"], broken_before=known).properties
        assert found.trace is not None and found.trace.former.startswith(former)
        assert bool(found.trace.former) == bool(former)


def test_a_run_that_is_grouped_keeps_what_is_known_of_the_base() -> None:
    """isis breaks Agreement with one crash, as its edits do; the order of steps changes nothing of that."""
    entry = find("isis:FromOutside")
    constants = {"processes": 3, "crashes": 1, "workload": (1, 0, 0)}
    (found,) = check(entry.cls, entry.reference, constants, only=["Agreement"]).properties
    assert found.trace is not None and found.trace.former.startswith("Broken in Isis too, with these constants, in ")
    again = regrouped(found.trace)
    assert again.former == found.trace.former and not any(step.cause for step in again.steps)


class Careless(Model):
    """Counts, and breaks two properties; what a third judges is an error from 4 on."""

    number = var(Int(0, 9), 0)

    @action
    def up(self):
        require(self.number < 6)
        self.number += 1

    @invariant
    def below_two(self) -> bool:
        return self.number < 2

    @invariant
    def below_five(self) -> bool:
        return self.number < 5

    @invariant
    def a_share(self) -> bool:
        return 12 // (4 - self.number) < 12


class Hasty(Careless):
    """EDIT: starts higher."""

    number = var(Int(0, 9), 1)


def test_several_properties_are_asked_in_one_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """A property with an error on the way is decided alone, with the others: nothing is known less than one by one."""
    searched: list[list[str]] = []
    explore = before_edit.explore

    def counted(request: Any) -> Any:
        searched.append([p.name for p in request.definition.properties])
        return explore(request)

    monkeypatch.setattr(before_edit, "explore", counted)
    asked = Request(define(Hasty), "Hasty", None)
    both = steps_before(Careless, ["below_two", "below_five", "nothing"], asked)
    assert both == {"below_two": 2, "below_five": 5} and searched == [["below_two", "below_five"]]
    searched.clear()
    assert steps_before(Careless, ["below_five", "a_share"], asked) == {"below_five": 5, "a_share": 3}
    assert searched == [["below_five", "a_share"], ["below_five"], ["a_share"]]


class Locked(Model):
    """Nobody goes in: nothing can be said of who is in."""

    inside = var(Int(0, 9), 0)

    @action
    def go_in(self):
        require(self.is_open() and self.inside < 5)
        self.inside += 1

    @rule
    def is_open(self) -> bool:
        return False

    @invariant
    def few(self) -> bool:
        return not self.inside > 0 or self.inside < 3


class Unlocked(Locked):
    """EDIT: the door is open: few is violated in 3 steps."""

    @rule
    def is_open(self):
        return True


def run_of(cls: type[Model]) -> Trace:
    report = check(cls, f"{__file__}:{cls.__name__}", engine="native")
    (found,) = [p.trace for p in report.properties]
    assert found is not None
    return found


def test_a_base_in_which_nothing_happens_that_the_property_is_about_is_not_compared() -> None:
    """That the door is open is no reason why too many go in; a stored run says so too."""
    run = run_of(Unlocked)
    told = "Not compared with Locked: the property is vacuous there, as go_in is never enabled"
    for trace in (run, from_itf(to_itf(run)), explained_again(run), regrouped(run)):
        assert not any(step.cause for step in trace.steps) and told in reasons(trace)
        assert guilty_line(trace).startswith(f"{told}; VIOLATION, step 3, go_in: sets inside to 3 (")


@pytest.mark.parametrize("question", ["is_never_tested", "is_never_enabled"])
def test_one_sign_alone_does_not_make_a_base_incomparable(monkeypatch: pytest.MonkeyPatch, question: str) -> None:
    """An edit may be about what never happened before, or let a step be taken that violates what was said of others."""
    monkeypatch.setattr(before_edit, question, lambda *_: False)
    run = run_of(Unlocked)
    assert [step.number for step in run.steps if step.cause] and not run.vacuous
