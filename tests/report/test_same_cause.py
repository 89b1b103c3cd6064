"""`checker verify` shows a cause once: other expectations, and classes that inherit it, are counted under it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from tests.cli.commands import Ran

Checker = Callable[..., Ran]
Write = Callable[[str, str], str]

FAMILY = '''"""Counts on."""
from checker.language import Int, Model, action, holds, invariant, rule, var


class Count(Model):
    """Counts on."""

    n = var(Int(0, 9), 0)

    @rule
    def may(self) -> bool:
        return self.n < 6

    @action
    def up(self):
        if self.may():
            self.n += 1

    @invariant
    def small(self) -> bool:
        return self.n < 5

    expect = [holds(), holds(distinct=5)]


class Back(Count):
    """EDIT: it may begin again."""

    @action
    def reset(self):
        self.n = 0

    expect = [holds(), holds(distinct=5)]


class BackTwice(Back):
    """EDIT: there is a second number."""

    m = var(Int(0, 1), 0)

    @action
    def other(self):
        self.m = 1

    expect = holds()


class Further(Count):
    """EDIT: a step of its own breaks the property."""

    @action
    def leap(self):
        if self.n == 2:
            self.n += 5

    expect = holds()


class Other(Count):
    """EDIT: another property is broken beside that of the base."""

    @invariant
    def tiny(self) -> bool:
        return self.n < 3

    expect = holds()
'''


def test_a_broken_base_is_one_cause(checker: Checker, write: Write) -> None:
    """An edit with a CAUSE of its own, or with another broken property, is shown in full all the same."""
    ran = checker("verify", write("family.py", FAMILY), "--json", "all.json")
    heads = [line.split("  ")[1].strip() for line in ran.out.splitlines() if line.startswith("DIFFERS")]
    assert ran.code == 1
    assert (
        "DIFFERS      like family.py  small: 1 other expectation of Count, and 3 expectations of 2 classes that "
        in (ran.out)
    )
    assert "inherit from Count: Back, BackTwice\n    one of them in full: checker verify family.py:Back\n" in ran.out
    assert ran.out.count("DIFFERS") == 4 and "family.py:Further  " in ran.out and "family.py:Other  " in ran.out, heads
    assert "7 expectations, 7 not met" in ran.out
    results = json.loads(Path("all.json").read_text(encoding="utf-8"))["results"]
    assert len(results) == 7 and all(result["mismatches"] for result in results)


def test_a_class_that_is_named_alone_is_shown_in_full(checker: Checker, write: Write) -> None:
    """The command that the group suggests."""
    ran = checker("verify", f"{write('family.py', FAMILY)}:Back")
    assert "DIFFERS      family.py:Back  expected holds, found violated" in ran.out
    assert "small should hold, but is violated in 5 steps" in ran.out and "from Count" not in ran.out
