"""The constant because of which a property fails: the class states that it holds with another value of this one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from checker.analysis.check import check
from checker.language import Int, Model, action, const, derived, holds, invariant, require, var, violates
from checker.replay.cited import declared_at
from checker.report.wording import guilty_parts
from checker.trace.trace import Trace


class Delayed(Model):
    """A letter arrives in time, if it is not late.  few: violated after 3 steps with late = 1."""

    late = const(0, "days of delay")
    days = const(2, "days of the run")
    workload = const((1, 0), "letters")
    crashes = const(0, "broken carts")
    last = const(days, "the last day")
    roads = const((1, 1), "whether each road is open")
    room = const(derived(lambda c: c.days + 3), "letters in a cart")
    x = var(Int(0, 9), 0)

    @action
    def wait(self):
        require(self.x < self.days + self.late + (0 if self.roads[0] == 1 else 1))
        self.x += 1

    @invariant
    def few(self) -> bool:
        """No letter waits longer than agreed."""
        return self.x <= 2

    expect = [holds(), violates("few", at={"late": 1})]


class Larger(Delayed):
    """Also more letters are in time."""

    expect = holds(at={"workload": (1, 1)})


class Fewer(Delayed):
    """Also nothing waits where nobody writes."""

    expect = holds(at={"workload": (0, 0)})


class Cart(Delayed):
    """Also a broken cart may stop the letter."""

    expect = [holds(at={"late": 1, "crashes": 1}), holds(at={"late": 0, "days": 1})]


class Closed(Delayed):
    """Also another road is closed."""

    expect = holds(at={"roads": (1, 0)})


class Unstated(Delayed):
    """Also nothing is known."""

    expect = violates("few", at={"days": 3})


def told(cls: type[Model], constants: Mapping[str, Any]) -> list[str]:
    (found,) = [p.trace for p in check(cls, cls.__name__, constants, engine="interpreter").properties]
    assert isinstance(found, Trace)
    return [part for part in guilty_parts(found) if part in found.otherwise]


@pytest.mark.parametrize(
    ("cls", "constants", "values"),
    [
        (Delayed, {"late": 1}, "late = 1 (days of delay): with late = 0"),
        (Delayed, {"days": 3}, "days = 3 (days of the run): with days = 2"),  # `last` follows
        (Larger, {"late": 1}, "late = 1 (days of delay): with late = 0, workload = 1,1"),
        (Delayed, {"roads": (0, 1)}, "roads = 0,1 (whether each road is open): with roads = 1,1"),
        (Delayed, {"roads": (0, 1), "room": 1}, "roads = 0,1 (whether each road is open): with roads = 1,1, room = 5"),
    ],
)
def test_a_constant_is_named_that_alone_differs_from_what_is_stated_to_hold(
    cls: type[Model], constants: Mapping[str, Any], values: str
) -> None:
    """A workload with more messages and a constant that follows from another one may differ, too; beside a constant of
    several values a number whose default is computed."""
    place = declared_at(cls, "expect")
    assert place is not None
    said = f"CONSTANT {values} and all others as here, few is stated to hold (test_other_constant.py:{place[1]})"
    assert told(cls, constants) == [said]


@pytest.mark.parametrize(
    ("cls", "constants"),
    [
        (Delayed, {"late": 1, "days": 3}),  # either may be the reason
        (Delayed, {"late": 1, "workload": (2, 0)}),  # with more messages than those that are stated
        (Fewer, {"late": 1}),
        (Delayed, {"roads": (0, 1), "room": 6}),  # with less room than here
        (Closed, {"roads": (0, 1)}),  # where another one is closed: a configuration
        (Delayed, {"late": 1, "room": 1}),
        (Cart, {"late": 1}),  # a bound of faults differs, or two constants
        (Unstated, {"late": 1}),
    ],
)
def test_no_constant_is_named_where_more_differs(cls: type[Model], constants: Mapping[str, Any]) -> None:
    assert told(cls, constants) == []
