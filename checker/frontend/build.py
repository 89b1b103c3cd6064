"""Building expressions with everything constant folded.

Folding matters for meaning, not only for speed: a branch on a constant that is never taken is not lowered at all, so it
need not even fit the types of this configuration.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable

from attrs import evolve

from checker.ir import expressions as e
from checker.ir import types as t
from checker.ir.facts import may_fail

BOOL = t.Bool()
TRUE = e.Const(BOOL, 1)
FALSE = e.Const(BOOL, 0)
LIMIT = 2**62

MADE = (
    e.MakeSet
    | e.SetOf
    | e.SetOperation
    | e.MakeSeq
    | e.SeqOf
    | e.Concat
    | e.Slice
    | e.Sorted
    | e.Domain
    | e.Range
    | e.After
)
"""What gives a new collection, or always the same."""

COMPARISONS = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def integer(value: int) -> e.Const:
    """An integer constant."""
    return e.Const(t.Int(value, value), value)


def boolean(value: bool) -> e.Const:
    """A truth value."""
    return TRUE if value else FALSE


def negate(value: e.Expression) -> e.Expression:
    """not value."""
    match value:
        case e.Const(_, v):
            return boolean(not v)
        case e.Not(_, inner):
            return inner
        case e.Compare(_, "==", left, right):
            return e.Compare(BOOL, "!=", left, right)
        case e.Compare(_, "!=", left, right):
            return e.Compare(BOOL, "==", left, right)
        case _:
            return e.Not(BOOL, value)


def conjunction(operands: Iterable[e.Expression]) -> e.Expression:
    """and; operands after a constant False are dropped."""
    kept: list[e.Expression] = []
    for o in operands:
        if isinstance(o, e.Const):
            if not o.value:
                return FALSE if not kept else e.And(BOOL, (*kept, FALSE))
            continue
        kept.extend(o.operands if isinstance(o, e.And) else [o])
    return TRUE if not kept else kept[0] if len(kept) == 1 else e.And(BOOL, tuple(kept))


def disjunction(operands: Iterable[e.Expression]) -> e.Expression:
    """or; operands after a constant True are dropped."""
    kept: list[e.Expression] = []
    for o in operands:
        if isinstance(o, e.Const):
            if o.value:
                return TRUE if not kept else e.Or(BOOL, (*kept, TRUE))
            continue
        kept.extend(o.operands if isinstance(o, e.Or) else [o])
    return FALSE if not kept else kept[0] if len(kept) == 1 else e.Or(BOOL, tuple(kept))


def if_else(condition: e.Expression, then: e.Expression, other: e.Expression) -> e.Expression:
    """then if condition else other; both have one type."""
    if isinstance(condition, e.Const):
        return then if condition.value else other
    return e.IfElse(then.type, condition, then, other)


def after(earlier: Iterable[e.Expression], value: e.Expression) -> e.Expression:
    """The value after what Python evaluates before it, as far as that may fail."""
    failing = tuple(part for part in earlier if may_fail(part))
    return e.After(value.type, failing, value) if failing else value


def copy(value: e.Expression, type: t.Type | None = None) -> e.Expression:
    """A collection of its own, of this type: no name for a place."""
    kept = value if type is None or type == value.type else evolve(value, type=type)
    return kept if isinstance(value, MADE) else e.After(kept.type, (), kept)


def looked(value: e.Expression) -> e.Expression:
    """A collection that is only looked at now: a copy need not be made."""
    while isinstance(value, e.After) and not value.earlier:
        value = evolve(value.value, type=value.type)
    return value


def compare(op: str, left: e.Expression, right: e.Expression) -> e.Expression:
    """A comparison of operands of like types."""
    if isinstance(left, e.Const) and isinstance(right, e.Const):
        return boolean(COMPARISONS[op](left.value, right.value))
    match left.type, right.type:
        case t.Int(), t.Int():
            decided = _decided(op, left.type, right.type)
            if decided is not None and _plain(left) and _plain(right):
                return boolean(decided)
    return e.Compare(BOOL, op, left, right)


def _decided(op: str, a: t.Int, b: t.Int) -> bool | None:
    below, above = a.hi < b.lo, b.hi < a.lo
    if op in ("==", "!="):
        return (op == "!=") if below or above else None
    if op in ("<", ">="):
        return (op == "<") if below else (op == ">=") if b.hi <= a.lo else None
    return (op == "<=") if a.hi <= b.lo else (op == ">") if above else None


def _plain(value: e.Expression) -> bool:
    """Whether a comparison with it may be folded: of what is computed otherwise, a condition that is always true is
    left to be told."""
    return isinstance(value, e.Const | e.Local | e.Variable | e.Length) and not may_fail(value)


def arithmetic(op: str, left: e.Expression, right: e.Expression, line: int) -> e.Expression | None:
    """left op right on integers, folded; None if the result may not fit into 63 bits."""
    a, b = left.type, right.type
    assert isinstance(a, t.Int) and isinstance(b, t.Int)
    result = interval(op, a, b)
    if result.lo < -LIMIT or result.hi > LIMIT:
        return None
    if (
        isinstance(left, e.Const)
        and isinstance(right, e.Const)
        and result.lo == result.hi
        and not (op in ("//", "%") and right.value == 0)
    ):
        return integer(result.lo)
    if isinstance(right, e.Const) and (op, right.value) in (("+", 0), ("-", 0), ("*", 1), ("//", 1)):
        return left
    if isinstance(left, e.Const) and (op, left.value) in (("+", 0), ("*", 1)):
        return right
    return e.Arithmetic(result, op, left, right, line)


def interval(op: str, a: t.Int, b: t.Int) -> t.Int:
    """The results of an operator on two intervals."""
    match op:
        case "+":
            return t.Int(a.lo + b.lo, a.hi + b.hi)
        case "-":
            return t.Int(a.lo - b.hi, a.hi - b.lo)
        case "*":
            corners = [x * y for x in (a.lo, a.hi) for y in (b.lo, b.hi)]
            return t.Int(min(corners), max(corners))
        case "min":
            return t.Int(min(a.lo, b.lo), min(a.hi, b.hi))
        case "max":
            return t.Int(max(a.lo, b.lo), max(a.hi, b.hi))
        case "//":
            divisors = [d for d in {b.lo, b.hi, -1, 1} if d and b.lo <= d <= b.hi] or [1]
            corners = [x // d for x in (a.lo, a.hi) for d in divisors]
            return t.Int(min(corners), max(corners))
        case _:
            return _remainder(a, b)


def _remainder(a: t.Int, b: t.Int) -> t.Int:
    if a.lo == a.hi and b.lo == b.hi and b.lo:
        return t.Int(a.lo % b.lo, a.lo % b.lo)
    if 0 <= a.lo and a.hi < b.lo:
        return a
    return t.Int(min(0, b.lo + 1), max(0, b.hi - 1))


def children(node: e.Expression) -> Iterable[e.Expression]:
    """The operands of an expression that are evaluated in its own scope (comprehensions: none)."""
    match node:
        case e.Index(_, base, key, _):
            return (base, key)
        case e.Field(_, base, _):
            return (base,)
        case e.Compare(_, _, left, right) | e.Arithmetic(_, _, left, right, _) | e.SetOperation(_, _, left, right):
            return (left, right)
        case _:
            return ()
