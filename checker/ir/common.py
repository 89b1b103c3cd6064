"""Like types compared by their values: common values of two types, the least type that includes both, and inclusion.

A variable that an edit declares with another type is compared in states in which both types have its value.
"""

from __future__ import annotations

from attrs import evolve

from checker.ir import types as t


def like(a: t.Type, b: t.Type) -> bool:
    """Same shape, Int bounds and capacities aside; a union is like no other."""
    match a, b:
        case t.Int(), t.Int():
            return True
        case (t.Optional(x), t.Optional(y)) | (t.Set(x), t.Set(y)) | (t.Seq(x), t.Seq(y)) | (t.Bag(x), t.Bag(y)):
            return like(x, y)
        case t.Map(k, x), t.Map(l, y):
            return k == l and like(x, y)
        case t.Record(_, xs), t.Record(_, ys):
            return len(xs) == len(ys) and all(like(x, y) for (_, x), (_, y) in zip(xs, ys))
    return a == b


def common(a: t.Type, b: t.Type) -> t.Type | None:
    """The type of the common values of both, each with the same raw form in all three types; None if there are none, or
    if no type has exactly these values.
    """
    if a == b:
        return a
    match a, b:
        case t.Int(), t.Int():
            lo, hi = max(a.lo, b.lo), min(a.hi, b.hi)
            return t.Int(lo, hi) if lo <= hi else None
        case (t.Optional(x), y) | (y, t.Optional(x)) if not (isinstance(a, t.Optional) and isinstance(b, t.Optional)):
            return common(x, y)
        case (t.Seq(_, n), t.Seq(_, m)) | (t.Bag(_, n), t.Bag(_, m)):
            a = evolve(a, capacity=min(n, m))  # type: ignore[call-arg]
        case t.Map(k), t.Map(l) if k != l:
            return None
    found = [common(x, y) for x, y in zip(t.parts(a), t.parts(b))]
    if not found or _named(a) != _named(b) or None in found:
        return None
    return t.with_parts(a, [x for x in found if x is not None])


def _named(type: t.Type) -> tuple[object, ...]:
    """The common part of two composite types, if their values have one form."""
    match type:
        case t.Record(name, fields):
            return t.Record, name, [n for n, _ in fields]
        case t.Union(name, variants):
            return t.Union, name, [v.name for v in variants]
    return (type.__class__,)


def join(left: t.Type, right: t.Type) -> t.Type:
    """The least type that holds the values of two like types."""
    match left, right:
        case t.Int(a, b), t.Int(c, d):
            return t.Int(min(a, c), max(b, d))
        case t.Optional(a), t.Optional(b):
            return t.Optional(join(a, b))
        case t.Record(name, fields), t.Record(_, others):
            return t.Record(name, tuple((n, join(x, y)) for (n, x), (_, y) in zip(fields, others)))
        case t.Map(key, value), t.Map(_, other):
            return t.Map(key, join(value, other))
        case t.Set(a), t.Set(b):
            return t.Set(join(a, b))
        case t.Seq(a, n), t.Seq(b, m):
            return t.Seq(join(a, b), max(n, m))
        case t.Bag(a, n, grow), t.Bag(b, m, _):
            return t.Bag(join(a, b), max(n, m), grow)
    return left


def can_grow(type: t.Type) -> bool:
    """Whether a full sequence or bag requests more room instead of being a model error."""
    return isinstance(type, t.Seq | t.Bag) and type.grow is not None


def fits(source: t.Type, target: t.Type) -> bool:
    """Whether every value of `source` is one of `target`, so that a conversion cannot fail."""
    return join(source, target) == target or source == target
