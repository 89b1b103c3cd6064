"""An edit that defines a property of the base differently: both are asked of both, each side's own under its name."""

from __future__ import annotations

from typing import Any

from checker.analysis.compare.comparison import compare
from checker.analysis.compare.side import Side
from checker.language import Int, Map, action, invariant, require, rule, var, violates
from checker.language.distributed import Distributed
from checker.language.model import Model
from checker.language.properties import Invariant
from checker.report.compare.data import comparison_data
from checker.report.compare.summary import summary
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


class Strict(Invariant):
    """Nobody is above zero."""

    def holds(self) -> bool:
        return all(self.n[p] <= 0 for p in self.Process)


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


class Weaker(Climb):
    """EDIT: the property alone, which is always true."""

    properties = [named("Low", Anything)]


class Stricter(Climb):
    """EDIT: the property alone, so that the model before violates it, too."""

    properties = [named("Low", Strict)]


class Jumping(Stricter):
    """EDIT: the property, and two at a time."""

    @action
    def up(self, p: Distributed.Process) -> None:
        require(self.n[p] < 1)
        self.n[p] += 2


class Within(Climb):
    """With a property that is a method."""

    @invariant
    def within(self) -> bool:
        """Nobody is above one."""
        return all(self.n[p] <= 1 for p in self.Process)

    properties = []
    expect = None


class HigherWithin(Within):
    """EDIT: to two, and the method follows."""

    @rule
    def top(self) -> int:
        return 2

    @invariant
    def within(self) -> bool:
        return all(self.n[p] <= 2 for p in self.Process)


class BelowOne(Within):
    """EDIT: the method alone, and the decorator is not repeated."""

    def within(self) -> bool:
        return all(self.n[p] < 1 for p in self.Process)


class Copied(Climb):
    """EDIT: of nothing; the property is a copy, as it is in another revision of its file."""

    properties = [named("Low", Repeated)]


def compared(edit: type[Model], base: type[Model] = Climb) -> Comparison:
    """A model and an edit."""
    return compare(Side(base, "climb"), Side(edit, "edit"), engine="interpreter", rule_seconds=0, step_seconds=0)


def said(found: Comparison) -> dict[str, str]:
    """The first line of each kind on the first screen."""
    return {key: text for key, text, _ in reversed(list(summary(found)))}


def test_a_property_of_the_same_name_does_not_hide_what_the_edit_breaks() -> None:
    """The base's own is asked of the edit, and is named as a part that changed."""
    found = compared(Higher)
    verdicts = {p.name: (p.before, p.after, p.change) for p in found.properties}
    assert verdicts == {"Low": ("holds", "holds", ""), "former Low": ("holds", "violated", "broken")}
    assert found.exit_code == 1
    (broken,) = found.changed("broken")
    assert broken.trace is not None and len(broken.trace.steps) == broken.cause == 2
    (source,) = (d for d in found.sources if d.kind == "property")
    assert source.name == "Low" and "+    return True" in source.diff.replace("+        ", "+    ")


def test_a_variable_of_a_property_is_a_part_of_it() -> None:
    """The text of `holds` is the same."""
    found = compared(HigherWithAVariable)
    assert [p.name for p in found.changed("broken")] == ["former Low"]
    assert "Int(0, 1)" in next(d.diff for d in found.sources if d.name == "Low")


def test_a_copy_of_a_property_is_the_same_property() -> None:
    """Docstrings are no part of it."""
    found = compared(Copied)
    assert [(p.name, p.before, p.after) for p in found.properties] == [("Low", "holds", "holds")]
    assert found.verdict == "same" and not found.sources


def test_a_property_that_changed_alone_is_broken_and_no_step_is_the_cause() -> None:
    """The former property on the former model held, the changed one on the model of now is violated."""
    found = compared(Stricter)
    assert [(p.name, p.before, p.after, p.change) for p in found.properties] == [
        ("Low", "holds", "violated", "broken"),
        ("former Low", "holds", "holds", ""),
    ]
    (broken,) = found.changed("broken")
    assert broken.cause is None and found.exit_code == 1
    shown = said(found)
    assert shown["breaks"] == "Low"
    assert shown["because"].startswith("the property changed: the model before violates it as it is now, too (Low, ")
    both = "the changed property on the model before: violated; the former one on the model now: holds"
    assert shown["property"] == f"Low changed: held, is violated now ({both})"
    assert "_of_" not in str(comparison_data(found)["properties"])


def test_no_step_is_the_cause_where_the_model_before_violates_the_changed_property() -> None:
    """The step differs, and is not what breaks it; of the former property it is."""
    found = {p.name: p for p in compared(Jumping).properties}
    low, former = found["Low"], found["former Low"]
    assert low.trace is not None and low.cause is None and low.trace.former.startswith("Broken in Climb too")
    assert former.change == "broken" and former.cause == 1


def test_what_a_weakened_method_would_hide_is_broken() -> None:
    """The former text of an invariant of the model is checked, too, and the step that breaks it is marked."""
    found = compared(HigherWithin, Within)
    assert {p.name: (p.before, p.after, p.change) for p in found.properties} == {
        "within": ("holds", "holds", ""),
        "former within": ("holds", "violated", "broken"),
    }
    assert "former one on the model now: violated" in said(found)["property"]
    (broken,) = found.changed("broken")
    assert broken.cause == 2


def test_a_method_that_does_not_repeat_the_decorator_is_a_property_of_the_other_model_too() -> None:
    """In either direction."""
    found = {p.name: p for p in compared(BelowOne, Within).properties}
    assert found["within"].change == "broken" and found["within"].redefined is not None
    assert (found["within"].redefined.of_base, found["within"].redefined.of_edit) == ("violated", "holds")
    back = {p.name: (p.before, p.after) for p in compared(Within, BelowOne).properties}
    assert back == {"within": ("violated", "holds"), "former within": ("violated", "violated")}


def test_properties_in_common_are_counted_once() -> None:
    """The former definition is no property of its own."""
    shown = said(compared(HigherWithin, HigherWithin))
    assert shown["breaks"] == "nothing new: one property is in common"
    repaired = said(compare(Side(Climb, "a"), Side(Weaker, "b"), engine="interpreter", rule_seconds=0, step_seconds=0))
    assert repaired["breaks"] == "nothing new: one property is in common"
    assert repaired["property"].startswith("Low changed: held, holds now (")
