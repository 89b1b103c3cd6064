"""Comparisons in rules that the types decide are findings, and of --strict a vacuous verdict."""

from __future__ import annotations

from typing import Any

import pytest

TICKETS = '''
from checker.language import Int, Model, Optional, action, const, holds, invariant, require, rule, var


class Tickets(Model):
    """Serves numbers in their order."""

    most = const(3)
    Number = Int(0, 9)
    next = var(Number, 0)
    served = var(Optional[Number], None)

    @action
    def serve(self):
        require(self.next < self.most and self.due(self.next))
        self.served = self.next
        self.next = self.next + 1

    @rule
    def due(self, number: Number) -> bool:
        return {}

    @invariant
    def in_order(self) -> bool:
        return self.served is None or self.served + 1 == self.next

    expect = holds()
'''


@pytest.mark.parametrize(
    ("rule", "always"),
    [
        ("number >= 0", "true"),
        ("self.served is None or number >= 0", "true"),
        ("number > 9 or number == self.next", "false"),
        ("-1 != number", "true"),
        ("number + 1 > 0", "true"),
        ("number >= 1 or number == 0", ""),
        ("number < self.most", ""),
        ("number < self.most + 10", ""),
    ],
)
def test_a_comparison_with_a_number_that_types_decide_is_told(rule: str, always: str, checker: Any, write: Any) -> None:
    """One that some number makes true and another false is not, nor one with a constant of the model."""
    file = write("tickets.py", TICKETS.format(rule))
    strict = checker("check", file, "--strict")
    assert strict.code == (3 if always else 0)
    assert (f" is always {always} with these types and constants  [decided-by-types]" in strict.out) == bool(always)
    assert ("decided-by-types" in strict.out) == bool(always)
    plain = checker("check", file)
    assert plain.code == 0 and ("[decided-by-types]" in plain.out) == bool(always)
    assert checker("verify", file, "--strict").code == strict.code


def test_other_constants_clear_it_in_verify(checker: Any, write: Any) -> None:
    """A bound of the configuration decides it here, and not there."""
    small = TICKETS.replace("Int(0, 9)", "Int(0, most)").replace("expect = holds()", "expect = [holds(at={}), {}]")
    text = small.replace("at={}", "at={'most': 2}").replace("{}]", "holds(at={'most': 7})]")
    file = write("tickets.py", text.replace("return {}", "return number < 5"))
    assert checker("check", file, "-D", "most=2", "--strict").code == 3
    assert checker("verify", file, "--strict").code == 0
