"""The step that a class which repairs the property takes where a run ends without what is missing."""

from __future__ import annotations

from typing import Any

from checker.analysis.check import check
from checker.language import Int, Model, action, holds, quiescent, require, var, violates
from checker.report.wording import guilty_parts


class Errand(Model):
    """A letter that is lost is not sent again: violated after 2 steps, by the loss."""

    sent = var(Int(0, 2), 0)
    arrived = var(bool)
    gone = var(bool)

    @action
    def send(self):
        require(self.sent == 0)
        self.sent += 1

    @action(fault=True)
    def lose(self):
        require(self.sent == 1 and not self.arrived and not self.gone)
        self.gone = True

    @action
    def arrive(self):
        require(self.sent > 0 and not self.arrived and not (self.gone and self.sent == 1))
        self.arrived = True

    @quiescent
    def comes(self) -> bool:
        """A letter that is sent arrives."""
        return self.arrived

    expect = violates("comes")


class Again(Errand):
    """REPAIR: what was lost is sent once more."""

    @action
    def repeat(self):
        require(self.gone and self.sent == 1)
        self.sent += 1

    expect = holds()


class Lamp(Model):
    """Nobody lights the lamp: violated in the initial state."""

    lit = var(bool)
    tries = var(Int(0, 3), 0)

    @action
    def light(self):
        require(self.tries > 0)
        self.lit = True

    @quiescent
    def is_lit(self) -> bool:
        """The lamp is lit in the end."""
        return self.lit

    expect = violates("is_lit")


class Tried(Lamp):
    """REPAIR in words only: it is tried, and nothing comes of it."""

    @action
    def attempt(self):
        require(self.tries < 1)
        self.tries += 1

    @action
    def light(self):
        require(self.tries > 2)
        self.lit = True

    expect = holds()


class Other(Lamp):
    """REPAIR with a variable of another type: this need be no state of it."""

    tries = var(Int(0, 5), 0)

    @action
    def fill(self):
        self.lit = True

    expect = holds()


class Shown(Lamp):
    """EDIT: the lamp is a torch, which keeps the property for another reason."""

    @action
    def burn(self):
        self.lit = True

    expect = holds()


def repaired(cls: type[Model]) -> list[str]:
    (found,) = [p.trace for p in check(cls, cls.__name__, engine="interpreter").properties]
    assert found is not None
    return [part for part in guilty_parts(found) if part in found.otherwise]


def line(method: Any) -> str:
    return f"(test_repaired_end.py:{method.__code__.co_firstlineno + 1})"


def test_the_step_is_named_that_the_repair_takes_at_the_end() -> None:
    told = f"REPAIRED in Again, where comes holds: repeat {line(vars(Again)['repeat'])} is enabled at the end"
    assert repaired(Errand) == [told]


def test_no_step_is_named_from_which_the_repair_does_not_satisfy_the_property() -> None:
    """Nor one of a class with other variables, nor one of an edit."""
    assert repaired(Lamp) == []
