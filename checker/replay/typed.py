"""Raw values as the plain values of traces by their type alone, where a rule has no annotation to tell its domain."""

from __future__ import annotations

from collections import Counter
from typing import Any

from checker.ir import types as t
from checker.ir.values import values
from checker.trace.values import FrozenMap, Multiset, Rec


def plain_typed(kind: t.Type, raw: Any) -> Any:
    """The plain value of a raw value, by its type."""
    match kind:
        case t.Bool():
            return bool(raw)
        case t.Enum(_, names) | t.Ids(_, names, _):
            return names[raw]
        case t.Optional(item):
            return None if raw is None else plain_typed(item, raw)
        case t.Record(name, fields):
            return Rec(name, {n: plain_typed(f, r) for (n, f), r in zip(fields, raw)})
        case t.Union(_, variants):
            return plain_typed(variants[raw[0]], raw[1])
        case t.Map(key, value):
            return FrozenMap({plain_typed(key, k): plain_typed(value, r) for k, r in zip(values(key), raw)})
        case t.Set(item):
            return frozenset(plain_typed(item, r) for r in raw)
        case t.Seq(item, _, _):
            return tuple(plain_typed(item, r) for r in raw)
        case t.Bag(item, _, _):
            return Multiset(Counter(plain_typed(item, r) for r in raw))
    return raw
