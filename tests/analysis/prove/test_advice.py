"""What `prove` advises where it decides nothing: it depends on what a short search sees of the model."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.commands import Ran

pytest.importorskip("z3")
Checker = Callable[..., Ran]
GOSSIP = '''"""Nodes tell each other their number, as often as they like."""

from checker.language import Distributed, Int, Map, Network, Process, action, invariant, on, require, var


class Gossip(Distributed):
    """The largest number spreads."""

    net = var(Network[Process, Int(0, 2)])
    number = var(Map[Process, Int(0, 2)], 0)

    @action
    def count(self, p: Process):
        require(self.number[p] < 2)
        self.number[p] += 1

    @action
    def tell(self, p: Process, q: Process):
        require(GUARD)
        self.net.send(p, q, self.number[p])

    @on(net)
    def hear(self, p, q, n):
        if n > self.number[p]:
            self.number[p] = n

    @invariant
    def second_is_known(self) -> bool:
        return self.number[self.Process[1]] <= 1 or self.number[self.Process[0]] <= 2

    @invariant
    def first_is_small(self) -> bool:
        return self.number[self.Process[0]] <= 2
'''


def test_messages_that_accumulate_are_named_instead_of_a_search_that_does_not_end(here: Path, checker: Checker) -> None:
    """Neither more messages in flight nor one property at a time is advised: both leave a bound."""
    Path("gossip.py").write_text(GOSSIP.replace("GUARD", "p != q"))
    found = checker("prove", "gossip.py", "-D", "processes=2", "--vacuity", "0")
    assert found.code == 4 and "PROVED UNDER A BOUND" in found.out
    assert "next       net still grows after " in found.out and "Is a guard missing in tell" in found.out
    assert "with such a bound `checker check" in found.out
    assert "--network N" not in found.out and "one at a time" not in found.out


def test_a_model_of_few_states_is_to_be_checked(here: Path, checker: Checker) -> None:
    """The number of states is named first, and the command explores as many."""
    Path("gossip.py").write_text(GOSSIP.replace("GUARD", "p != q and len(self.net) < 5"))
    found = checker("prove", "gossip.py", "-D", "processes=2", "--vacuity", "0")
    assert found.code == 4 and "PROVED UNDER A BOUND" in found.out
    advice = next(line for line in found.out.splitlines() if line.startswith("  next "))
    command, states = advice.split("`")[1], advice.split("there are ")[1]
    checked = checker(*shlex.split(command)[1:])
    assert checked.code == 0 and f"explored   {states} states" in checked.out
