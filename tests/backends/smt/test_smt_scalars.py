"""Integers of the symbolic form: of unlike widths, and against constants that their width does not hold."""

from __future__ import annotations

from collections.abc import Callable
from operator import eq, lt
from typing import Any

import pytest
import z3

from checker.backends.smt import scalars

NARROW, WIDE = 3, 6


def _value(width: int, n: int) -> Any:
    return z3.BitVecVal(n, width)


@pytest.mark.parametrize(("symbolic", "plain"), [(scalars.less, lt), (scalars.equal, eq)], ids=["less", "equal"])
def test_comparisons_are_those_of_the_integers(
    symbolic: Callable[[Any, Any], Any], plain: Callable[[int, int], bool]
) -> None:
    """No constant and no narrower operand is taken modulo a width."""
    a, b = z3.BitVec("a", NARROW), z3.BitVec("b", WIDE)
    for n in range(-4, 4):
        for k in range(-32, 32):
            for left, right in ((a, b), (a, k), (n, b), (n, k)):
                for one, other, expected in ((left, right, plain(n, k)), (right, left, plain(k, n))):
                    found = symbolic(one, other)
                    if not isinstance(found, bool):
                        found = z3.is_true(
                            z3.simplify(z3.substitute(found, (a, _value(NARROW, n)), (b, _value(WIDE, k))))
                        )
                    assert found == expected, (one, other, n, k)
