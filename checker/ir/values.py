"""Raw values: the plain, hashable Python form in which values cross between interpreter, compiled back ends and traces.

    Bool, Int, Enum, Ids  -> int (Enum and Ids: ordinal)          Optional -> None or raw
    Record -> tuple of raws in field order                         Union    -> (variant number, tuple of raws)
    Map    -> tuple of raws in canonical order of the keys         Set      -> frozenset of raws
    Seq    -> tuple of raws                                        Bag      -> tuple of raws, copies repeated, in
    canonical order

The canonical order of values is the order of `key`; `values` enumerates in it; `index` is a value's place in it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from itertools import product
from typing import Any

from checker.ir import types as t
from checker.ir.domain import size

Raw = Any


def key(type: t.Type, raw: Raw) -> Any:
    """Sort key of the canonical order: sets as bit masks, sequences by length first."""
    match type:
        case t.Int() | t.Bool() | t.Enum() | t.Ids():
            return raw
        case t.Optional(item):
            return (0,) if raw is None else (1, key(item, raw))
        case t.Record(_, fields):
            return tuple(key(f, r) for (_, f), r in zip(fields, raw))
        case t.Union(_, variants):
            return (raw[0], key(variants[raw[0]], raw[1]))
        case t.Map(_, value):
            return tuple(key(value, r) for r in raw)
        case t.Set(item):
            return sum(1 << index(item, r) for r in raw)
        case t.Seq(item, _, _) | t.Bag(item, _, _):
            return (len(raw), *(key(item, r) for r in raw))
    raise TypeError(type)


def ordered(type: t.Type) -> bool:
    """Whether Python orders raw values of a type as `key` does, so that no key is needed."""
    kept = t.Record | t.Union | t.Map
    return type.__class__ in t.SCALARS or isinstance(type, kept) and all(ordered(part) for part in t.parts(type))


def values(type: t.Type) -> Iterator[Raw]:
    """All raw values of an enumerable type in canonical order."""
    match type:
        case t.Bool():
            yield from (0, 1)
        case t.Int(lo, hi):
            yield from range(lo, hi + 1)
        case t.Enum(_, members) | t.Ids(_, members, _):
            yield from range(len(members))
        case t.Optional(item):
            yield None
            yield from values(item)
        case t.Record(_, fields):
            yield from product(*(list(values(f)) for _, f in fields))
        case t.Union(_, variants):
            for number, variant in enumerate(variants):
                for raw in values(variant):
                    yield (number, raw)
        case t.Map(k, v):
            yield from product(list(values(v)), repeat=_size(k))
        case t.Set(item):
            items = list(values(item))
            for mask in range(1 << len(items)):
                yield frozenset(r for i, r in enumerate(items) if mask >> i & 1)
        case _:
            raise TypeError(f"{type} cannot be enumerated")


def index(type: t.Type, raw: Raw) -> int:
    """Place of a value of an enumerable type in the canonical order, from 0."""
    match type:
        case t.Int(lo, _):
            return raw - lo
        case t.Bool() | t.Enum() | t.Ids():
            return raw
        case t.Optional(item):
            return 0 if raw is None else 1 + index(item, raw)
        case t.Record(_, fields):
            return _mixed_radix([(index(f, r), _size(f)) for (_, f), r in zip(fields, raw)])
        case t.Union(_, variants):
            return sum(_size(v) for v in variants[: raw[0]]) + index(variants[raw[0]], raw[1])
        case t.Map(_, value):
            return _mixed_radix([(index(value, r), _size(value)) for r in raw])
        case t.Set(item):
            return key(type, raw)
        case _:
            raise TypeError(f"{type} cannot be enumerated")


def _mixed_radix(digits: list[tuple[int, int]]) -> int:
    return reduce(lambda result, digit: result * digit[1] + digit[0], digits, 0)


def _size(type: t.Type) -> int:
    result = size(type)
    if result is None:
        raise TypeError(f"{type} cannot be enumerated")
    return result


def inside(type: t.Type, raw: Raw) -> Iterator[tuple[t.Type, Raw]]:
    """The direct parts of a value, with their types; for a map its values."""
    match type:
        case t.Optional(item):
            yield from () if raw is None else ((item, raw),)
        case t.Record(_, fields):
            yield from ((f, r) for (_, f), r in zip(fields, raw))
        case t.Union(_, variants):
            yield variants[raw[0]], raw[1]
        case t.Map(_, item) | t.Set(item) | t.Seq(item) | t.Bag(item):
            yield from ((item, r) for r in raw)


def zero(type: t.Type) -> Raw:
    """The value whose bits are all zero."""
    match type:
        case t.Int(lo, _):
            return lo
        case t.Optional():
            return None
        case t.Record(_, fields):
            return tuple(zero(f) for _, f in fields)
        case t.Union(_, variants):
            return (0, zero(variants[0]))
        case t.Map(key, value):
            return tuple(zero(value) for _ in values(key))
        case t.Set():
            return frozenset()
        case t.Seq() | t.Bag():
            return ()
        case _:
            return 0
