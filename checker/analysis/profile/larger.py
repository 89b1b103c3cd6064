"""Whether one value is another that has grown: more messages, more items, a larger number, and nothing else changed.

Every type is finite, so what grows meets the end of its type one day.  A value counts as grown only where its type has
room for at least `room` more.  A counter of a workload of three, or a clock to 30, is no growth, therefore: its type is
the bound that its author chose.  One to a million is.  Messages in flight need no room: networks have no bound in the
language.

Where it stops: numbers inside messages, of items of a sequence and of members of a set must be equal.  A round number
that grows while the messages that carry it are replaced is not seen.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from typing import Any

from checker.ir import types as t
from checker.ir.domain import size


def growth_of(type: t.Type, before: Any, after: Any, room: int, unbounded: bool = False) -> int | None:
    """By how much the parts of a raw value have grown, together; 0 if the values are equal, None if something else
    changed.  unbounded: the value is a network's, which has any room.
    """
    if before == after:
        return 0
    match type:
        case t.Int(_, hi):
            return after - before if after > before and hi - after >= room else None
        case t.Set(item) if before < after:
            return len(after) - len(before) if _members(item) - len(after) >= room else None
        case t.Seq(_, capacity, _) if after[: len(before)] == before:
            return len(after) - len(before) if unbounded or capacity - len(after) >= room else None
        case t.Bag(_, capacity, _) if len(before) <= len(after) and Counter(before) <= Counter(after):
            return len(after) - len(before) if unbounded or capacity - len(after) >= room else None
        case t.Map(_, value):
            return _together(growth_of(value, a, b, room, unbounded) for a, b in zip(before, after))
        case t.Record(_, fields):
            return _together(growth_of(part, a, b, room, unbounded) for (_, part), a, b in zip(fields, before, after))
        case t.Optional(item) if before is not None and after is not None:
            return growth_of(item, before, after, room, unbounded)
        case t.Union(_, variants) if before[0] == after[0]:
            return growth_of(variants[before[0]], before[1], after[1], room, unbounded)
    return None


def _members(item: t.Type) -> float:
    """How many members a set may have."""
    many = size(item)
    return math.inf if many is None else many


def _together(parts: Iterable[int | None]) -> int | None:
    grown = 0
    for part in parts:
        if part is None:
            return None
        grown += part
    return grown


def may_grow(type: t.Type, room: int) -> bool:
    """Whether values of a type can grow by as much as `room`."""
    match type:
        case t.Int(lo, hi):
            return hi - lo >= room
        case t.Set(item):
            return _members(item) >= room
        case t.Seq(_, capacity, _) | t.Bag(_, capacity, _):
            return capacity >= room
        case t.Map(_, value):
            return may_grow(value, room)
    return type.__class__ not in t.SCALARS and any(may_grow(part, room) for part in t.parts(type))


def limit_of(type: t.Type) -> int | None:
    """The largest `amount` of values of a type; None if there is no number for it."""
    match type:
        case t.Int(_, hi):
            return hi
        case t.Set(item):
            return size(item)
        case t.Seq(_, capacity, _) | t.Bag(_, capacity, _):
            return capacity
        case t.Map(_, value):
            return limit_of(value)
    return None


def counts_items(type: t.Type) -> bool:
    """Whether the `amount` of values of a type is a number of items."""
    return isinstance(type, t.Set | t.Seq | t.Bag) or isinstance(type, t.Map) and counts_items(type.value)


def amount(type: t.Type, raw: Any) -> int:
    """How much there is in a raw value: the number of items of a collection, the value of a number; of several parts
    the largest.
    """
    match type:
        case t.Int():
            return int(raw)
        case t.Set() | t.Seq() | t.Bag():
            return len(raw)
        case t.Map(_, value):
            return max((amount(value, part) for part in raw), default=0)
        case t.Record(_, fields):
            return max((amount(part, item) for (_, part), item in zip(fields, raw)), default=0)
        case t.Optional(item) if raw is not None:
            return amount(item, raw)
        case t.Union(_, variants):
            return amount(variants[raw[0]], raw[1])
    return 0
