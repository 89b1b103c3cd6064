"""Of several conditions the one that decides: of a collection, after a loop, behind an initial state, and beside a
crash."""

from __future__ import annotations

from typing import Any

from checker.analysis.check import check
from checker.language import (
    Bool,
    Distributed,
    Ids,
    Int,
    Map,
    Model,
    Network,
    Process,
    Seq,
    Set,
    action,
    const,
    invariant,
    on,
    quiescent,
    require,
    rule,
    var,
)
from checker.replay.base import base_of
from checker.report.wording import guilty_line
from checker.trace.trace import Trace


def traced(cls: type[Model], **given: Any) -> Trace:
    """The one violation of a model."""
    report = check(cls, cls.__name__, given, engine="interpreter", base=base_of(cls))
    return next(p.trace for p in report.properties if p.trace is not None)


def line(method: Any, number: int) -> str:
    """A line of a method, counted from its decorator."""
    return f"(test_which_condition.py:{method.__code__.co_firstlineno + number})"


class Kitchen(Model):
    """What is hot is served early, and everything when all is cooked."""

    Dish = Ids("d", 2)
    cooked = var(Set[Dish])
    served = var(Seq[Dish, 2])

    @action
    def cook(self, d: Dish):
        require(d not in self.cooked)
        self.cooked.add(d)

    @action
    def serve(self, d: Dish):
        require(d in self.cooked and len(self.served) == 0)
        batch = self.eligible()
        for x in sorted(batch):
            self.served.append(x)

    @rule
    def is_hot(self, d: Dish) -> bool:
        return d not in self.cooked

    @rule
    def early(self) -> Set[Dish]:
        return set(self.cooked) if self.is_hot(self.Dish[1]) and len(self.cooked) > 1 else set()

    @rule
    def default(self) -> Set[Dish]:
        return set(self.cooked) if len(self.cooked) == 2 else set()

    @rule
    def eligible(self) -> Set[Dish]:
        default, early = self.default(), self.early()
        return early if len(early) > 0 else default

    @invariant
    def never_the_second(self) -> bool:
        return all(x not in self.served for x in self.Dish if x.index == 1)


def test_the_rule_that_has_what_is_taken_decides_and_not_one_asked_for_an_empty_collection() -> None:
    """That d2 is not hot is asked last; what is early is empty then."""
    assert traced(Kitchen).decides == (
        f"does served.append(d2) {line(Kitchen.serve, 5)}, because default() is {{d1, d2}} {line(Kitchen.default, 2)}: "
        "len(cooked) is 2"
    )


class Desk(Model):
    """Guests are seated in the order of their tickets, one after the other; nobody has ticket 1 or 2."""

    Guest = Ids("g", 2)
    turn = var(Int(0, 3), 0)
    opened = var(Bool, False)
    seated = var(Seq[Guest, 2])

    @action
    def open(self):
        require(not self.opened)
        self.opened = True
        ready = [g for g in self.Guest if self.due(g)]
        while len(ready) > 0:
            self.seated.append(ready[0])
            self.turn += 1
            ready = [g for g in self.Guest if self.due(g)]

    @rule
    def due(self, g: Guest) -> bool:
        return 3 * g.index == self.turn

    @quiescent
    def everybody_sits(self) -> bool:
        return all(g in self.seated for g in self.Guest)


def test_a_rule_that_a_loop_asks_again_after_another_guest_is_the_reason() -> None:
    """g2 would be seated if its ticket were due twice: before g1 is seated, and after it; the third time is too
    often."""
    told = f"due(g2) stays false {line(Desk.due, 2)}: 3 * g2.index = 3 is not turn = 1; "
    assert traced(Desk).blocked[0].startswith(told)


class Still(Model):
    """What is nothing does not grow."""

    level = var(Int(0, 2), 0)

    @action
    def grow(self):
        if self.level > 0:
            self.level += 1

    @invariant
    def small(self) -> bool:
        return self.level < 2


class Begun(Still):
    """EDIT: it begins with something."""

    level = var(Int(0, 2), 1)


def test_behind_an_initial_state_stands_the_statement_that_does_the_harm() -> None:
    line_of_level = traced(Begun).cause.partition("(")[2].partition(")")[0]
    told = guilty_line(traced(Begun))
    assert told.startswith(f"CAUSE in the initial state: level is 1 ({line_of_level}); before the edit it is 0 (")
    assert told.endswith(f"; VIOLATION, step 1, grow: sets level to 2 {line(Still.grow, 3)}")


class Repeating(Distributed):
    """p1 sends to all, and repeats as long as it owes."""

    processes = const(3)
    begun = var(Bool, False)
    got = var(Set[Process])
    owed = var(Map[Process, Set[Process]])
    net = var(Network[Process, Int(0, 1)])

    @action
    def begin(self, p: Process):
        require(p == self.Process[0] and not self.begun)
        self.begun = True
        self.owed[p] = set(self.Process)
        self.net.multicast(p, 1)

    @on(net)
    def receive(self, p, q, n):
        self.got.add(p)

    @action
    def repeat(self, p: Process, q: Process):
        require(q in self.owed[p])
        self.owed[p].discard(q)
        self.net.send(p, q, 1)

    @quiescent
    def all_or_none(self) -> bool:
        return all(q in self.got for p in self.got if self.live(p) for q in self.Process if self.live(q))


def test_that_nobody_acts_in_the_place_of_a_crashed_process_is_no_reason() -> None:
    """p1 has crashed; p2 owes nothing to itself, and need not."""
    blocked = traced(Repeating, crashes=1).blocked
    assert any(text.startswith("p1 crashes at step ") for text in blocked)
    assert not any(text.startswith("repeat(") for text in blocked)


class Counter(Model):
    """Whoever has waited long enough is served, in any order."""

    Guest = Ids("g", 2)
    waited = var(Map[Guest, Int(0, 1)], 0)
    served = var(Seq[Guest, 2])

    @action
    def wait(self, g: Guest):
        require(self.waited[g] == 0 and len(self.served) == 0)
        self.waited[g] = 1

    @action
    def serve(self):
        due = [g for g in self.Guest if self.waited[g] > 0 and g not in self.served]
        while len(due) > 0:
            first = due[0]
            self.served.append(first)
            due = [g for g in self.Guest if self.waited[g] > 0 and g not in self.served]

    @invariant
    def first_guest_first(self) -> bool:
        return all(self.served[0] == self.Guest[0] for g in self.served)


def test_without_another_condition_the_filter_that_selected_a_value_is_the_condition() -> None:
    told = traced(Counter).decides
    assert told == (
        f"does served.append(g2) {line(Counter.serve, 5)}, because for g = g2: waited[g2] = 1 is > 0 and g2 is not in "
        f"served = [] {line(Counter.serve, 2)}"
    )
