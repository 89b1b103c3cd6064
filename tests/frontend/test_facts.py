"""What is known where a condition is true or false, and how far a calculation can go: facts that refusals and types
rest on."""

from __future__ import annotations

from itertools import product

import pytest

from checker.frontend.failing import Failing, facts_of
from checker.ir import expressions as e
from checker.ir import statements as s
from checker.ir import types as t
from checker.ir.build import arithmetic, fits_a_word, interval

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
    assert facts_of(both, True) == {(A, True), (B, True)}
    assert facts_of(either, False) == {(A, False), (B, False)}
    assert facts_of(both, False) == {(both, False)} and facts_of(either, True) == {(either, True)}
    assert facts_of(e.Not(BOOL, either), True) == {(A, False), (B, False)}


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


# -- what may fail
# -----------------------------------------------------------------------------------------------------------

NUMBER = t.Int(0, 3)
ITEM = e.Local(NUMBER, "item")
HELD = e.Variable(t.Set(NUMBER), "held")
LIST = e.Variable(t.Seq(NUMBER, 4), "list")
CHANGED = e.Variable(NUMBER, "n")
FAILING = Failing(lambda name: pytest.fail(name))
REMOVED = s.SetRemove(1, HELD, ITEM, True)
POPPED = s.SeqRemoveAt(1, LIST, e.Const(NUMBER, 1))
DIVIDED = s.Assign(1, CHANGED, e.Arithmetic(NUMBER, "//", e.Const(NUMBER, 3), ITEM, 1))
STOP = s.Stop(1)
THERE = e.Contains(BOOL, HELD, ITEM)


def compared(operator: str, value: int) -> e.Expression:
    """The item against a constant."""
    return e.Compare(BOOL, operator, ITEM, e.Const(NUMBER, value))


def long(operator: str, value: int, turned: bool = False) -> e.Expression:
    """The length of the list against a constant."""
    parts = e.Length(NUMBER, LIST), e.Const(NUMBER, value)
    return e.Compare(BOOL, operator, *(parts[::-1] if turned else parts))


def negated(condition: e.Expression) -> e.Expression:
    """Not it."""
    return e.Not(BOOL, condition)


@pytest.mark.parametrize(
    "body, fails",
    [
        ((REMOVED,), True),
        ((s.Require(1, THERE), REMOVED), False),
        ((s.Require(1, negated(THERE)), REMOVED), True),
        ((s.Require(1, e.Contains(BOOL, HELD, CHANGED)), REMOVED), True),
        ((s.If(1, THERE, (REMOVED,)),), False),
        ((s.If(1, THERE, (), (REMOVED,)),), True),
        ((s.If(1, negated(THERE), (STOP,)), REMOVED), False),
        ((s.If(1, THERE, (STOP,)), REMOVED), True),
        ((s.If(1, THERE, (), (STOP,)), REMOVED), False),
        ((s.If(1, negated(THERE), (), (STOP,)), REMOVED), True),
        ((s.If(1, negated(THERE), (DIVIDED, STOP)), REMOVED), True),
        ((s.If(1, negated(THERE), ()), REMOVED), True),
        ((s.Require(1, THERE), REMOVED, REMOVED), True),
        ((s.Require(1, THERE), s.Choose(1, ITEM, e.Domain(t.Set(NUMBER))), REMOVED), True),
        ((s.Require(1, compared("!=", 0)), s.For(1, ITEM, e.Domain(t.Set(NUMBER)), (DIVIDED,))), True),
        ((s.Block(1, "b", (REMOVED,)),), True),
        ((s.SetRemove(1, HELD, ITEM, False),), False),
        ((DIVIDED,), True),
        *(
            ((s.Require(1, compared(o, v)), DIVIDED), fails)
            for o, v, fails in [
                ("!=", 0, False),
                ("!=", 1, True),
                ("==", 1, False),
                ("==", 0, True),
                (">", 0, False),
                (">=", 1, False),
                (">=", 0, True),
                ("<", 0, False),
                ("<", 1, True),
                ("<=", 0, True),
            ]
        ),
        ((s.Require(1, negated(compared("==", 0))), DIVIDED), False),
        ((POPPED,), True),
        *(
            ((s.Require(1, long(o, v)), POPPED), fails)
            for o, v, fails in [
                (">", 1, False),
                (">", 0, True),
                (">=", 2, False),
                (">=", 1, True),
                ("==", 2, False),
                ("==", 1, True),
                ("<", 2, True),
                ("!=", 0, True),
            ]
        ),
        ((s.Require(1, long("<", 1, turned=True)), POPPED), False),
        ((s.Require(1, long(">", 1, turned=True)), POPPED), True),
    ],
)
def test_a_body_may_fail_unless_what_is_known_rules_it_out(body: tuple[s.Statement, ...], fails: bool) -> None:
    """Removals that are there, divisors that are not zero, places within the length."""
    assert FAILING.statements(body) == fails


@pytest.mark.parametrize("op, left, right", [("+", 1, 1), ("-", -1, 1), ("*", 2, 1), ("*", -2, 1)])
def test_a_result_beyond_63_bits_does_not_fit_a_word(op: str, left: int, right: int) -> None:
    """On both sides of zero; a smaller one does."""
    far = t.Int(left * 2**62, left * 2**62) if op != "*" else t.Int(left * 2**61, left * 2**61)
    other = t.Int(right * 2**62, right * 2**62) if op != "*" else t.Int(4, 4)
    assert not fits_a_word(arithmetic(op, e.Local(far, "a"), e.Local(other, "b")))
    near = t.Int(left * 2**60, left * 2**60)
    assert fits_a_word(arithmetic(op, e.Local(near, "a"), e.Local(t.Int(right, right), "b")))
