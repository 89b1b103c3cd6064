"""Of a violation the report names the statement that breaks the property and the condition that let it be executed; of
what is missing the test of a handler that turned it away."""

from __future__ import annotations

from typing import Any

from attrs import evolve

from checker.analysis.check import check
from checker.language import (
    Ids,
    Int,
    Map,
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
from checker.language.distributed import Distributed
from checker.language.model import Model
from checker.report.wording import guilty_line, other_blocked, shown_blocked
from checker.trace.reasons import Reason
from checker.trace.trace import Trace


class Shop(Model):
    """Guests are served in the order of their numbers, but two have one number."""

    Guest = Ids("g", 3)
    number = var(Map[Guest, Int(0, 3)], 0)
    served = var(Seq[Guest, 3])
    seats = const(3, "how many are served")

    @action
    def come(self, g: Guest):
        require(self.number[g] == 0)
        self.number[g] = self.next_number(g)

    @rule
    def next_number(self, g: Guest) -> int:
        return 1 + len([x for x in self.Guest if self.number[x] > 0 and x != self.Guest[0]])

    @action
    def serve(self, g: Guest):
        if not self.may_enter(g):
            return
        self.welcome(g)

    @rule
    def may_enter(self, g: Guest) -> bool:
        return self.number[g] > 0 and g not in self.served and self.is_guest(g)

    @rule
    def is_guest(self, g: Guest) -> bool:
        return g in self.Guest

    def welcome(self, g):
        if self.is_guest(g):
            self.served.append(g)

    @invariant
    def in_order(self) -> bool:
        return all(
            self.number[x] > self.number[y]
            for i, x in enumerate(self.served)
            for j, y in enumerate(self.served)
            if i > j
        )


class Cafe(Shop):
    """EDIT: a greeting before what the shop does."""

    def welcome(self, g):
        super().welcome(g)


def traced(cls: type[Model], name: str, **constants: Any) -> Trace:
    """The trace of a violation, compared with no other protocol."""
    report = check(cls, cls.__name__, constants, engine="interpreter", only=[name], base=cls)
    (found,) = report.properties
    assert found.trace is not None
    return found.trace


def place(method: Any, line: int) -> str:
    """A line of a method, counted from its decorator or `def`."""
    return f"(test_deciding.py:{method.__code__.co_firstlineno + line})"


def test_the_condition_is_the_last_that_reads_the_state_and_speaks_of_what_the_statement_does() -> None:
    """Not the one that holds of every guest, though it is asked later."""
    found = traced(Shop, "in_order")
    guest = found.steps[-1].args["g"]
    served = found.states[-2]["served"][0]
    assert found.decides == (
        f"does served.append({guest}) {place(Shop.welcome, 2)}, "
        f"because may_enter({guest}) is true {place(Shop.may_enter, 2)}: "
        f"number[{guest}] = 1 is > 0 and {guest} is not in served = [{served}] and is_guest({guest}) is true "
        f"{place(Shop.is_guest, 2)}: {guest} is in Guest"
    )
    assert found.settles == (
        "SETTLED, step 1, come(g1): "
        f"sets number[g1] to 1 {place(Shop.come, 3)}, because next_number(g1) is 1 {place(Shop.next_number, 2)}: "
        "1 + len([x for x in Guest if number[x] > 0 and x != Guest[0]]) with number = {g1: 0, g2: 0, g3: 0}"
    )


def test_a_call_of_an_inherited_method_is_followed() -> None:
    """The call decides nothing; what the inherited method does has the line."""
    found = traced(Cafe, "in_order")
    assert found.decides.startswith("does served.append(") and place(Shop.welcome, 2) in found.decides
    assert "super()" not in found.decides


class Counted(Distributed):
    """Messages have numbers from 1 on; the receiver waits for number 0."""

    processes = const(2, "number of processes")
    Message = Ids("m", 1)
    net = var(Network[Process, Message])
    sent = var(Set[Message])
    expected = var(Map[Process, Int(0, 2)], 0)
    got = var(Map[Process, Set[Message]])
    held = var(Map[Process, Set[Message]])

    @action
    def send(self, p: Process, m: Message):
        require(p == self.Process[0] and m not in self.sent)
        self.sent.add(m)
        self.net.send(p, self.Process[1], m)

    @on(net)
    def receive(self, p, q, m):
        if p == self.Process[0]:
            self.take(p, m)
        if m.index + 1 == self.expected[p]:
            self.take(p, m)
        elif m.index + 1 > self.expected[p]:
            self.held[p].add(m)

    def take(self, p, m):
        self.got[p].add(m)

    @quiescent
    def arrives(self) -> bool:
        return all(m in self.got[p] for m in self.sent for p in self.Process if p != self.Process[0])


def test_of_a_message_that_a_handler_holds_the_test_is_told() -> None:
    """It stands in the head, and nowhere a second time; the test whether p is the first process reads no state."""
    found = traced(Counted, "arrives")
    (told,) = [text for text in found.blocked if " finds " in text]
    line = place(Counted.receive, 4)
    finds = f"receive(p2, p1, m1) at step 2 finds m1.index + 1 = 1 is not expected[p2] = 0 {line}"
    assert told == f"{finds}, and does not call take"
    assert guilty_line(found) == f"WHY NOT: {told}"
    assert told not in other_blocked(found) and told not in shown_blocked(found)


class Dropped(Distributed):
    """The second copy of a message is taken, and thrown away afterwards."""

    processes = const(1, "number of processes")
    Message = Ids("m", 1)
    copies = var(Map[Process, Int(0, 2)], 0)
    got = var(Map[Process, Set[Message]])
    dropped = var(Set[Message])

    @action
    def receive(self, p: Process, m: Message):
        require(self.copies[p] < 2)
        self.copies[p] += 1
        if self.copies[p] == 2:
            self.got[p].add(m)

    @action
    def drop(self, p: Process, m: Message):
        require(m in self.got[p])
        self.got[p].remove(m)
        self.dropped.add(m)

    @quiescent
    def arrives(self) -> bool:
        return all(m in self.got[p] for m in self.Message for p in self.Process)


def test_a_test_whose_branch_a_later_step_takes_is_no_reason() -> None:
    """The first copy was turned away, the second was not."""
    found = traced(Dropped, "arrives")
    assert len(found.steps) == 3 and not any(" finds " in text for text in found.blocked)


def test_a_rule_that_the_cause_names_is_told_once() -> None:
    """That it stays as it is at the end says nothing more."""
    found = traced(Counted, "arrives")
    calls = "due(p1, m1)", "due(p2, m1)"
    blocked = tuple(Reason(f"{call} stays true (a.py:3): 1 is 1", "rule", about=[call]) for call in calls)
    steps = [evolve(s, cause=s.number == 1, note="due(p1, m1) is true (a.py:3): 1 is 1") for s in found.steps]
    assert other_blocked(evolve(found, decides="", blocked=blocked)) == blocked
    assert other_blocked(evolve(found, decides="", blocked=blocked, steps=steps)) == blocked[1:]


class Noted(Shop):
    """What is served is also noted, by each guest for itself."""

    noted = var(Map[Shop.Guest, Set[Shop.Guest]])

    def welcome(self, g):
        self.noted[g].add(g)
        self.served.append(g)

    @invariant
    def unnoted(self) -> bool:
        return all(all(x not in self.noted[g] for x in self.Guest if x != self.Guest[0]) for g in self.Guest)


def test_a_variable_that_only_a_condition_within_a_condition_reads_is_read() -> None:
    """The statement that writes it breaks the property, not the last one that emits or writes; its end is shown."""
    found = traced(Noted, "unnoted")
    guest = str(found.steps[-1].args["g"])
    assert found.decides.startswith(f"does noted[{guest}].add({guest}) {place(Noted.welcome, 1)}")
    assert found.final_values[guest] == f"noted {{{guest}}}"
