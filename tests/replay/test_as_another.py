"""A statement that sends names the sender, if that is not the process that acts."""

from __future__ import annotations

from typing import Any

import pytest

TEXT = '''"""Each tells the other; the property is violated by the first message, which a helper sends."""

from checker.language import Distributed, Int, Network, Process, Record, Set, Union, action, invariant, on, require, var


class Tells(Distributed):
    Wire = Union(Tell=Record(n=Int(0, 3)))
    net = var(Network[Process, Wire])
    told = var(Set[Process])

    @action
    def tell(self, p: Process, q: Process):
        require(p not in self.told and p != q)
        self.told.add(p)
        self.pass_on(p, q)

    def pass_on(self, p, q):
        SEND

    @on(net, Wire.Tell)
    def hear(self, p, q, n):
        pass

    @invariant
    def silent(self) -> bool:
        return len(self.net) == 0
'''


@pytest.mark.parametrize(
    ("send", "words"),
    [
        ("self.net.send(p, q, self.Wire.Tell(1))", "sends Tell(1) to p2"),
        ("self.net.send(q, p, self.Wire.Tell(1))", "sends Tell(1) as p2 to p1"),
        ("self.net.multicast(p, self.Wire.Tell(1))", "multicasts Tell(1)"),
        ("self.net.multicast(q, self.Wire.Tell(1))", "multicasts Tell(1) as p2"),
    ],
)
def test_the_sender_is_named_if_another_acts(checker: Any, write: Any, send: str, words: str) -> None:
    """p1 acts; the ends may be exchanged."""
    ran = checker("check", write("tells.py", TEXT.replace("SEND", send)), "-D", "processes=2")
    assert f"tell(p1, p2): {words} (tells.py:18)" in ran.out, ran.out
