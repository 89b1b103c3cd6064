"""An edit that is equal to its base says so under every command that looks at it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.commands import Ran

BASE = '''"""Counts."""
from checker.language import Int, Model, action, const, holds, invariant, require, rule, var


class Counter(Model):
    """Counts to the limit."""

    most = const(3)
    n = var(Int(0, 9), 0)

    @rule
    def limit(self) -> int:
        """Where it ends."""
        return 3

    @action
    def up(self):
        require(self.n < self.limit())
        self.n += 1

    @invariant
    def small(self) -> bool:
        return self.n <= self.most

    expect = holds()


class Edit(Counter):
'''
SAME = "Edit is the same as Counter: nothing is edited"
REPEATED = '''    """EDIT: as before."""

    @rule
    def limit(self):
        return 3  # still

    expect = holds()
'''
Checker = Callable[..., Ran]


@pytest.mark.parametrize(
    "body, same",
    [
        (REPEATED, True),
        ('    """EDIT: forgotten."""\n    expect = holds()\n', True),
        ('    """Another name."""\n', True),
        ('    """The same, stated."""\n    expect = holds()\n', False),
        (REPEATED.replace("3  #", "2  #"), False),
        ("    most = const(4)\n", False),
        ("    @action\n    def stay(self):\n        require(self.n == 1)\n", False),
    ],
)
def test_an_edit_is_the_same_if_every_member_repeats_what_it_overrides(
    body: str, same: bool, checker: Checker, write: Any
) -> None:
    """Docstrings, comments and annotations are no difference; defaults and new members are."""
    file = write("counter.py", BASE + body)
    assert (SAME in checker("check", f"{file}:Edit").out) == same
    assert (checker("check", f"{file}:Edit", "--strict").code == 3) == same


def test_verify_and_compare_say_it_too(checker: Checker, write: Any) -> None:
    """The verdict is that of the base, which is no result about an edit."""
    file = write("counter.py", BASE + REPEATED)
    verified = checker("verify", file)
    assert verified.code == 3 and verified.out.count(SAME) == 1
    strict = checker("verify", file, "--strict")
    assert strict.code == 3 and strict.out.count(SAME) == 1
    compared = checker("compare", f"{file}:Edit")
    assert f"{file}:Edit is the same as {file}: nothing is edited" in compared.out


def test_the_model_itself_edits_nothing_and_is_not_told_so(checker: Checker, write: Any) -> None:
    """There is nothing that it could have edited."""
    assert "nothing is edited" not in checker("check", write("counter.py", BASE + REPEATED)).out


UNCALLED = '''    """EDIT: another limit."""

    @rule
    def most_of_all(self) -> int:
        return 2

    expect = violates("small", at={"most": 2})
'''


def test_an_edit_of_methods_that_nothing_calls_meets_its_expectation_vacuously(checker: Checker, write: Any) -> None:
    """The violation that is expected is that of the base."""
    file = Path(write("counter.py", BASE.replace("var\n", "var, violates\n") + UNCALLED))
    said, junit = "most_of_all overrides nothing and nothing calls it  [never-called]", file.with_name("junit.xml")
    verified = checker("verify", f"{file}:Edit", "--junit", str(junit))
    assert verified.code == 3 and "VACUOUS" in verified.out and verified.out.count(said) == 1
    assert 'errors="1"' in junit.read_text(encoding="utf-8")
    acting = UNCALLED.replace("    @rule", "    most = const(4)\n\n    @rule")
    other = write("other.py", BASE.replace("var\n", "var, violates\n") + acting)
    assert checker("verify", f"{other}:Edit").code == 0  # something else is edited


def test_a_misspelt_rule_meets_no_expectation_of_a_violation(checker: Checker, write: Any) -> None:
    """The base violates it just as well."""
    misspelt = UNCALLED.replace("most_of_all", "limits")
    file = write("counter.py", BASE.replace("var\n", "var, violates\n") + misspelt)
    verified = checker("verify", f"{file}:Edit")
    assert verified.code == 1 and "something else was checked than is written: limits (counter.py:" in verified.out
    assert "did you mean limit?" in verified.out and "the same as" not in verified.out
    right = write("right.py", BASE.replace("var\n", "var, violates\n") + misspelt.replace("limits", "limit"))
    assert checker("verify", f"{right}:Edit").code == 1  # 2 is small: the expectation is contradicted
