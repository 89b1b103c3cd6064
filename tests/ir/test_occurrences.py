"""How often steps occur in a run, and which others a step waits for that needs a counter at a level."""

from __future__ import annotations

from typing import Any

import pytest

from checker.catalogue import find
from checker.frontend.lower import lower
from checker.ir.footprints.instances import Instances
from checker.ir.footprints.phases import Phases
from checker.ir.model import Model as Lowered
from checker.ir.stubborn.occurrences import MANY
from checker.ir.stubborn.relations import Making, Relations
from checker.language import Int, Map, Network, Process, Record, Set, Union, action, anything, initial, on, require, var
from checker.language.define import define
from checker.language.distributed import Distributed


def bounds(model: type[Any], constants: dict[str, Any]) -> list[int]:
    """How many messages of each kind are ever sent, ascending."""
    lowered = lower(define(model, constants))
    instances = Instances.of(lowered)
    making = Making(lowered, tuple(instances.found), Phases(instances))
    making.made()
    return sorted(making.occurrences.messages.values())


def test_each_message_of_isis_is_sent_once() -> None:
    """Data since the workload's counter rises, a proposal since its message is received once, and the final timestamp
    since only the last of n proposals finds n - 1 counted."""
    assert set(bounds(find("isis").cls, {"workload": (1, 1, 0)})) == {1}


def test_a_network_that_duplicates_bounds_nothing() -> None:
    assert set(bounds(find("isis").cls, {"workload": (1, 0), "duplicates": 1})) == {MANY}


def test_a_sender_that_does_not_wait_for_all_may_send_more_often() -> None:
    """Of three proposals, the last two come when one or more is counted."""
    assert max(bounds(find("isis:OneProposalLess").cls, {"workload": (1, 0, 0)})) == 2


class _Sender(Distributed):
    """Sends numbered messages; `say` is to be defined."""

    Wire = Union(Say=Record(to=Process))
    net = var(Network[Process, Wire])
    step = var(Int(0, 3), 0)
    some = var(Set[Process])

    def put(self):
        self.net.send(self.Process[0], self.Process[1], self.Wire.Say(self.Process[0]))

    @on(net, Wire.Say)
    def hear(self, p, q, to):
        self.some.add(q)


class Once(_Sender):
    @action
    def say(self):
        require(self.step == 0)
        self.step += 1
        self.put()


class Twice(_Sender):
    """Two copies in one step."""

    @action
    def say(self):
        require(self.step == 0)
        self.step += 1
        self.put()
        self.put()


class Perhaps(_Sender):
    """The counter does not rise in each run."""

    @action
    def say(self):
        require(self.step == 0)
        if len(self.some) > 1:
            self.step += 1
        self.put()


class Again(_Sender):
    """The counter falls back."""

    @action
    def say(self):
        require(self.step == 0)
        self.step += 1
        self.put()

    @action
    def back(self):
        require(self.step == 1)
        self.step = 0


class Down(_Sender):
    """The value needed comes back: the counter falls to it, and others raise it."""

    @action
    def say(self):
        require(self.step == 1)
        self.step = 0
        self.put()

    @action
    def up(self):
        require(self.step == 0)
        self.step += 1


class Broken(_Sender):
    """A loop may end before the counter rises."""

    @action
    def say(self):
        require(self.step == 0)
        for _ in self.Process:
            if len(self.some) > 1:
                break
            self.step += 1
        self.put()


class Same(_Sender):
    """The counter may stay as it is."""

    @action
    def say(self):
        require(self.step == 0)
        self.step = max(self.step, len(self.some))
        self.put()


class Unlike(_Sender):
    """One value is not wanted; all others are."""

    @action
    def say(self):
        require(not self.step == 3)
        self.step += 1
        self.put()


class FromTheStart(_Sender):
    """One message is there from the start."""

    net = var(Network[Process, _Sender.Wire])

    @initial
    def begin(self):
        self.put()

    @action
    def say(self):
        require(self.step == 0)
        self.step += 1
        self.put()


class Unless(_Sender):
    """The case that sends is the one in which the counter has another value."""

    @action
    def say(self):
        if self.step == 3:
            self.some.clear()
        else:
            self.step += 1
            self.put()


class Rounds(_Sender):
    """As many copies as there are members."""

    @action
    def say(self):
        require(self.step == 0)
        self.step += 1
        for _ in self.some:
            self.put()


class RoundsOfSome(_Sender):
    """As many copies as a filter leaves members."""

    @action
    def say(self):
        require(self.step == 0)
        self.step += 1
        for _ in {q for q in self.some if q != self.Process[0]}:
            self.put()


