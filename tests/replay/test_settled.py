"""The step that settles a violation: which one it is, when there is none, and what it does."""

from __future__ import annotations

from typing import Any

import pytest

from checker.analysis.check import check
from checker.language import Bool, Ids, Int, Map, Model, Seq, Set, action, invariant, require, rule, var
from checker.language.multicast import Message, Multicast, Process
from checker.replay.base import base_of
from checker.report.grid import grid
from checker.report.space_time import space_time
from checker.report.wording import guilty_line
from checker.trace.trace import Trace


def traced(cls: type[Model], **given: Any) -> Trace:
    """The one violation of a model."""
    report = check(cls, cls.__name__, given, engine="interpreter", base=base_of(cls))
    return next(p.trace for p in report.properties if p.trace is not None)


def line(method: Any, number: int) -> str:
    """A line of a method, counted from its decorator."""
    return f"(test_settled.py:{method.__code__.co_firstlineno + number})"


class Kitchen(Model):
    """Dishes are cooked in the order in which they were ordered, and served as they are cooked."""

    Dish = Ids("d", 2)
    ordered = var(Seq[Dish, 2])
    served = var(Seq[Dish, 2])
    rung = var(Bool)

    @action
    def order(self, d: Dish):
        require(self.is_free(d))
        self.ordered.append(d)
        self.rung = True

    @rule
    def is_free(self, d: Dish) -> bool:
        """d has not been ordered."""
        return d not in self.ordered

    @action
    def serve(self):
        require(len(self.served) < len(self.ordered))
        self.served.append(self.ordered[len(self.served)])

    @invariant
    def in_turn(self) -> bool:
        """Dishes are served in the order of the menu."""
        return all(d == self.Dish[i] for i, d in enumerate(self.served))


class Impatient(Kitchen):
    """A fault may clear what is ordered: what settles a violation is said of runs without one."""

    @action(fault=True)
    def burn(self):
        require(len(self.served) == 0)
        self.ordered.clear()


@pytest.mark.parametrize("cls", [Kitchen, Impatient])
def test_the_step_is_named_with_what_it_does_of_what_the_last_step_reads(cls: type[Model]) -> None:
    found = traced(cls)
    assert [step.action for step in found.steps] == ["order", "serve"]
    does = f"does ordered.append(d2) {line(Kitchen.order, 3)}"
    why = f"is_free(d2) is true {line(Kitchen.is_free, 3)}: d2 is not in ordered = []"
    assert guilty_line(found).endswith(f"; SETTLED, step 1, order(d2): {does}, because {why}")
    assert found.steps[0].note == "after this step each continuation without a fault violates in_turn"


class Cancelled(Kitchen):
    """An order may be cancelled before it is served."""

    @action
    def cancel(self):
        require(len(self.served) == 0 and len(self.ordered) == 2)
        self.ordered.clear()
        self.served.append(self.Dish[0])


class Slow(Kitchen):
    """Nobody needs to serve anything."""

    @action(fair=False)
    def serve(self):
        super().serve()


class Lit(Kitchen):
    """The light goes on and off: a continuation need never come to an end."""

    lit = var(Bool)

    @action
    def switch(self):
        self.lit = not self.lit


class OneDish(Kitchen):
    """Only the second dish can be ordered first: no step decides."""

    @rule
    def is_free(self, d):
        return d not in self.ordered and (d == self.Dish[1] or len(self.ordered) > 0)


@pytest.mark.parametrize("cls", [Cancelled, Slow, Lit, OneDish])
def test_no_step_is_named_where_a_run_may_keep_the_property_or_none_can(cls: type[Model]) -> None:
    found = traced(cls)
    assert found.steps[-1].action == "serve" and "does served.append(" in found.decides
    assert "SETTLED" not in guilty_line(found) and not any(step.note for step in found.steps[:-1])


class Logged(Multicast):
    """Messages are delivered in the order of a log to which they are multicast."""

    log = var(Seq[Message, 2])

    def send(self, p, m):
        self.log.append(m)

    @action
    def read(self, p: Process):
        require(len(self.delivered[p]) < len(self.log))
        self.deliver(p, self.log[len(self.delivered[p])])

    @invariant
    def first_of_the_first(self) -> bool:
        """The first message is one of the first process."""
        return all(self.sender(self.delivered[p][0]) == self.Process[0] for p in self.Process if self.delivered[p])


def test_an_input_is_no_decision_of_the_protocol() -> None:
    found = traced(Logged, workload=(1, 1))
    assert [step.action for step in found.steps] == ["multicast", "read"]
    assert "SETTLED" not in guilty_line(found) and not found.steps[0].note


class Shelf(Multicast):
    """What a process puts on the shelf first, everybody delivers."""

    shelf = var(Seq[Message, 1])

    def send(self, p, m):
        pass

    @action
    def put(self, p: Process, m: Message):
        require(self.sender(m) == p and self.was_multicast(m) and len(self.shelf) == 0)
        self.shelf.append(m)

    @action
    def take(self, p: Process):
        require(len(self.delivered[p]) < len(self.shelf))
        self.deliver(p, self.shelf[0])

    @invariant
    def of_the_first(self) -> bool:
        """Only messages of the first process are delivered."""
        return all(self.sender(m) == self.Process[0] for p in self.Process for m in self.delivered[p])


