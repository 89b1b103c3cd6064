"""A reason "why not" names the step that gave its condition the value that it has, or what no step did."""

from __future__ import annotations

from typing import Any

import pytest

from checker.analysis.check import check
from checker.language import Ids, Int, Set, action, quiescent, require, rule, var
from checker.language.model import Model


def reason(cls: type[Model], **given: Any) -> str:
    """The first reason why what is missing does not happen."""
    report = check(cls, cls.__name__, given, engine="interpreter")
    return next(p.trace.blocked[0] for p in report.properties if p.trace is not None)


def line(method: Any, number: int) -> str:
    return f"(test_since.py:{method.__code__.co_firstlineno + number})"


class Counter(Model):
    """Guests are served by number, and the next number is that of the last guest who was served."""

    Guest = Ids("g", 2)
    last = var(Int(0, 3), 0)
    other = var(Int(0, 3), 0)
    served = var(Set[Guest])

    @rule
    def number(self, g: Guest) -> int:
        return g.index

    @rule
    def due(self, g: Guest) -> bool:
        mine = self.last + 1
        return self.number(g) == mine

    @action
    def open(self):
        require(self.last == 0 and self.other == 0)
        self.other = 1
        self.last = 2

    @action
    def serve(self, g: Guest):
        require(g not in self.served and self.last > 0)
        require(self.due(g))
        self.served.add(g)

    @quiescent
    def all_served(self) -> bool:
        return all(g in self.served for g in self.Guest if g.index == 1)


class NeverOpen(Counter):
    """Nobody comes to open, and the counter stands at a number that no guest has."""

    last = var(Int(0, 3), 1)


class Listed(Counter):
    """Guests are served who are on a list, and only the first guest gets on it."""

    listed = var(Set[Counter.Guest])

    @rule
    def due(self, g):
        return g in self.listed

    @action
    def open(self):
        require(len(self.listed) == 0)
        self.last = 2
        self.listed.add(self.Guest[0])


class Compared(Counter):
    """The number that was called is compared with one that nobody changes, though somebody could."""

    @rule
    def due(self, g):
        return self.last <= self.other

    @action
    def open(self):
        require(self.last == 0)
        self.last = 2

    @action
    def reset(self):
        require(self.last == 3)
        self.other = 3


class Counted(Counter):
    """As Listed, and the entries of a guest are counted."""

    listed = var(Set[Counter.Guest])

    @rule
    def due(self, g):
        return len({x for x in self.listed if x == g}) > 0

    @action
    def open(self):
        require(len(self.listed) == 0)
        self.last = 2
        self.listed.add(self.Guest[0])


class Behind(Listed):
    """Nobody is served while one with a smaller number is on the list."""

    @rule
    def due(self, g):
        return all(x.index >= g.index for x in self.listed)


class WentOn(Counter):
    """The number is beyond the guest's since the first call, and the second call changes it once more."""

    @action
    def go_on(self):
        require(self.last == 2)
        self.last = 3


OPENED = f"step 1, open: sets last to 2 {line(Counter.open, 4)}"


@pytest.mark.parametrize(
    ("cls", "told"),
    [
        (Counter, f"so since {OPENED}"),  # it was true at the start: the statement that changed the number is named
        (WentOn, f"so since {OPENED}"),  # not since the last step that changed what is read
        (NeverOpen, "no step changes last"),
        (Listed, "no step puts g2 into listed"),
        (Compared, "no step changes other"),
        (Behind, f"so since step 1, open: does listed.add(g1) {line(vars(Listed)['open'], 4)}"),
        # the first step changes what is counted, but not the number for this guest
        (Counted, "no step changes len({x for x in listed if x == g2})"),
    ],
)
def test_the_step_is_named_that_gave_the_condition_its_value_or_what_no_step_changes(
    cls: type[Model], told: str
) -> None:
    assert reason(cls).partition("; ")[2] == told
