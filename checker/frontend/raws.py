"""Raw values as constant expressions."""

from __future__ import annotations

from typing import Any

from checker.frontend import build
from checker.frontend.scope import Body
from checker.ir import expressions as e
from checker.ir import types as t
from checker.ir import values as v


def expression(body: Body, type: t.Type, raw: Any) -> e.Expression:
    """The expression whose value is the raw value of the type."""
    match type:
        case t.Optional(item):
            return e.NoneValue(type) if raw is None else e.Some(type, expression(body, item, raw))
        case t.Record(_, fields):
            return e.MakeRecord(type, tuple(expression(body, f, r) for (_, f), r in zip(fields, raw)))
        case t.Union(_, variants):
            variant = variants[raw[0]]
            parts = tuple(expression(body, f, r) for (_, f), r in zip(variant.fields, raw[1]))
            return e.MakeVariant(type, variant.name, parts)
        case t.Set(item):
            ordered = sorted(raw, key=lambda r: v.key(item, r))
            return e.MakeSet(type, tuple(expression(body, item, r) for r in ordered))
        case t.Seq(item, _, _):
            return e.MakeSeq(type, tuple(expression(body, item, r) for r in raw))
        case t.Bag():
            assert not raw, "a bag that does not start empty"
            return e.EmptyBag(type)
        case t.Map(key, value):
            return _map(body, type, key, value, raw)
        case _:
            return e.Const(type, int(raw))


def _map(body: Body, type: t.Type, key: t.Type, value: t.Type, raw: tuple[Any, ...]) -> e.Expression:
    if len(set(raw)) == 1:
        return e.Everywhere(type, expression(body, value, raw[0]))
    local = e.Local(key, body.unique(("key", type, raw), "key"))
    keys = list(v.values(key))
    result = expression(body, value, raw[-1])
    for k, r in zip(keys[-2::-1], raw[-2::-1]):
        test = build.compare("==", local, expression(body, key, k))
        result = build.if_else(test, expression(body, value, r), result)
    return e.MapOf(type, local, result)
