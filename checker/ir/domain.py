"""The number of values of a type, which types can be enumerated, and the largest number of rounds of a loop without a
collection.

Enumerable types (Bool, Int, Enum, Ids; Optional, Record and Union of these; small Sets) index maps, are members of
sets, and are tried as parameters. Where it stops: sequences and bags are finite too, but are never enumerated.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from checker.ir import types as t

ROUNDS = 10_000
"""The largest number of rounds of a `while` loop, in every back end; more are a model error."""


def size(type: t.Type) -> int | None:
    """Number of values of an enumerable type, or None."""
    match type:
        case t.Bool():
            return 2
        case t.Int(lo, hi):
            return max(0, hi - lo + 1)
        case t.Enum(_, members) | t.Ids(_, members, _):
            return len(members)
        case t.Optional(item):
            inner = size(item)
            return None if inner is None else inner + 1
        case t.Record(_, fields):
            sizes = _sizes(f for _, f in fields)
            return None if sizes is None else math.prod(sizes)
        case t.Union(_, variants):
            sizes = _sizes(variants)
            return None if sizes is None else sum(sizes)
        case t.Set(item):
            inner = size(item)
            return None if inner is None or inner > 20 else 1 << inner
        case t.Map(key, value):
            keys, values = size(key), size(value)
            if keys is None or values is None or values > 1 and keys * math.log2(values) > 30:
                return None
            return values**keys
        case _:
            return None


def enumerable(type: t.Type) -> bool:
    """Whether loops, parameters and map keys may range over the type."""
    return size(type) is not None


def _sizes(types: Iterable[t.Type]) -> list[int] | None:
    sizes = [size(type) for type in types]
    return None if None in sizes else [s for s in sizes if s is not None]
