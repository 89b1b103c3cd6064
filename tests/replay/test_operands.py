"""The values from which a condition is computed, and the lines of the rules that it asks."""

from __future__ import annotations

from typing import Any

from checker.analysis.check import check
from checker.language import Ids, Int, Map, Model, Optional, action, const, invariant, require, rule, var
from checker.replay.base import base_of
from checker.report.wording import decisive
from checker.trace.former import Contrast
from checker.trace.trace import Trace


class Scales(Model):
    """Each friend puts its weights on the scales, and takes what the rule gives it."""

    Friend = Ids("f", 2)
    bonus = const((1, 0), "what the scales add for each friend")
    weight = var(Map[Friend, Int(0, 3)], 1)
    extra = var(Map[Friend, Int(0, 3)], 2)
    taken = var(Map[Friend, Optional[Friend]])

    @action
    def take(self, f: Friend):
        require(self.taken[f] is None)
        self.taken[f] = self.chosen(f)

    @rule
    def chosen(self, f: Friend) -> Friend:
        for g in self.Friend:
            if sum(1 for h in self.Friend if self.weight[h] > 0 and h != g) == 2:
                return g
        return f

    @invariant
    def each_its_own(self) -> bool:
        return all(self.taken[f] is None or self.taken[f] == f for f in self.Friend)


class ByTable(Scales):
    """EDIT: a table says who is taken."""

    @rule
    def chosen(self, f):
        place = 1
        return self.Friend[self.bonus[place]]


class ByName(Scales):
    """EDIT: the second one is taken."""

    @rule
    def chosen(self, f):
        other = self.Friend[1]
        return other


class Heavy(Scales):
    """EDIT: who is heavy takes the last."""

    @rule
    def chosen(self, f):
        return self.Friend[1] if self.is_heavy(f, self.weight[f] + self.bonus[f.index]) else f

    @rule
    def is_heavy(self, f: Scales.Friend, least: Int(0, 9)) -> bool:
        return self.weight[f] + self.extra[f] > least and self.is_early(self.bonus[f.index] - 1)

    @rule
    def is_early(self, place: Int(0, 9)) -> bool:
        return max(w + place for w in self.bonus) >= self.bonus[place]


def traced(cls: type[Model]) -> Trace:
    report = check(cls, cls.__name__, engine="interpreter", base=base_of(cls))
    return next(p.trace for p in report.properties if p.trace is not None)


def note(cls: type[Model]) -> str:
    return next(step.note for step in traced(cls).steps if step.cause)


def line(method: Any, number: int) -> str:
    """A line of a method, counted from its decorator."""
    return f"test_operands.py:{method.__code__.co_firstlineno + number}"


def test_the_line_is_that_of_the_test_which_is_quoted() -> None:
    """Not of the `return` behind the loop; what the comprehension reads is listed once for all its elements."""
    assert (
        f"before the edit it is f2 ({line(Scales.chosen, 3)}): for g = f1: "
        "sum(1 for h in Friend if weight[h] > 0 and h != f1) = 1 is not 2; for g = f2: "
        "sum(1 for h in Friend if weight[h] > 0 and h != f2) = 1 is not 2 with weight = {f1: 1, f2: 1};"
    ) in note(ByTable)


def test_a_value_that_is_looked_up_has_the_place_at_which_it_is_found() -> None:
    assert note(ByTable).startswith(
        f"chosen(f2) is f1 ({line(ByTable.chosen, 3)}): Friend[bonus[1]] with bonus[1] = 0;"
    )


def test_the_name_of_a_local_variable_is_no_reason() -> None:
    assert note(ByName).startswith(f"chosen(f1) is f2 ({line(ByName.chosen, 3)}); before the edit it is f1 ")


def test_a_rule_that_is_asked_has_the_values_of_its_arguments_and_its_line() -> None:
    """A sum has its parts; a rule inside has its own line."""
    assert note(Heavy).startswith(
        f"chosen(f1) is f2 ({line(Heavy.chosen, 2)}): is_heavy(f1, 2) is true ({line(Heavy.is_heavy, 2)}): "
        "weight[f1] + extra[f1] = 1 + 2 = 3 is > least = 2 and "
        f"is_early(0) is true ({line(Heavy.is_early, 2)}): max(w + place for w in bonus) = 1 is >= bonus[0] = 1 "
        "with bonus = [1, 0];"
    )


def test_of_a_long_reason_the_head_keeps_the_values_that_are_read() -> None:
    """One of its conditions is left out."""
    before = (
        "it is none (a.py:2): for v = v: 2 * sum((1 for q in "
        "Friend if heard[f1][q] == v)) = 2 is not > least = 3; for v = w: 2 * sum((1 for q in Friend if heard[f1][q] "
        "== w)) = 0 is not > least = 3; for v = x: 2 * sum((1 for q in Friend if heard[f1][q] == x)) = 0 is not > "
        "least = 3 with heard[f1] = {f1: v, f2: none}"
    )
    found = Contrast("is f2 (a.py:1): table[1]", before, subject="verdict(f1)", then="after this step taken is none")
    assert decisive(found).endswith("least = 3 and more (for v = w, for v = x) with heard[f1] = {f1: v, f2: none}")
