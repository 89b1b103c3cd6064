"""A rule whose values in base and edit have no type in common differs wherever it is asked."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.commands import Ran

MODEL = (
    """from checker.language import Ids, Int, Model, action, invariant, require, rule, var


class Base(Model):
    Site = Ids("s", 2)
    n = var(Int(0, 3), 0)

    @rule
    def count(self, p: Site):
        return {}

    @action
    def both(self, p: Site):
        require(self.count(p) < 2 and self.n < 3)
        self.n += 1

    @invariant
    def small(self):
        return self.n <= 3


class Edit(Base):
    """
    + '"""EDIT: another constant."""'
    + """

    def count(self, p):
        return {}
"""
)


@pytest.mark.parametrize(("base", "edit"), [("1", "0"), ("0", "1"), ("max(0, 1)", "min(0, 0)"), ("True", "False")])
def test_a_rule_with_another_constant_differs_at_the_start(checker: Callable[..., Ran], base: str, edit: str) -> None:
    """The base reaches a state in which it differs in no step, so it is not said that none is reachable."""
    Path("constants.py").write_text(MODEL.format(base, edit), encoding="utf-8")
    ran = checker("compare", "constants.py:Base", "constants.py:Edit")
    assert "count" in ran.out and "no reachable state" not in ran.out
