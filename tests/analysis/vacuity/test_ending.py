"""A process that retransmits for ever: only its crash ends a run, and a quiescence property that excuses the crash says
nothing about the run without it."""

from __future__ import annotations

from typing import Any

import pytest

TEXT = '''"""A leader repeats a number until the other process has acknowledged it: holds."""

from checker.language import Distributed, Int, Network, Process, action, const, holds, on, quiescent, require, rule, var


class Repeats(Distributed):
    processes = const(2)
    net = var(Network[Process, Int(1, 2)])
    acks = var(Network[Process, Int(1, 2)])
    sent = var(Int(0, 2), 0)
    acknowledged = var(Int(0, 2), 0)

    @action
    def propose(self, p: Process):
        require(p == self.Process[0] and self.sent == self.acknowledged and self.sent < 2)
        self.sent += 1

    @action
    def repeat(self, p: Process):
        require(p == self.Process[0] and self.sent > self.acknowledged and len(self.net) == 0)
        self.net.send(p, self.Process[1], self.sent)

    @rule
    def answers(self, n) -> bool:
        return True

    @on(net)
    def receive(self, p, q, n):
        if self.answers(n) and len(self.acks) == 0:
            self.acks.send(p, q, n)

    @on(acks)
    def acknowledge(self, p, q, n):
        if n == self.sent:
            self.acknowledged = n

    @quiescent
    def done(self) -> bool:
        return len(self.crashed) > 0 or self.acknowledged == 2

    expect = holds()


class Stalls(Repeats):
    """EDIT: the second number is never acknowledged: no run without a crash ends."""

    def answers(self, n) -> bool:
        return n == 1
'''
TEXT_OF = "no state is quiescent without a {}: done says nothing about runs without one, which go on for ever"


def said(ran: Any) -> list[str]:
    return [w for w in ran.json()["warnings"] if "is quiescent" in w]


@pytest.mark.parametrize("options", [(), ("--strict",), ("--coverage",), ("--engine", "interpreter", "--strict")])
def test_a_crash_alone_ends_a_run(checker: Any, write: Any, options: tuple[str, ...]) -> None:
    """The leader retransmits for ever; its crash ends that, and excuses it."""
    ran = checker("check", f"{write('repeats.py', TEXT)}:Stalls", "-D", "crashes=1", *options, "--json", "-")
    assert [text.partition(";")[0] for text in said(ran)] == [TEXT_OF.format("crash")]
    assert ran.code == (3 if "--strict" in options else 0)


def test_the_faults_that_may_happen_are_named(checker: Any, write: Any) -> None:
    """Each may be what ends a run."""
    file = write("repeats.py", TEXT)
    ran = checker("check", f"{file}:Stalls", "-D", "crashes=1", "-D", "losses=1", "--json", "-")
    assert [text.partition(";")[0] for text in said(ran)] == [TEXT_OF.format("crash or loss")]


@pytest.mark.parametrize("budget", ["crashes", "losses", "duplicates", "partitions"])
def test_where_a_run_without_a_fault_ends_nothing_is_said(checker: Any, write: Any, budget: str) -> None:
    """Both numbers are acknowledged."""
    ran = checker("check", f"{write('repeats.py', TEXT)}:Repeats", "-D", f"{budget}=1", "--coverage", "--json", "-")
    assert said(ran) == []


def test_without_faults_no_state_is_quiescent(checker: Any, write: Any) -> None:
    """That is said once."""
    ran = checker("check", f"{write('repeats.py', TEXT)}:Stalls", "--coverage", "--json", "-")
    assert said(ran) == ["no state is quiescent: the quiescence properties are vacuous"]
