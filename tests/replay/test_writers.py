"""Now and before at the CAUSE are about what makes the states of the two versions differ: the statement of each version
that wrote the part that differs, also in a method that the edited one calls."""

from __future__ import annotations

import inspect

import pytest

from checker.analysis.check import check
from checker.language import Int, Map, Network, Process, Record, Seq, Set, Union, action, const, invariant, on, var
from checker.language.choice import require
from checker.language.distributed import Distributed
from checker.language.model import Model, quiescent


class Largest(Distributed):
    """p1 sends 1 and 2 to p2, which keeps the larger, counts, notes and acknowledges."""

    Wire = Union(Data=Record(n=Int(0, 2)), Ack=Record(n=Int(0, 2)))
    sent = var(Int(0, 2), 0)
    best = var(Map[Process, Int(0, 2)], 0)
    log = var(Map[Process, Seq[Int(0, 2), 4]])
    acked = var(Map[Process, Set[Int(0, 2)]])
    count = var(Map[Process, Int(0, 4)], 0)
    net = var(Network[Process, Wire])
    processes = const(2)

    @action
    def send(self, p: Process):
        require(p == self.Process[0] and self.sent < 2)
        self.sent += 1
        self.net.send(p, self.Process[1], self.Wire.Data(self.sent))

    @on(net, Wire.Data)
    def receive(self, p, q, n):
        self.count[p] += 1
        self.keep(p, n)
        self.log[p].append(n)
        self.answer(p, q, n)

    def keep(self, p, n):
        if n > self.best[p]:
            self.best[p] = n

    def answer(self, p, q, n):
        self.net.send(p, q, self.Wire.Ack(n))

    @on(net, Wire.Ack)
    def confirm(self, p, q, n):
        self.acked[p].add(n)

    @invariant
    def best_is_largest(self) -> bool:
        return all(n <= self.best[p] for p in self.Process for n in self.log[p])

    @invariant
    def counted(self) -> bool:
        return all(self.count[p] == len(self.log[p]) for p in self.Process)

    @quiescent
    def all_acked(self) -> bool:
        return self.acked[self.Process[0]] == {1, 2}


class Swapped(Largest):
    """EDIT: statements in another order, and a wrong number."""

    @on(Largest.net, Largest.Wire.Data)
    def receive(self, p, q, n):
        self.keep(p, n)
        self.count[p] += 1
        self.answer(p, q, n - 1)
        self.log[p].append(n)


class NotKept(Largest):
    """EDIT: statements in another order, and the call of a method is removed."""

    @on(Largest.net, Largest.Wire.Data)
    def receive(self, p, q, n):
        self.log[p].append(n)
        self.count[p] += 1
        self.answer(p, q, n)


class Overwritten(Largest):
    """EDIT: a value that is overwritten, and no count."""

    @on(Largest.net, Largest.Wire.Data)
    def receive(self, p, q, n):
        self.best[p] = self.best[p]
        self.keep(p, n)
        self.log[p].append(n)
        self.answer(p, q, n)


class OtherKey(Largest):
    """EDIT: the count of the sender, at the end."""

    @on(Largest.net, Largest.Wire.Data)
    def receive(self, p, q, n):
        self.log[p].append(n)
        self.keep(p, n)
        self.answer(p, q, n)
        self.count[q] += 1


class InHelper(Largest):
    """EDIT: the method that is called keeps another number."""

    def keep(self, p, n):
        larger = n > self.best[p]
        if larger:
            self.best[p] = n - 1


class AnswerBefore(Largest):
    """EDIT: the answer has what was kept before, which the method that is called gives."""

    @on(Largest.net, Largest.Wire.Data)
    def receive(self, p, q, n):
        old = self.best[p]
        self.count[p] += 1
        self.answer(p, q, old)
        self.keep(p, n)
        self.log[p].append(n)


class Otherwise(Largest):
    """EDIT: the contrary is asked, and nothing is kept."""

    def keep(self, p, n):
        if not n > self.best[p]:
            return


def line(edit: type[Model], method: str, number: int) -> str:
    """The place of a line of a method, behind its decorators."""
    first = inspect.getsourcelines(vars(edit)[method])
    place = next(n for n, text in enumerate(first[0]) if text.strip().startswith("def "))
    return f"(test_writers.py:{first[1] + place + number})"


def note(edit: type[Model], name: str) -> str:
    report = check(edit, edit.__name__, only=[name], engine="interpreter", broken_before={})
    (trace,) = (p.trace for p in report.properties)
    assert trace is not None
    return next(step.note for step in trace.steps if step.cause)


@pytest.mark.parametrize(
    ("edit", "name", "now", "before"),
    [
        (Swapped, "all_acked", ("does answer(p2, p1, 0)", "receive", 3), ("does answer(p2, p1, 1)", "receive", 4)),
        (NotKept, "best_is_largest", ("leaves best[p2] at 0", "receive", 3), ("does keep(p2, 1)", "receive", 2)),
        (Overwritten, "counted", ("leaves count[p2] at 0", "receive", 4), ("sets count[p2] to 1", "receive", 1)),
        (OtherKey, "counted", ("sets count[p1] to 1", "receive", 4), ("sets count[p2] to 1", "receive", 1)),
        (InHelper, "best_is_largest", ("sets best[p2] to 0", "keep", 3), ("sets best[p2] to 1", "keep", 2)),
        (AnswerBefore, "all_acked", ("does answer(p2, p1, 1)", "receive", 3), ("does answer(p2, p1, 2)", "receive", 4)),
        (Otherwise, "best_is_largest", ("leaves best[p2] at 0", "keep", 1), ("sets best[p2] to 1", "keep", 2)),
    ],
)
def test_now_and_before_are_what_makes_the_states_differ(
    edit: type[Model], name: str, now: tuple[str, str, int], before: tuple[str, str, int]
) -> None:
    """Not the first statements in which the texts of the two versions differ."""
    told, _, former = note(edit, name).partition("; before the edit it ")
    assert f" {now[0]}" in told and line(edit, *now[1:]) in told
    assert former.startswith(f"{before[0]} {line(Largest, *before[1:])}")
