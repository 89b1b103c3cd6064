"""A crash before a send is a reason where, without it, what is missing would have come."""

from __future__ import annotations

from typing import Any

from checker.analysis.check import check
from checker.catalogue import find
from checker.language import Bool, Map, Network, Process, Set, action, on, quiescent, require, var
from checker.language.distributed import Distributed
from checker.trace.trace import Trace


def traced(cls: Any, name: str, **constants: Any) -> Trace:
    """The trace of a violation, compared with no other protocol."""
    (found,) = check(cls, cls.__name__, constants, only=[name], base=cls).properties
    assert found.trace is not None
    return found.trace


def reasons(found: Trace) -> list[str]:
    """The reasons of the trace that are crashes."""
    return [text for text in found.blocked if " crashes at step " in text]


def test_a_crash_is_told_with_the_step_in_which_the_process_would_have_sent() -> None:
    """p1 receives its own message and crashes there, when it has not yet sent to p3."""
    cls = find("basic_multicast:InTurn").cls
    found = traced(cls, "Agreement", workload=(1, 0, 0), crashes=1)
    line = cls.transmit.__code__.co_firstlineno + 5
    (told,) = reasons(found)
    number = next(step.number for step in found.steps if any(type(e).__name__ == "Crash" for e in step.events))
    missing = found.witness_values["q"]
    assert told == (
        f"p1 crashes at step {number} before transmit(p1, m1.1) (basic_multicast.py:{line}) sends m1.1 to {missing}"
    )


class Post(Distributed):
    """p1 asks p2, and p2 never answers; what p3 writes to p1 is no answer."""

    net = var(Network[Process, Process])
    asked = var(Set[Process])
    answered = var(Map[Process, Set[Process]])

    @action
    def ask(self, p: Process):
        require(p not in self.asked and p != self.Process[1])
        self.asked.add(p)
        self.net.send(p, self.Process[1] if p == self.Process[0] else self.Process[0], p)

    @on(net)
    def receive(self, p, q, who: Process):
        if who == self.Process[1]:
            self.answered[p].add(who)

    @quiescent
    def answers(self) -> bool:
        return all(len(self.answered[p]) > 0 for p in self.asked if p == self.Process[0])


def test_a_crash_that_changes_nothing_is_not_told() -> None:
    """Nobody answers, whether or not p3 crashes before it writes."""
    found = traced(Post, "answers", processes=3, crashes=1)
    assert reasons(found) == []


def test_a_crash_in_the_middle_of_sending_is_told_once() -> None:
    """It names whom it did not reach; what would have been sent is that."""
    found = traced(find("basic_multicast:DeliverFirst").cls, "Agreement", workload=(1, 0, 0), crashes=1)
    (told,) = reasons(found)
    assert told.endswith(" before it sends m1.1 to p2")


class Answers(Distributed):
    """One process answers a question on the wall, where all read; p1 goes on when it has been answered."""

    asked = var(Bool)
    answer = var(Bool)
    gone = var(Bool)

    @action
    def ask(self, p: Process):
        require(p == self.Process[0] and not self.asked)
        self.asked = True

    @action
    def reply(self, p: Process):
        require(p == self.Process[1] and self.asked and not self.answer)
        self.answer = True

    @action
    def go(self, p: Process):
        require(p == self.Process[0] and self.answer and not self.gone)
        self.gone = True

    @quiescent
    def goes(self) -> bool:
        return all(self.gone for p in self.Process if p == self.Process[0] and p not in self.crashed and self.asked)


def test_a_crash_is_a_reason_also_where_the_process_would_have_written_what_others_read() -> None:
    """No message is sent: the first step that the process would have taken is named, with what it writes."""
    found = traced(Answers, "goes", processes=2, crashes=1)
    line = Answers.reply.__code__.co_firstlineno + 3
    (told,) = reasons(found)
    before, _, step = told.partition(" before ")
    assert before.startswith("p2 crashes at step ")
    assert step == f"reply(p2), which sets answer to true (test_crashed.py:{line})"
