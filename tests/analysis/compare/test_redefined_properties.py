"""An edit that brings a property class of its own under the name of one of the base's: both are asked of both."""

from __future__ import annotations

from typing import Any

from checker.analysis.compare.comparison import compare
from checker.analysis.compare.side import Side
from checker.language import Int, Map, action, require, rule, var, violates
from checker.language.distributed import Distributed
from checker.language.model import Model
from checker.language.properties import Invariant
from checker.results.comparison import Comparison


def named(name: str, cls: type[Invariant]) -> Any:
    """The class under a name that another one has too."""
    return type(name, (cls,), {})


class Low(Invariant):
    """Nobody is above one."""

    most = var(Int(0, 1), 1)

    def holds(self) -> bool:
        return all(self.n[p] <= self.most for p in self.Process)


class Repeated(Invariant):
    """Nobody is above one, said again."""

    most = var(Int(0, 1), 1)

    def holds(self) -> bool:
        return all(self.n[p] <= self.most for p in self.Process)


class Twice(Invariant):
    """As Low, with another variable of its own: nobody is above two."""

    most = var(Int(0, 2), 2)

    def holds(self) -> bool:
        return all(self.n[p] <= self.most for p in self.Process)


class Anything(Invariant):
    """Always true."""

    def holds(self) -> bool:
        return True


class Climb(Distributed):
    """Everybody counts to one."""

    n = var(Map[Distributed.Process, Int(0, 2)], 0)
    properties = [Low]
    expect = [violates("Low", at={"processes": 9})]  # names it; not checked here

    @rule
    def top(self) -> int:
        return 1

    @action
    def up(self, p: Distributed.Process) -> None:
        require(self.n[p] < self.top())
        self.n[p] += 1


class Higher(Climb):
    """EDIT: to two, and the property of that name is another."""

    properties = [named("Low", Anything)]

    @rule
    def top(self) -> int:
        return 2


class HigherWithAVariable(Higher):
    """EDIT: the methods of the property are the same, its variable is not."""

    properties = [named("Low", Twice)]


class Copied(Climb):
    """EDIT: of nothing; the property is a copy, as it is in another revision of its file."""

    properties = [named("Low", Repeated)]


def compared(edit: type[Model]) -> Comparison:
    """Climb and an edit."""
    return compare(Side(Climb, "climb"), Side(edit, "edit"), engine="interpreter", rule_seconds=0, step_seconds=0)


def test_a_property_of_the_same_name_does_not_hide_what_the_edit_breaks() -> None:
    """The base's own is asked of the edit, and is named as a part that changed."""
    found = compared(Higher)
    verdicts = {p.name: (p.before, p.after, p.change) for p in found.properties}
    assert verdicts == {"Low_of_base": ("holds", "violated", "broken"), "Low_of_edit": ("holds", "holds", "")}
    assert found.exit_code == 1
    (broken,) = found.changed("broken")
    assert broken.trace is not None and len(broken.trace.steps) == broken.cause == 2
    (source,) = (d for d in found.sources if d.kind == "property")
    assert source.name == "Low" and "+    return True" in source.diff.replace("+        ", "+    ")


def test_a_variable_of_a_property_is_a_part_of_it() -> None:
    """The text of `holds` is the same."""
    found = compared(HigherWithAVariable)
    assert [p.name for p in found.changed("broken")] == ["Low_of_base"]
    assert "Int(0, 1)" in next(d.diff for d in found.sources if d.name == "Low")


def test_a_copy_of_a_property_is_the_same_property() -> None:
    """Docstrings are no part of it."""
    found = compared(Copied)
    assert [(p.name, p.before, p.after) for p in found.properties] == [("Low", "holds", "holds")]
    assert found.verdict == "same" and not found.sources
