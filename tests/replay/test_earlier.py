"""Where no step is known to settle a violation, the step is named that set what the condition of the last one reads."""

from __future__ import annotations

from typing import Any

from checker.analysis.check import check
from checker.language import Ids, Int, Map, Model, action, invariant, require, rule, var
from checker.report.grid import grid
from checker.report.wording import guilty_line
from checker.trace.trace import Trace


class Shelf(Model):
    """Each clerk has a number, which may be put back for ever, and uses it for a ticket."""

    Clerk = Ids("c", 2)
    number = var(Map[Clerk, Int(0, 2)], 0)
    ticket = var(Map[Clerk, Int(0, 2)], 0)

    @action
    def count(self, c: Clerk):
        require(self.number[c] < 2)
        self.number[c] += 1

    @action
    def put_back(self, c: Clerk):
        require(self.number[c] > 0)
        self.number[c] = 0

    @rule
    def may_use(self, c: Clerk) -> bool:
        return self.has(c)

    @rule
    def has(self, c: Clerk) -> bool:
        return self.number[c] == 2

    @action
    def use(self, c: Clerk):
        require(self.may_use(c))
        self.ticket[c] = self.number[c]

    @invariant
    def small(self) -> bool:
        return all(self.ticket[c] < 2 for c in self.Clerk)

    properties = []


class Given(Shelf):
    """The numbers are there from the start."""

    number = var(Map[Shelf.Clerk, Int(0, 2)], 2)


def traced(cls: type[Model]) -> Trace:
    (found,) = [p.trace for p in check(cls, cls.__name__, engine="interpreter").properties]
    assert found is not None
    return found


def line(method: Any, number: int) -> str:
    return f"(test_earlier.py:{method.__code__.co_firstlineno + number})"


def test_the_last_step_is_named_that_set_a_value_which_the_condition_reads_through_its_rules() -> None:
    found = traced(Shelf)
    assert [step.action for step in found.steps] == ["count", "count", "use"]
    told = f"EARLIER, step 2, count(c1): sets number[c1] to 2 {line(Shelf.count, 3)}"
    assert guilty_line(found).endswith(f"; {told}")
    assert (found.settles, found.settled, found.earlier) == (told, None, 2)
    assert f"see above: {line(Shelf.count, 3)[1:-1]}" in [c.text for c in grid(found).rows[2].changes]


def test_no_step_is_named_where_the_value_was_there_from_the_start() -> None:
    assert "EARLIER" not in guilty_line(traced(Given)) and "because may_use" in guilty_line(traced(Given))
