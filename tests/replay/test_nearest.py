"""A run of an edit is compared with the class of its file that has a part of its changes and keeps the property."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import evolve

from checker.analysis.check import check
from checker.analysis.explain import background
from checker.language import Bool, Int, action, holds, invariant, var, violates
from checker.language.choice import require
from checker.language.model import Model
from checker.replay.nearest import nearest
from checker.report.wording import guilty_line


class Cook(Model):
    """A dish is begun and finished in one step."""

    begun = var(Bool, False)
    salt = var(Int(0, 3), 0)

    @action
    def cook(self):
        require(not self.begun and self.salt == 0)
        self.begun = True
        self.pause()

    def pause(self):
        """Nothing is between."""
        self.finish()

    @action
    def go_on(self):
        require(self.begun)
        self.finish()

    def finish(self):
        self.begun = False
        self.salt += 1

    @invariant
    def not_too_much(self) -> bool:
        """There is salt enough."""
        return self.salt < 2

    @invariant
    def never_open(self) -> bool:
        """Nothing is left open."""
        return not self.begun

    properties = []
    expect = holds()


class Plain(Cook):
    """The same, with an expectation of its own."""

    expect = holds(at={})


class InTwoSteps(Cook):
    """READING: a dish is finished in a step of its own."""

    def pause(self):
        pass

    expect = [holds(only=["not_too_much"]), violates("never_open")]


class Early(Cook):
    """READING: the same, with more salt at once."""

    pause = InTwoSteps.pause

    @action
    def cook(self):
        self.salt += 1
        super().cook()

    expect = holds(only=["not_too_much"])


class Salty(Cook):
    """EDIT: in two steps, and too much salt."""

    pause = InTwoSteps.pause

    def finish(self):
        self.begun = False
        self.salt += 2

    expect = violates("not_too_much", "never_open")


class Wrong(Cook):
    """EDIT: too much salt."""

    finish = Salty.finish

    expect = violates("not_too_much")


def run_of(cls: type[Model], name: str, **how: Any) -> Any:
    """The trace of a violated property."""
    report = check(cls, f"{__file__}:{cls.__name__}", engine="interpreter", only=[name], **how)
    return next(p.trace for p in report.properties if p.name == name)


def test_the_step_is_named_that_the_rest_of_the_changes_makes() -> None:
    """In the base the first step differs, too: there it finishes the dish."""
    found = run_of(Salty, "not_too_much")
    line = f"(test_nearest.py:{Salty.finish.__code__.co_firstlineno + 2})"
    told = f"CAUSE, step 2: go_on sets salt to 2 {line}; in InTwoSteps it sets salt to 1 "
    assert guilty_line(found).startswith(told), guilty_line(found)
    shown = background(found).beside
    assert shown is not None and shown.name == "InTwoSteps" and shown.parted == 2


def test_the_run_beside_is_that_of_the_class_with_which_the_cause_was_found() -> None:
    """The run stores this class; without one it was compared with the base."""
    found = run_of(Salty, "not_too_much")
    assert found.against == "InTwoSteps"
    shown = background(evolve(found, against="")).beside
    assert shown is not None and shown.name == "Cook"
    assert run_of(Wrong, "not_too_much").against == ""


@pytest.mark.parametrize(
    ("cls", "name", "near", "why"),
    [
        (Salty, "never_open", Wrong, "it has the other part of the changes; InTwoSteps violates this"),
        (Wrong, "not_too_much", None, "no other class has a part of its changes, and Plain none at all"),
        (InTwoSteps, "not_too_much", None, "Salty has more changes, Early another one"),
    ],
)
def test_only_a_class_with_a_part_of_the_changes_that_keeps_the_property_counts(
    cls: type[Model], name: str, near: type[Model] | None, why: str
) -> None:
    assert nearest(cls, name) is near, why


def test_a_base_that_was_named_is_kept() -> None:
    found = run_of(Salty, "not_too_much", base=Cook)
    assert guilty_line(found).startswith("CAUSE, step 1") and "InTwoSteps" not in guilty_line(found)
