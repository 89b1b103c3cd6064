"""Reasons at the end of a run that the protocol before the edit has too, and what is no reason there."""

from __future__ import annotations

from checker.analysis.check import check
from checker.language import Map, Model, Network, Set, action, on, require, var
from checker.language.multicast import Message, Multicast, Process
from checker.properties.multicast import Agreement
from checker.report.wording import guilty_line
from checker.trace.trace import Trace


class Plain(Multicast):
    """The sender sends its message to all."""

    net = var(Network[Process, Message])

    def send(self, p, m):
        self.tell(p, m)

    def tell(self, p, m):
        """All get m."""
        self.net.multicast(p, m)

    @on(net)
    def receive(self, q, hop, m):
        self.deliver(q, m)

    properties = [Agreement]


class Named(Plain):
    """EDIT: the destinations are written down."""

    def tell(self, p, m):
        self.net.multicast(p, m, to={q for q in self.Process})


class Passed(Plain):
    """Who sees that a sender has crashed sends on what it has, once."""

    has = var(Map[Process, Set[Message]])
    seen = var(Set[Process])

    @on(Plain.net)
    def receive(self, q, hop, m):
        self.has[q].add(m)
        self.deliver(q, m)

    @action
    def pass_on(self, p: Process, m: Message):
        require(not self.live(self.sender(m)) and p not in self.seen)
        self.seen.add(p)
        if m in self.has[p]:
            self.net.multicast(p, m, to={q for q in self.Process if q != p})


class PassedToAll(Passed):
    """EDIT: to itself, too."""

    @action
    def pass_on(self, p: Process, m: Message):
        require(not self.live(self.sender(m)) and p not in self.seen)
        self.seen.add(p)
        if m in self.has[p]:
            self.net.multicast(p, m)


class Again(Plain):
    """What is received a second time would be delivered again."""

    has = var(Map[Process, Set[Message]])

    @on(Plain.net)
    def receive(self, q, hop, m):
        if m in self.has[q]:
            self.deliver(q, m)
        self.has[q].add(m)
        self.deliver(q, m)


def traced(cls: type[Model], base: type[Model], workload: tuple[int, ...] = (1, 0, 0)) -> Trace:
    """The one violation of a model by a crash."""
    given = {"workload": workload, "crashes": 1}
    report = check(cls, cls.__name__, given, engine="interpreter", base=base)
    return next(p.trace for p in report.properties if p.trace is not None)


def test_the_lines_of_a_run_that_the_base_has_too_are_those_that_the_run_executes() -> None:
    """Both protocols send in a method of this name. A line of the edit's own method has the name of its class."""
    line = f"(test_of_the_base.py:{Named.tell.__code__.co_firstlineno + 1}) of Named"
    told = guilty_line(traced(Named, Plain))
    assert told.startswith("Not caused by the edit: Plain, ")
    assert told.endswith(f"; WHY NOT in this run: p1 crashes at step 1 {line} before it sends m1.1 to p2"), told


def test_a_test_that_only_lets_a_process_send_to_others_is_no_reason() -> None:
    """What p2 would send has no effect on what it lacks; that `multicast` is the name of an action too is no matter."""
    found = traced(Passed, Passed)
    assert [step.action for step in found.steps].count("pass_on") > 1
    assert not any(" finds " in text for text in found.blocked), found.blocked
    to_all = [text for text in traced(PassedToAll, PassedToAll).blocked if " finds " in text]
    line = f"(test_of_the_base.py:{PassedToAll.pass_on.__code__.co_firstlineno + 4})"
    assert to_all == [f"pass_on(p2, m1.1) at step 2 finds m1.1 is not in has[p2] = {{}} {line}"]


def test_a_test_in_a_step_of_another_message_is_no_reason() -> None:
    """What one receives of another says nothing of a message that only the other has, though the witness names both."""
    found = traced(Again, Again, (1, 1, 1))
    lacks, has = (str(found.witness_values[name]) for name in ("q", "p"))
    heard = [step.args for step in found.steps if step.action == "receive" and str(step.args["q"]) == lacks]
    assert has in {str(args["hop"]) for args in heard}, found.witness
    assert not any(" finds " in text for text in found.blocked), found.blocked
