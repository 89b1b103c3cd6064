"""Making expressions with all constants folded: the one owner of folding.

Folding has an effect on meaning, not only on speed: a branch that a constant excludes is not lowered at all, so it need
not fit the types of this configuration.  Back ends compute the rest.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from typing import Any

from attrs import evolve

from checker.ir import expressions as e
from checker.ir import types as t
from checker.ir import values as v
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
"""Nodes that make a new collection, or always return the same value."""

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


def is_none(value: e.Expression) -> e.Expression:
    """value is None."""
    return e.IsNone(BOOL, value)


def is_some(value: e.Expression) -> e.Expression:
    """value is not None."""
    return e.Not(BOOL, e.IsNone(BOOL, value))


def contains(container: e.Expression, item: e.Expression) -> e.Expression:
    """item in container, where the types allow it."""
    return e.Contains(BOOL, container, item)


def everything(type: t.Type) -> e.Domain:
    """All values of a type."""
    return e.Domain(t.Set(type))


def index(base: e.Expression, key: e.Expression, line: int = 0) -> e.Index:
    """base[key] of a map or sequence."""
    return e.Index(t.parts(base.type)[-1], base, key, line)


def parts(record: e.Expression) -> tuple[e.Expression, ...]:
    """The fields of a record or tuple."""
    assert isinstance(record.type, t.Record)
    if isinstance(record, e.MakeRecord):
        return record.fields
    return tuple(e.Field(type, record, name) for name, type in record.type.fields)


def part(record: e.Expression, place: int) -> e.Expression:
    """One field of a record or tuple, by its place; all fields are evaluated."""
    return after(record.fields if isinstance(record, e.MakeRecord) else (), parts(record)[place])


def if_else(condition: e.Expression, then: e.Expression, other: e.Expression) -> e.Expression:
    """then if condition else other; both have one type."""
    if isinstance(condition, e.Const):
        return then if condition.value else other
    return e.IfElse(then.type, condition, then, other)


def after(earlier: Iterable[e.Expression], value: e.Expression) -> e.Expression:
    """The value, evaluated after the earlier expressions, as in Python; those that cannot fail are left out."""
    failing = tuple(part for part in earlier if may_fail(part))
    return e.After(value.type, failing, value) if failing else value


def empty(type: t.Type) -> e.Expression:
    """The empty collection of a type."""
    if isinstance(type, t.Set | t.Seq):
        return (e.MakeSet if isinstance(type, t.Set) else e.MakeSeq)(type, ())
    return e.EmptyBag(type)


def copy(value: e.Expression, type: t.Type | None = None) -> e.Expression:
    """A new collection of this type: no alias of a place."""
    kept = value if type is None or type == value.type else evolve(value, type=type)
    return kept if isinstance(value, MADE) else e.After(kept.type, (), kept)


def without_copy(value: e.Expression) -> e.Expression:
    """A collection that is only read now: a copy is not needed."""
    while isinstance(value, e.After) and not value.earlier:
        value = evolve(value.value, type=value.type)
    return value


def compare(op: str, left: e.Expression, right: e.Expression) -> e.Expression:
    """A comparison of operands of like types."""
    if isinstance(left, e.Const) and isinstance(right, e.Const):
        return boolean(COMPARISONS[op](left.value, right.value))
    match left.type, right.type:
        case t.Int(), t.Int():
            value = decided(op, left.type, right.type)
            if value is not None and _plain(left) and _plain(right):
                return boolean(value)
    return e.Compare(BOOL, op, left, right)


def decided(op: str, a: t.Int, b: t.Int) -> bool | None:
    """The value of a comparison of any two numbers of these types; None if it depends on the numbers."""
    below, above = a.hi < b.lo, b.hi < a.lo
    if op in ("==", "!="):
        return (op == "!=") if below or above else None
    if op in ("<", ">="):
        return (op == "<") if below else (op == ">=") if b.hi <= a.lo else None
    return (op == "<=") if a.hi <= b.lo else (op == ">") if above else None


def _plain(value: e.Expression) -> bool:
    """Whether a comparison of this operand may be folded. Other comparisons remain in the model, so that a condition
    that is always true can be reported.
    """
    return isinstance(value, e.Const | e.Local | e.Variable | e.Length) and not may_fail(value)


def fits_a_word(number: e.Expression) -> bool:
    """Whether a number certainly has 63 bits at most."""
    return isinstance(number.type, t.Int) and -LIMIT <= number.type.lo <= number.type.hi <= LIMIT


def arithmetic(op: str, left: e.Expression, right: e.Expression, line: int = 0) -> e.Expression:
    """left op right on integers, folded."""
    a, b = left.type, right.type
    assert isinstance(a, t.Int) and isinstance(b, t.Int)
    result = interval(op, a, b)
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


def constant(type: t.Type, raw: v.Raw, local: Callable[[Any, str], str]) -> e.Expression:
    """The expression whose value is a raw value of the type. local: gives the name of a new local for a key."""

    def of(part: t.Type, raw: v.Raw) -> e.Expression:
        return constant(part, raw, local)

    match type:
        case t.Optional(item):
            return e.NoneValue(type) if raw is None else e.Some(type, of(item, raw))
        case t.Record(_, fields):
            return e.MakeRecord(type, tuple(of(f, r) for (_, f), r in zip(fields, raw)))
        case t.Union(_, variants):
            variant = variants[raw[0]]
            return e.MakeVariant(type, variant.name, tuple(of(f, r) for (_, f), r in zip(variant.fields, raw[1])))
        case t.Set(item):
            return e.MakeSet(type, tuple(of(item, r) for r in sorted(raw, key=lambda r: v.key(item, r))))
        case t.Seq(item):
            return e.MakeSeq(type, tuple(of(item, r) for r in raw))
        case t.Bag():
            assert not raw, "a bag that does not start empty"
            return e.EmptyBag(type)
        case t.Map(_, value) if len(set(raw)) == 1:
            return e.Everywhere(type, of(value, raw[0]))
        case t.Map(key, value):
            place = e.Local(key, local(("key", type, raw), "key"))
            keys, result = list(v.values(key)), of(value, raw[-1])
            for k, r in zip(keys[-2::-1], raw[-2::-1]):
                result = if_else(compare("==", place, of(key, k)), of(value, r), result)
            return e.MapOf(type, place, result)
    return e.Const(type, int(raw))
