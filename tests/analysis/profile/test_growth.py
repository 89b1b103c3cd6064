"""A model that sends without end is told so where a limit ends its search, with the action that sends."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.cli.commands import Ran

Checker = Callable[..., Ran]
Write = Callable[[str, str], str]

ASKING = '''"""Processes ask each other."""

from checker.language import Bool, Distributed, Map, Network, Process, Record, Union, action, on, require, var


class Asking(Distributed):
    """Each asks all, and they answer."""

    Wire = Union(Ask=Record(), Answer=Record())
    net = var(Network[Process, Wire])
    asked = var(Map[Process, Bool])
    answered = var(Map[Process, Bool])

    @action
    def ask(self, p: Process):
        require(not self.asked[p])
        self.asked[p] = True
        self.net.multicast(p, self.Wire.Ask())

    @on(net, Wire.Ask)
    def asked_for(self, p, q):
        self.net.send(p, q, self.Wire.Answer())

    @on(net, Wire.Answer)
    def hear(self, p, q):
        self.answered[p] = True
'''
GUARD = "        require(not self.asked[p])\n"
LIMIT = ("-D", "processes=2", "--max-states", "2000")


def endless(ran: Ran) -> Any:
    """What the profile says of growth without end."""
    assert ran.code == 4
    return ran.json()["profile"]["endless"]


@pytest.mark.parametrize("channels", ["unordered", "fifo"])
@pytest.mark.parametrize("engine", ["native", "interpreter"])
def test_a_guard_that_is_missing_is_asked_for(checker: Checker, write: Write, channels: str, engine: str) -> None:
    """Whoever has asked asks again; the advice names network and action instead of a constant."""
    file = write("asking.py", ASKING.replace(GUARD, ""))
    found = endless(checker("check", file, *LIMIT, "-D", f"channels={channels}", "--engine", engine, "--json", "-"))
    assert (found["network"], found["sender"], found["actions"]) == ("net", "ask", ["ask"]) and found["most"] >= found[
        "steps"
    ] > 3
    ran = checker("check", file, *LIMIT, "-D", f"channels={channels}", "--engine", engine)
    assert (
        f"advice     net grows without end: up to {found['most']} messages in flight after {found['steps']} "
        f"steps, and ask leads back to the same state with more of them. "
    ) in ran.out
    assert "Is a guard missing in ask, which sends?" in ran.out and "could be lowered" not in ran.out


def test_a_handler_that_answers_with_more_than_it_gets_is_named(checker: Checker, write: Write) -> None:
    """Each message that is received is answered with two."""
    text = ASKING.replace("send(p, q, self.Wire.Answer())", "multicast(p, self.Wire.Ask())")
    found = endless(checker("check", write("chain.py", text), *LIMIT, "--json", "-"))
    assert found["sender"] == "asked_for" and "asked_for" in found["actions"]


def test_what_only_has_many_states_does_not_grow_without_end(checker: Checker, write: Write) -> None:
    """More messages are in flight on every level, but never in the same state: the model is finite, and its constants
    are what to lower."""
    found = checker("check", write("asking.py", ASKING), "-D", "processes=4", "--max-states", "2000", "--json", "-")
    assert endless(found) is None and found.json()["profile"]["advice"].startswith(
        "add --reduce, which leaves out steps on which no verdict depends; else lower processes first"
    )
    assert endless(checker("check", "isis", "-D", "workload=2,2", "--max-states", "2000", "--json", "-")) is None
