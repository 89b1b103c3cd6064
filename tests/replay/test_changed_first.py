"""Of several conditions that let a step violate a property, those come first that the step itself made true."""

from __future__ import annotations

from enum import Enum

from checker.analysis.check import check
from checker.language import Set, action, invariant, rule, var
from checker.language.choice import require
from checker.language.model import Model
from checker.report.wording import guilty_line


class Part(Enum):
    Door = 0
    Lamp = 1
    Key = 2


class Lock(Model):
    """The lock opens when all is ready; the last thing to become so is in the middle of the condition."""

    ready = var(Set[Part], {Part.Door})
    keys = var(Set[Part], {Part.Key, Part.Lamp})
    opened = var(Set[Part])

    @rule
    def has_door(self) -> bool:
        return Part.Door in self.ready

    @rule
    def has_lamp(self) -> bool:
        return Part.Lamp in self.ready

    @rule
    def is_ready(self, part: Part) -> bool:
        return (
            part not in self.opened
            and self.has_door()
            and len(self.keys) > 1
            and self.has_lamp()
            and Part.Lamp in self.keys
        )

    @rule
    def is_whole(self, part: Part) -> bool:
        return part not in self.opened and all(other in self.ready for other in Part)

    @action
    def light(self):
        require(Part.Lamp not in self.ready)
        self.ready.add(Part.Lamp)
        self.turn()

    def turn(self) -> None:
        if self.is_ready(Part.Key):
            self.opened.add(Part.Key)

    @invariant
    def is_shut(self) -> bool:
        return all(part not in self.opened for part in Part)

    properties = []


class Whole(Lock):
    """EDIT: the parts are compared one after the other."""

    ready = var(Set[Part], {Part.Door, Part.Key})

    def turn(self) -> None:
        if self.is_whole(Part.Key):
            self.opened.add(Part.Key)


def line(method: object, number: int) -> str:
    return f"(test_changed_first.py:{method.__code__.co_firstlineno + number})"  # type: ignore[attr-defined]


def head_of(cls: type[Model]) -> str:
    report = check(cls, f"{__file__}:{cls.__name__}", engine="interpreter", only=["is_shut"])
    found = next(p.trace for p in report.properties if p.name == "is_shut")
    assert found is not None
    return guilty_line(found)


def test_the_conjunct_that_the_step_made_true_comes_first_with_its_line() -> None:
    told = head_of(Lock).partition("is_ready(Key) is true ")[2].partition(": ")[2]
    lamp = f"has_lamp() is true {line(Lock.has_lamp, 2)}: Lamp is in ready = {{Door, Lamp}}"
    door = f"has_door() is true {line(Lock.has_door, 2)}: Door is in ready = {{Door, Lamp}}"
    others = (
        f"Key is not in opened = {{}} and {door} and len(keys) = 2 is > 1 and more (Lamp is in keys = {{Key, Lamp}})"
    )
    assert told == f"{lamp} and {others} {line(Lock.is_ready, 2)}"


def test_the_element_that_the_step_made_true_comes_first() -> None:
    told = head_of(Whole).partition("is_whole(Key) is true ")[2].partition(": ")[2]
    assert told.startswith("for other = Lamp: "), told
