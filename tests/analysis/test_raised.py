"""A larger number of identities or faults takes no expectation away that the model still meets."""

from __future__ import annotations

from pathlib import Path

import pytest

from checker.analysis.raised import still_met
from checker.catalogue import find
from checker.language.define import define
from checker.language.expectation import expectations

MODEL = '''"""A lock."""
from checker.language import Ids, Int, Model, Optional, action, const, holds, invariant, require, var, violates


class Lock{number}(Model):
    clients = const(2, "how many clients")
    Client = Ids("c", clients)
    holder = var(Optional[Client])
    taken = var(Int(0, 9), 0)

    @action
    def take(self, c: Client):
        require(self.holder is None and self.taken < 2)
        self.holder = c
        self.taken += 1

    @action
    def release(self, c: Client):
        require(self.holder == c)
        self.holder = None

    @invariant
    def few(self) -> bool:
        return self.taken <= 2

    expect = holds()
'''
MORE = ("const(2", "const(3")


def met(here: Path, *changes: tuple[str, str], before: tuple[tuple[str, str], ...] = ()) -> bool:
    """Whether the first expectation of the model is still met after the changes."""
    classes = []
    for number, replaced in enumerate((before, (*before, *changes))):
        text = MODEL.replace("{number}", str(number))
        for old, new in replaced:
            assert old in text
            text = text.replace(old, new)
        (here / f"lock{number}.py").write_text(text, encoding="utf-8")
        classes.append(find(f"lock{number}.py").cls)
    then, now = classes
    (stated,), today = expectations(then), [(e, define(now, e.at)) for e in expectations(now)]
    return still_met(stated, define(then, stated.at), today, now)


def test_more_clients_take_nothing_away(here: Path) -> None:
    """The expectation is met with two of them as before."""
    assert met(here, MORE)


@pytest.mark.parametrize(
    "changes",
    [
        (("const(2", "const(1"),),
        (MORE, ("holds()", 'violates("few")')),
        (MORE, ("holds()", 'holds(only=["few"])')),
        (MORE, ("self.taken < 2", "self.taken < 3 if self.clients == 2 else self.taken < 2")),
        (MORE, ("        self.taken += 1\n", "        self.taken += 1\n        assert self.taken < 9\n"), MORE[::-1]),
    ],
)
def test_what_is_smaller_another_or_broken_counts_as_lost(here: Path, changes: tuple[tuple[str, str], ...]) -> None:
    """Fewer clients, another expectation, a violation with the former number, no other number at all."""
    assert not met(here, *changes)


@pytest.mark.parametrize(
    "reading", [("self.taken <= 2", "self.taken <= self.clients"), ("self.taken <= 2", "self.taken < self.clients + 1")]
)
def test_a_number_that_a_property_reads_is_a_threshold(here: Path, reading: tuple[str, str]) -> None:
    """A higher one makes the property weaker."""
    assert not met(here, MORE, before=(reading,))
