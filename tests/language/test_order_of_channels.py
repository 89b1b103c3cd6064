"""The constant `channels` gives the networks of a model an order.  Where each of them is a Fifo it has no effect, and a
user who sets it is told so: a verdict of FIFO order is none of unordered channels."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from checker.analysis.check import check
from checker.language import Fifo, Int, Network, Process, Seq, action, const, invariant, on, require, var
from checker.language.define import define
from checker.language.distributed import Distributed
from checker.language.errors import UsageError
from checker.language.model import Model
from checker.results.verdict import Verdict
from tests.cli.commands import Ran

Checker = Callable[..., Ran]
FILE = '''"""Two numbers over a network."""

from checker.language import Distributed, Fifo, Int, Network, Process, Seq, action, invariant, on, require, rule, var


class Plain(Distributed):
    """p1 sends 0 and 1 to p2."""

    net = var(Network[Process, Int(0, 1)])
    next = var(Int(0, 2), 0)
    got = var(Seq[Int(0, 1), 2])

    @action
    def send(self):
        require(self.next < 2)
        self.net.send(self.Process[0], self.Process[1], self.next)
        self.next += 1

    @on(net)
    def receive(self, p, q, n):
        self.got.append(n)

    @invariant
    def in_order(self) -> bool:
        return all(self.got[i] <= self.got[i + 1] for i in range(len(self.got) - 1))


class Queued(Plain):
    """EDIT: the network keeps the order."""

    net = var(Fifo[Process, Int(0, 1)])
'''


class Stream(Distributed):
    """All channels are ordered, and a rule reads how."""

    net = var(Fifo[Process, Int(0, 1)])
    sent = var(Int(0, 1), 0)

    @action
    def send(self, p: Process):
        require(self.sent == 0 and self.channels == "fifo")
        self.sent = 1
        self.net.send(p, p, 1)

    @on(net)
    def receive(self, p, q, m):
        pass

    @invariant
    def none_sent(self) -> bool:
        return self.sent == 0


class Mixed(Stream):
    """Beside it a network whose order the constant gives."""

    other = var(Network[Process, Int(0, 1)])


class OwnMeaning(Model):
    """A constant of this name that is the model's own."""

    channels = const(2, "how many")
    net = var(Fifo[Process, Int(0, 1)])
    Process = Process
    processes = const(2, "how many")
    tried = var(Seq[Int(0, 1), 2])

    @action
    def attempt(self):
        require(len(self.tried) < self.channels)
        self.tried.append(0)


def test_a_model_of_queues_alone_has_no_other_order() -> None:
    """Its methods read "fifo", in compiled code as in the interpreter; reports do not show the constant."""
    for engine in ("native", "interpreter"):
        report = check(Stream, "Stream", {"processes": 2}, engine=engine)
        (found,) = report.properties
        assert found.verdict is Verdict.VIOLATED and found.trace is not None
        assert "processes" in report.constants and "channels" not in report.constants
        assert "channels" not in found.trace.constants
    for value in ("unordered", "fifo"):
        with pytest.raises(UsageError, match="channels has no effect: every network of Stream is a Fifo"):
            define(Stream, {"channels": value})


def test_the_constant_stays_where_a_network_has_either_order_and_where_it_is_the_models_own() -> None:
    assert define(Mixed, {"channels": "fifo"}).constants["channels"] == "fifo"
    assert define(OwnMeaning, {"channels": 1}).constants["channels"] == 1


@pytest.mark.parametrize(
    "command",
    [
        ("check", "two.py:Queued", "-D", "channels=unordered"),
        ("sweep", "two.py:Queued", "-D", "channels=fifo|unordered"),
        ("compare", "two.py:Queued", "again.py:Again", "-D", "channels=unordered"),
        ("find", "two.py:Queued", "next == 2", "-D", "channels=unordered"),
    ],
    ids=lambda command: command[0],
)
def test_every_command_refuses_an_order_without_effect(command: tuple[str, ...], here: Path, checker: Checker) -> None:
    Path("two.py").write_text(FILE)
    Path("again.py").write_text('from two import Queued\n\n\nclass Again(Queued):\n    """EDIT: none."""\n')
    found = checker(*command)
    assert found.code == 2 and "channels has no effect: every network of" in found.err and "Leave it out." in found.err


def test_an_edit_that_orders_a_network_is_compared_with_the_base_as_it_is(here: Path, checker: Checker) -> None:
    """Not with a base whose channels are ordered, too; and with both where both orders of the base are asked for."""
    Path("two.py").write_text(FILE)
    brief = ("--events", "0", "--delays", "0")
    found = checker("compare", "two.py:Queued", *brief, "--json", "c.json")
    assert found.code == 0 and "repairs    in_order" in found.out and "variable net" in found.out
    assert "derived value" not in found.out
    both = checker("compare", "two.py:Queued", *brief, "-D", "channels=fifo|unordered", "--json", "c.json")
    assert "channels=unordered: repairs in_order" in both.out and "same at    channels=fifo" in both.out
    assert json.loads(Path("c.json").read_text())["verdict"] == "changed"
    back = checker("compare", "two.py:Queued", "two.py:Plain", *brief)
    assert back.code == 1 and "breaks     in_order" in back.out


def test_losses_without_a_number_are_refused_with_the_way_to_model_them(here: Path, checker: Checker) -> None:
    Path("two.py").write_text(FILE)
    found = checker("check", "two.py", "-D", "losses=unlimited")
    assert found.code == 2 and "@action(fault=True)" in found.err and "docs/language.md, section 6" in found.err
