"""Of several conditions that let a step violate a property, those come first that ask what the edit changes."""

from __future__ import annotations

from enum import Enum

from checker.analysis.check import check
from checker.language import Int, Set, action, invariant, rule, var
from checker.language.choice import require
from checker.language.model import Model
from checker.replay.edited_names import edited_names
from checker.report.wording import guilty_line


class Part(Enum):
    Door = 0
    Lamp = 1


class Gate(Model):
    """A gate opens although it must stay shut: is_shut is violated in 1 step, in each class of this file."""

    opened = var(Set[Part])
    keys = var(Int(0, 3), 2)

    @rule
    def has_keys(self) -> bool:
        return self.keys > 1

    @rule
    def is_free(self) -> bool:
        return len(self.opened) < 2

    @rule
    def is_quiet(self) -> bool:
        return self.is_free()

    @rule
    def may_open(self, part: Part) -> bool:
        return part not in self.opened and self.has_keys() and self.is_quiet()

    @action
    def turn(self) -> None:
        require(self.may_open(Part.Door))
        self.opened.add(Part.Door)

    @invariant
    def is_shut(self) -> bool:
        return len(self.opened) == 0

    properties = []


class Free(Gate):
    """EDIT: a gate is free while nothing is open."""

    @rule
    def is_free(self) -> bool:
        return len(self.opened) == 0


class Keyed(Free):
    """EDIT: more keys."""

    @rule
    def has_keys(self) -> bool:
        return self.keys >= 2


class Named(Gate):
    """EDIT: only the gate is named otherwise."""

    properties = []


def condition_of(cls: type[Model]) -> str:
    report = check(cls, f"{__file__}:{cls.__name__}", engine="interpreter", only=["is_shut"])
    found = next(p.trace for p in report.properties if p.name == "is_shut")
    assert found is not None
    return guilty_line(found).partition("may_open(Door) is true ")[2].partition(": ")[2]


def test_without_an_edit_conditions_are_in_the_order_of_the_source() -> None:
    assert condition_of(Gate).startswith("Door is not in opened = {} and has_keys() is true ")
    assert condition_of(Named).startswith("Door is not in opened = {} and has_keys() is true ")


def test_a_condition_that_asks_an_edited_rule_through_another_one_comes_first() -> None:
    told = condition_of(Free)
    assert told.startswith("is_quiet() is true "), told
    assert " and Door is not in opened = {} and has_keys() is true " in told


def test_what_the_edit_changes_comes_before_what_an_earlier_edit_changed() -> None:
    told = condition_of(Keyed)
    order = [told.index(text) for text in ("has_keys() is true", "is_quiet() is true", "Door is not in opened")]
    assert order == sorted(order), told


def test_the_changed_names_count_the_edits_above() -> None:
    names = edited_names(Keyed)
    assert names["has_keys"] == 0 and names["is_free"] == 1
    assert names["is_quiet"] == 1 and names["may_open"] == 0 and "is_shut" not in names
