"""What a change takes away from the search without touching an expectation or a property is named."""

from __future__ import annotations

import pytest

from checker.analysis.former_numbers import lost_numbers, lowered
from checker.analysis.narrowed import narrowed
from checker.language import (
    Bool,
    Distributed,
    Ids,
    Int,
    Invariant,
    LeadsTo,
    Map,
    Network,
    Process,
    Record,
    Union,
    action,
    anything,
    constraint,
    holds,
    on,
    var,
    violates,
)
from checker.language.define import define
from checker.language.model import Model


class Alternating(Invariant):
    inside = var(Int(0, 9), 0)

    def on_enter(self, p: Process) -> None:
        self.inside += 1

    def holds(self) -> bool:
        return self.inside <= 1


class Served(LeadsTo):
    def when(self, p: Process) -> bool:
        return self.seed

    def then(self, p: Process) -> bool:
        return self.taken[p]


class Lock(Distributed):
    Value = Ids("v", 3)
    Wire = Union(Ask=Record(number=Int(0, 3), again=Bool), Grant=Record(number=Int(0, 3)))
    net = var(Network[Process, Wire])
    number = var(Int(0, 9), 0)
    seed = var(Bool, anything)
    taken = var(Map[Process, Bool], False)

    @action
    def ask(self, p: Process, v: Value) -> None:
        assert self.number < 9 and not self.taken[p]
        self.taken[p] = True
        self.emit.enter(p)

    @action(fair=False)
    def leave(self, p: Process, times: Int(1, 3)) -> None:
        assert self.taken[p]
        self.taken[p] = False
        self.number = times

    @on(net, Wire.Ask)
    def receive_ask(self, p: Process, q: Process, number: Int(0, 3)) -> None:
        self.number = number

    @constraint
    def bounded(self) -> bool:
        return self.number < 5

    properties = [Alternating, Served]


class Helped(Lock):
    """The same, through a helper, with other names."""

    def ask(self, p: Process, v: Lock.Value) -> None:
        self.enters(p)

    def enters(self, who: Process) -> None:
        assert not self.taken[who]
        assert self.number < 9
        self.taken[who] = True
        self.emit.enter(who)

    def bounded(self) -> bool:
        """Another docstring."""
        return self.number < 5


class Above(Lock):
    """Calls what it overrides."""

    def leave(self, p: Process, times: Int(1, 3)) -> None:
        super().leave(p, times)


class Larger(Lock):
    """More values; a smaller range of a variable, which the search examines."""

    Value = Ids("v", 4)
    number = var(Int(0, 5), 0)


class Silent(Lock):
    def ask(self, p: Process, v: Lock.Value) -> None:
        assert self.number < 9
        self.taken[p] = True


class Fewer(Lock):
    Value = Ids("v", 2)


class Rarely(Lock):
    @action
    def leave(self, p: Process, times: Int(1, 2)) -> None:
        assert self.taken[p] or True
        self.taken[p] = False
        self.number = times


class Shorter(Lock):
    Wire = Union(Ask=Record(number=Int(0, 3)), Grant=Record(number=Int(0, 3)))
    seed = var(Bool, False)


class Closer(Lock):
    def bounded(self) -> bool:
        return self.number < 2

    @constraint
    def few(self) -> bool:
        return self.number < 9


@pytest.mark.parametrize(
    ("edit", "told"),
    [
        (Helped, []),
        (Above, []),
        (Larger, []),
        (
            Silent,
            [
                "assert not self.taken[p] in ask is no longer stated",
                "nothing emits the event enter any more, which a property reads",
            ],
        ),
        (Fewer, ["the type Value has 2 values, and had 3"]),
        (
            Rarely,
            [
                "assert self.taken[p] in leave is no longer stated",
                "the parameter times of leave is Int(1, 2), and was Int(1, 3)",
                "the action leave is fair, and was not",
            ],
        ),
        (Shorter, ["net (Ask) has no again any more", "seed no longer starts as any value"]),
        (
            Closer,
            [
                "the constraint bounded was changed, and may leave out more states",
                "the constraint few is new, and leaves out states",
            ],
        ),
    ],
)
def test_what_the_search_no_longer_sees_is_named(edit: type[Model], told: list[str]) -> None:
    """An assertion, an event, values of a type, a constraint, fairness; and not what is written otherwise."""
    assert [one.text for one in narrowed(define(Lock), define(edit))] == told


def test_a_number_that_is_no_longer_stated_is_named_and_another_number_is_not() -> None:
    """The search compares another number; steps are asked only where a violation is expected still."""
    before = holds(distinct=9, transitions=12, depth=4)
    assert [*lost_numbers(before, [holds(distinct=5, depth=5)], " with n=2")] == [
        "the number of transitions (12) is no longer stated with n=2"
    ]
    assert [*lost_numbers(violates("p", steps=4), [violates("p", steps=3)], "")] == []


def test_a_lower_default_is_named_and_a_higher_is_not() -> None:
    """Numbers, switches and lists, also shorter ones."""
    before = {"n": 3, "on": True, "load": (1, 2), "same": 2, "gone": 4}
    assert [text for _, text in lowered(before, {"n": 2, "on": False, "load": (1,), "same": 2})] == [
        "the default of n is 2, and was 3",
        "the default of on is false, and was true",
        "the default of load is 1,, and was 1,2",
    ]
    assert [*lowered(before, {"n": 4, "on": True, "load": (1, 2, 0), "same": 2})] == []
