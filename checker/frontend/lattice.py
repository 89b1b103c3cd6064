"""The order of types in type inference: which types are alike, their least common type, and which type fits into which.

Integers are intervals.  `Nothing` is below every type: the item type of `set()` before anything is added, and the type
of a local before its first assignment is seen.  The join of growing intervals is widened after a few rounds, so that
the fixpoint iteration ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeGuard

from attrs import evolve

from checker.frontend import kinds
from checker.frozen import frozen
from checker.ir import domain
from checker.ir import expressions as e
from checker.ir import types as t

WIDE = t.Int(-(2**31), 2**31 - 1)
CAPACITY = 256  # a sequence built in a loop without a known bound holds at most this many items
LONGEST = 4096  # a list built by a comprehension holds at most this many
DEEPEST = 24  # collections in each other; a local that goes beyond it is put into itself


@frozen
class Nothing(t.Type):
    """No value at all."""

    def __str__(self) -> str:
        return "nothing"


NOTHING = Nothing()


def join(a: t.Type, b: t.Type) -> t.Type | None:
    """The least type that holds the values of both, or None if they are unlike."""
    if a == b or isinstance(b, Nothing):
        return a
    if isinstance(a, Nothing):
        return b
    match a, b:
        case t.Int(), t.Int():
            return t.Int(min(a.lo, b.lo), max(a.hi, b.hi))
        case (t.Optional(), _) | (_, t.Optional()):
            item = join(*(x.item if isinstance(x, t.Optional) else x for x in (a, b)))
            return item and (item if isinstance(item, t.Optional) else t.Optional(item))
        case (t.Set(x), t.Set(y)) | (t.Seq(x), t.Seq(y)) | (t.Bag(x), t.Bag(y)) | (t.Map(_, x), t.Map(_, y)):
            item = None if isinstance(a, t.Map) and isinstance(b, t.Map) and a.key != b.key else join(x, y)
            return item and _collection(item, a, b)
        case t.Record(), t.Record():
            return _join_records(a, b)
        case _:
            return None


def _collection(item: t.Type, a: t.Type, b: t.Type) -> t.Type:
    """The common collection type of two collections, with these items."""
    type = t.with_parts(kinds.bare(a), [*t.parts(a)[:-1], item])
    if isinstance(b, t.Seq | t.Bag):
        type = evolve(type, capacity=max(type.capacity, b.capacity))  # type: ignore[attr-defined,call-arg]
    return kinds.as_kind(type, *(kinds.of(a) | kinds.of(b)))


def is_tuple(type: t.Type) -> TypeGuard[t.Record]:
    """Whether a record is an unnamed tuple."""
    return isinstance(type, t.Record) and type.name == ""


def tuple_type(items: list[t.Type]) -> t.Record:
    """The type of a Python tuple."""
    return t.Record("", tuple((str(i), item) for i, item in enumerate(items)))


def make_tuple(items: Sequence[e.Expression]) -> e.MakeRecord:
    """A Python tuple of these."""
    return e.MakeRecord(tuple_type([i.type for i in items]), tuple(items))


def _join_records(a: t.Record, b: t.Record) -> t.Type | None:
    if len(a.fields) != len(b.fields) or a.name != b.name and not is_tuple(a) and not is_tuple(b):
        return None
    named = a if is_tuple(a) else b  # a tuple has no name, so a value that may be a tuple has none either
    joined = [join(x, y) for (_, x), (_, y) in zip(a.fields, b.fields)]
    if any(j is None for j in joined):
        return None
    return t.Record(named.name, tuple((n, j) for (n, _), j in zip(named.fields, joined) if j is not None))


def widen(old: t.Type, new: t.Type) -> t.Type:
    """A type above `new` that does not grow any more where `new` outgrew `old`: integers are widened to 32 bits,
    capacities to CAPACITY.
    """
    if isinstance(old, t.Int) and isinstance(new, t.Int):
        return t.Int(old.lo if new.lo >= old.lo else WIDE.lo, old.hi if new.hi <= old.hi else WIDE.hi)
    if kinds.bare(old).__class__ is not kinds.bare(new).__class__ or len(t.parts(old)) != len(t.parts(new)):
        return new
    if isinstance(old, t.Seq) and isinstance(new, t.Seq):
        n, m = old.capacity, new.capacity
        new = evolve(new, capacity=n if m <= n or n >= CAPACITY else max(m, CAPACITY))
    return t.with_parts(new, [widen(x, y) for x, y in zip(t.parts(old), t.parts(new))])


def nesting(type: t.Type) -> int:
    """The nesting depth of collections."""
    match type:
        case t.Set(item) | t.Seq(item, _, _) | t.Bag(item) | t.Map(_, item):
            return 1 + nesting(item)
    return 0


def unknown(type: t.Type) -> bool:
    """Whether Nothing occurs in a type."""
    return any(isinstance(part, Nothing) for part in t.walk(type))


def known(type: t.Type) -> t.Type:
    """The type without kinds, and with an arbitrary small type in place of Nothing, for locals that never hold a
    value."""
    return t.mapped(type, lambda part: t.Bool() if isinstance(part, Nothing) else kinds.bare(part))


def contains(outer: t.Type, inner: t.Type) -> bool:
    """Whether every value of `inner` is one of `outer`, whatever the representation."""
    if outer == inner or isinstance(inner, Nothing):
        return True
    match outer, inner:
        case t.Int(), t.Int():
            return outer.lo <= inner.lo and inner.hi <= outer.hi
        case t.Record(_, xs), t.Record(_, ys):
            return len(xs) == len(ys) and all(contains(x, y) for (_, x), (_, y) in zip(xs, ys))
        case (t.Optional(x), t.Optional(y)) | (t.Set(x), t.Set(y)):
            return contains(x, y)
        case t.Optional(x), _:
            return contains(x, inner)
        case t.Seq(x, n, _), t.Seq(y, m, _):
            return n >= m and contains(x, y)
        case t.Map(k, x), t.Map(l, y):
            return k == l and contains(x, y)
        case _:
            return False


def mutable(type: t.Type) -> bool:
    """Whether two names in Python would share the value instead of copying it."""
    return isinstance(type, t.Map | t.Set | t.Seq | t.Bag)


def symmetric(type: t.Type) -> bool:
    """Whether symmetric identities occur in a type."""
    return any(isinstance(part, t.Ids) and part.symmetric for part in t.walk(type))


def count(type: t.Type) -> int:
    """The largest number of items of a collection of this type."""
    match type:
        case t.Set(item):
            return domain.size(item) or CAPACITY
        case t.Seq(_, n, _) | t.Bag(_, n, _):
            return n
        case t.Map(key, _):
            return domain.size(key) or CAPACITY
        case _:
            return CAPACITY