def test_the_step_has_a_frame_in_the_lane_of_its_process() -> None:
    found = traced(Shelf, workload=(1, 1))
    assert [step.action for step in found.steps] == ["multicast", "put", "take"]
    assert [dict(row.marks) for row in grid(found).rows[1:-1]] == [{}, {"p2": "SETTLED"}, {"p1": "VIOLATION"}]
    box = next(text for text in space_time(found).splitlines() if text.lstrip().startswith('"p2/2"'))
    assert 'TABLE BORDER="2"' in box and "SETTLED" in box and "row2 culprit" in box


class Batches(Model):
    """What is new is appended to a log as one batch, and read from there."""

    Dish = Ids("d", 2)
    known = var(Set[Dish])
    log = var(Seq[Set[Dish], 2])
    read = var(Int(0, 2), 0)
    served = var(Seq[Dish, 4])

    @action
    def learn(self, d: Dish):
        require(d not in self.known)
        self.known.add(d)

    @rule
    def batch(self) -> Set[Dish]:
        """What is in no batch."""
        return {d for d in self.known if not any(d in batch for batch in self.log)}

    @action
    def write(self):
        value = self.batch()
        require(len(value) > 0)
        self.log.append(value)

    @action
    def serve(self):
        require(self.read < len(self.log))
        for d in sorted(self.log[self.read]):
            self.served.append(d)
        self.read += 1

    @invariant
    def in_turn(self) -> bool:
        """The second dish is not served without the first."""
        return all(d == self.Dish[0] or self.Dish[0] in self.served for d in self.served)


def test_a_rule_whose_value_is_added_gives_the_statement_its_value() -> None:
    found = traced(Batches)
    assert [step.action for step in found.steps] == ["learn", "write", "serve"]
    does = f"does log.append({{d2}}) {line(Batches.write, 4)}"
    assert f"SETTLED, step 2, write: {does}, because batch() is {{d2}} {line(Batches.batch, 3)}: " in found.settles


class Favourite(Shelf):
    """Everybody delivers the last of the messages that were multicast."""

    @rule
    def favourite(self) -> Message:
        sent = [m for m in self.Message if self.was_multicast(m)]
        return sent[-1]

    @action
    def take(self, p: Process):
        require(any(self.was_multicast(m) for m in self.Message) and len(self.delivered[p]) == 0)
        m = self.favourite()
        self.deliver(p, m)


def test_a_rule_whose_value_is_the_last_argument_gives_it_to_the_statement() -> None:
    found = traced(Favourite, workload=(1, 1))
    assert f", because favourite() is m2.1 {line(Favourite.favourite, 3)} of Favourite: " in found.decides, (
        found.decides
    )


class FirstOfAll(Batches):
    """The sentence of the violation names no dish."""

    @invariant
    def in_turn(self) -> bool:
        """The first dish is served first."""
        return len(self.served) == 0 or self.Dish[0] in self.served


def test_a_rule_whose_value_is_written_is_the_condition_also_where_the_witness_does_not_name_it() -> None:
    found = traced(FirstOfAll)
    assert [step.action for step in found.steps] == ["learn", "write", "serve"] and not found.witness_values
    assert f", because batch() is {{d2}} {line(Batches.batch, 3)}: " in found.settles


class Places(Model):
    """A place is taken once it is known, unless one with a smaller stamp is known."""

    Place = Ids("s", 2)
    stamp = var(Map[Place, Int(0, 2)], 0)
    taken = var(Seq[Place, 2])

    @action
    def know(self, s: Place):
        require(not self.is_known(s))
        self.stamp[s] = s.index + 1

    @rule
    def is_known(self, s: Place) -> bool:
        """s has a stamp."""
        return self.stamp[s] > 0

    @action
    def take(self, s: Place):
        require(self.is_known(s) and s not in self.taken)
        require(all(not self.is_known(x) or x in self.taken for x in self.Place if x != s))
        self.taken.append(s)

    @invariant
    def by_stamp(self) -> bool:
        """Places are taken in the order of their stamps."""
        return all(self.stamp[s] >= self.stamp[self.taken[0]] for s in self.taken)


def test_a_condition_on_the_others_is_one_on_what_the_statement_is_called_with() -> None:
    """It need not name it: nothing else is known."""
    found = traced(Places)
    settled = found.settles.removeprefix("SETTLED, ")
    why = f"for x = s1: is_known(s1) is false (test_settled.py:{Places.is_known.__code__.co_firstlineno + 3})"
    assert settled.startswith(f"step 2, take(s2): does taken.append(s2) {line(Places.take, 4)}, because {why}")
    assert settled.endswith(line(Places.take, 3))
