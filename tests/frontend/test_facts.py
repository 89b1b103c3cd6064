"""What is known where a condition is true or false, and how far a calculation can go: facts that refusals and types rest on."""

from __future__ import annotations

from itertools import product

import pytest

from checker.frontend.build import interval
from checker.frontend.failing import said
from checker.ir import expressions as e
from checker.ir import types as t

BOOL = t.Bool()
A, B = e.Local(BOOL, "a"), e.Local(BOOL, "b")
BOUNDS = [t.Int(lo, hi) for lo in range(-3, 4) for hi in range(lo, 4)]
OPERATIONS = {
    "+": lambda x, y: x + y,
    "-": lambda x, y: x - y,
    "*": lambda x, y: x * y,
    "min": min,
    "max": max,
    "//": lambda x, y: x // y if y else None,
    "%": lambda x, y: x % y if y else None,
}


def test_a_true_and_makes_every_operand_true_and_a_false_or_every_operand_false() -> None:
    """A false `and` and a true `or` are known as a whole only; `not` turns the truth round."""
    both, either = e.And(BOOL, (A, B)), e.Or(BOOL, (A, B))
    assert said(both, True) == {(A, True), (B, True)}
    assert said(either, False) == {(A, False), (B, False)}
    assert said(both, False) == {(both, False)} and said(either, True) == {(either, True)}
    assert said(e.Not(BOOL, either), True) == {(A, False), (B, False)}


@pytest.mark.parametrize("op", OPERATIONS)
def test_the_interval_of_a_result_holds_every_result(op: str) -> None:
    """Of all intervals within -3..3; but for remainders it is the narrowest."""
    for a, b in product(BOUNDS, BOUNDS):
        results = [OPERATIONS[op](x, y) for x in range(a.lo, a.hi + 1) for y in range(b.lo, b.hi + 1)]
        found, reached = interval(op, a, b), [r for r in results if r is not None]
        if reached and op != "%":
            assert (found.lo, found.hi) == (min(reached), max(reached)), (a, op, b)
        elif reached:
            assert found.lo <= min(reached) and max(reached) <= found.hi, (a, op, b)


def test_the_interval_of_a_remainder_is_narrow() -> None:
    """Between zero and the divisor; the number itself if it is below every divisor; one number for two constants."""
    assert interval("%", t.Int(-9, 9), t.Int(4, 4)) == t.Int(0, 3)
    assert interval("%", t.Int(-9, 9), t.Int(-4, 5)) == t.Int(-3, 4)
    assert interval("%", t.Int(0, 3), t.Int(4, 6)) == t.Int(0, 3)
    assert interval("%", t.Int(0, 4), t.Int(4, 6)) == t.Int(0, 5)
    assert interval("%", t.Int(7, 7), t.Int(-4, -4)) == t.Int(-1, -1)
