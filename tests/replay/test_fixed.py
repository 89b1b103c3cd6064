"""A condition that is true in every run is no reason, and a choice is shown with what it takes."""

from __future__ import annotations

from typing import Any

from checker.analysis.check import check
from checker.language import (
    Bool,
    Distributed,
    Ids,
    Map,
    Model,
    Network,
    Process,
    Record,
    Set,
    Union,
    action,
    choose,
    const,
    invariant,
    on,
    require,
    rule,
    var,
)
from checker.report.wording import guilty_line


def told(cls: type[Model], **given: Any) -> str:
    """The deciding line of the one violation of a model."""
    report = check(cls, cls.__name__, given, engine="interpreter")
    found = guilty_line(next(p.trace for p in report.properties if p.trace is not None))
    return found[found.index("VIOLATION") :].replace(f" of {cls.__name__}", "")


def line(method: Any, number: int) -> str:
    """A line of a method, counted from its decorator."""
    return f"(test_fixed.py:{method.__code__.co_firstlineno + number})"


class Rumour(Distributed):
    """p1 tells all others something; a liar passes on what it likes."""

    Wire = Union(Heard=Record(it=Bool))

    processes = const(3)
    crashes = const(0)
    liars = var(Set[Process])
    begun = var(Bool)
    heard = var(Map[Process, Bool])
    net = var(Network[Process, Wire])

    @action
    def begin(self, p: Process):
        require(self.begins(p) and not self.begun)
        self.begun = True
        self.liars.add(self.Process[1])
        self.net.send(p, self.Process[1], self.Wire.Heard(False))

    @rule
    def begins(self, p: Process) -> bool:
        return p == self.Process[0]

    @rule
    def sayable(self, p: Process, it: bool) -> Set[Bool]:
        return {False, True} if p in self.liars else {it}

    @on(net, Wire.Heard)
    def hear(self, p, q, it):
        for r in self.Process:
            if r not in (p, q) and self.follows(p, r):
                self.tell(p, r, it)

    @rule
    def follows(self, p: Process, q: Process) -> bool:
        return q > p

    def tell(self, p, r, it):
        if r != p:
            self.heard[r] = choose(self.sayable(p, it))

    @invariant
    def nobody_lies(self) -> bool:
        return not any(self.heard[p] for p in self.Process)


class Plain(Rumour):
    """Nobody is asked what may be said."""

    def tell(self, p, r, it):
        if r != p:
            self.heard[r] = choose([False, True])


def test_the_rule_from_which_a_step_chooses_is_the_reason_and_the_choice_has_its_value() -> None:
    """That p3 is another process than p1 and p2 is true in every run, whoever asks: it is not shown."""
    because = f"because sayable(p2, false) is {{false, true}} {line(Rumour.sayable, 2)}: p2 is in liars = {{p2}}"
    says = f"VIOLATION, step 2, hear(p2, p1, false): sets heard[p3] to true {line(Rumour.tell, 2)}, {because}"
    assert told(Rumour).startswith(says)


def test_a_step_that_only_conditions_of_the_configuration_let_happen_has_no_reason() -> None:
    """They are tests of the loop variable and of arguments, also through a rule and through a call."""
    assert told(Plain) == f"VIOLATION, step 2, hear(p2, p1, false): sets heard[p3] to true {line(Plain.tell, 2)}"


class Believed(Rumour):
    """What a message says comes from the state of its sender, and what is read from the state is no constant."""

    @action
    def begin(self, p):
        require(self.begins(p) and not self.begun)
        self.begun = True
        self.net.send(p, self.Process[1], self.Wire.Heard(True))

    def tell(self, p, r, it):
        if it and r != p:
            self.heard[r] = True


def test_the_content_of_a_message_is_a_reason() -> None:
    because = f"because it is true and p3 is not p2 {line(Believed.tell, 1)}"
    assert told(Believed).endswith(f": sets heard[p3] to true {line(Believed.tell, 2)}, {because}")


class Open(Model):
    """Everything may be taken as long as it is not closed, and a rule says that it never is."""

    Customer, Thing = Ids("c", 1), Ids("t", 2)
    taken = var(Set[Thing])

    @rule
    def is_closed(self, t: Thing) -> bool:
        return False

    @action
    def take(self, c: Customer, t: Thing):
        require(t not in self.taken and not self.is_closed(t))
        self.taken.add(t)

    @invariant
    def some_is_left(self) -> bool:
        return len(self.taken) < 2


def test_a_rule_with_a_constant_value_has_its_line() -> None:
    assert f"is_closed(t2) is always false {line(Open.is_closed, 2)}" in told(Open)
