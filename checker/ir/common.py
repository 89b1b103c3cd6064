"""Like types compared by the values they hold: what two have in common, the least that holds both, and inclusion.

A variable that an edit gives another type is compared where both can hold its value.
"""

from __future__ import annotations

from checker.ir import types as t


def common(a: t.Type, b: t.Type) -> t.Type | None:
    """The type of the values that are of both, each with the same raw form in all three; None if there are none, or no
    type has just these."""
    if a == b:
        return a
    match a, b:
        case t.Int(), t.Int():
            lo, hi = max(a.lo, b.lo), min(a.hi, b.hi)
            return t.Int(lo, hi) if lo <= hi else None
        case t.Optional(x), t.Optional(y):
            return _of(t.Optional, common(x, y))
        case (t.Optional(x), y) | (y, t.Optional(x)):
            return common(x, y)
        case t.Set(x), t.Set(y):
            return _of(t.Set, common(x, y))
        case (t.Seq(x, n, grow), t.Seq(y, m, _)) | (t.Bag(x, n, grow), t.Bag(y, m, _)):
            item = common(x, y)
            return item and type(a)(item, min(n, m), grow)  # type: ignore[call-arg]
        case t.Map(k, x), t.Map(l, y) if k == l:
            value = common(x, y)
            return value and t.Map(k, value)
        case t.Record(name, xs), t.Record(other, ys) if name == other and [n for n, _ in xs] == [n for n, _ in ys]:
            fields = [(n, common(x, y)) for (n, x), (_, y) in zip(xs, ys)]
            return (
                t.Record(name, tuple((n, f) for n, f in fields if f is not None))
                if all(f is not None for _, f in fields)
                else None
            )
        case t.Union(name, xs), t.Union(other, ys) if name == other and [x.name for x in xs] == [y.name for y in ys]:
            variants = [common(x, y) for x, y in zip(xs, ys)]
            return (
                t.Union(name, tuple(v for v in variants if isinstance(v, t.Record)))
                if all(isinstance(v, t.Record) for v in variants)
                else None
            )
    return None


def _of(make: type[t.Optional] | type[t.Set], item: t.Type | None) -> t.Type | None:
    return None if item is None else make(item)


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


def fits(source: t.Type, target: t.Type) -> bool:
    """Whether every value of `source` is one of `target`, so that a conversion cannot fail."""
    return join(source, target) == target or source == target