class Hundred(_Sender):
    """More rounds than are followed one by one."""

    @action
    def say(self):
        require(self.step == 0)
        self.step += 1
        for _ in range(100):
            self.put()


REPEATED = (Perhaps, Again, Down, Broken, Same, Unlike, Unless, Rounds, RoundsOfSome, Hundred)


@pytest.mark.parametrize(
    ("model", "most"), [(Once, 1), (Twice, 2), (FromTheStart, 2), *((model, MANY) for model in REPEATED)]
)
def test_a_step_that_raises_what_it_needs_occurs_once(model: type[Any], most: int) -> None:
    """If it raises it in each run, and nothing lowers it; its messages are counted one by one."""
    assert bounds(model, {"processes": 2}) == [most]


class _Waiting(Distributed):
    """p2 and p3 answer p1 once each; when the count is complete, p1 goes on."""

    Wire = Union(Answer=Record(by=Process))
    net = var(Network[Process, Wire])
    asked = var(Map[Process, Int(0, 1)], 0)
    count = var(Int(0, 6), 0)
    mark = var(Int(0, 3), 0)

    @action
    def answer(self, p: Process):
        require(self.asked[p] == 0)
        self.asked[p] += 1
        self.net.send(p, self.Process[0], self.Wire.Answer(p))

    @on(net, Wire.Answer)
    def hear(self, p, q, by):
        self.count += 1

    @action
    def go_on(self):
        require(self.count == 3)
        self.mark = 1
        self.count = 0


class Doubly(_Waiting):
    """Each answer counts for two."""

    @on(_Waiting.net, _Waiting.Wire.Answer)
    def hear(self, p, q, by):
        self.count += 2


class Beyond(_Waiting):
    """The same level in other words."""

    @action
    def go_on(self):
        require(self.count > 2)
        self.mark = 1
        self.count = 0


class Often(_Waiting):
    """Each may answer twice."""

    @action
    def answer(self, p: Process, again: Int(0, 1)):
        require(self.asked[p] == 0 or again == 1)
        self.asked[p] = 1
        self.net.send(p, self.Process[0], self.Wire.Answer(p))


class Announced(_Waiting):
    """Whoever counts to three says so."""

    Wire = Union(Answer=Record(by=Process), Done=Record(by=Process))
    net = var(Network[Process, Wire])

    @on(net, Wire.Answer)
    def hear(self, p, q, by):
        self.count += 1
        if self.count == 3:
            self.net.send(p, p, self.Wire.Done(p))

    @on(net, Wire.Done)
    def done(self, p, q, by):
        self.mark = 2


class AheadByOne(Announced):
    """The count begins at one, so that two answers find it at two or more."""

    count = var(Int(0, 6), 1)


class AheadByAny(Announced):
    """Where the count begins is open."""

    count = var(Int(0, 6), anything)


@pytest.mark.parametrize(("model", "most"), [(Announced, 1), (AheadByOne, 2), (AheadByAny, 3)])
def test_so_many_find_a_count_at_a_level_as_are_left(model: type[Any], most: int) -> None:
    assert max(bounds(model, {"processes": 3})) == most


def relations(lowered: Lowered) -> Relations:
    """The tables of a model."""
    instances = Instances.of(lowered)
    return Making(lowered, tuple(instances.found), Phases(instances)).made()


def options(model: type[Any]) -> tuple[Relations, int]:
    """The tables, and the number of the instance of `go_on`."""
    lowered = lower(define(model, {"processes": 3}))
    tables = relations(lowered)
    names = [lowered.actions[i.head.action].name for i in tables.instances]
    return tables, names.index("go_on")


@pytest.mark.parametrize("model", [_Waiting, Beyond])
def test_a_step_that_needs_a_count_waits_for_each_that_is_missing(model: type[Any]) -> None:
    """At 0 of 3 any one answer is waited for, at 1 any two, at 2 all three."""
    tables, i = options(model)
    counted = [o for o in tables.options[i] if not o.holds]
    assert sorted(o.enabling.bit_count() for o in counted) == [1, 1, 1, 2, 2, 2, 3]


@pytest.mark.parametrize("model", [Doubly, Often])
def test_a_count_that_rises_by_more_or_more_often_shows_nobody(model: type[Any]) -> None:
    tables, i = options(model)
    assert [o.holds for o in tables.options[i]] == [True]


def test_a_count_that_must_not_be_complete_shows_nobody() -> None:
    """Whoever counts without completing waits for a message, or for the count to be another."""
    lowered = lower(define(Announced, {"processes": 3}))
    tables = relations(lowered)
    silent = [i for i, x in enumerate(tables.instances) if any(not literal.holds for literal in x.literals)]
    assert silent and all(len(tables.options[i]) == 2 for i in silent)
