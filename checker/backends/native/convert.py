"""Conversion between like types: other bounds of integers or capacities of sequences and bags, anywhere inside.

To a wider type it cannot fail; to a narrower one it checks every part that might not fit. Sets keep their members; a
set whose item type changes is rebuilt member by member. A union is like no other (`checker.ir.common.like`), so its
fields never change their bounds.
"""

from __future__ import annotations

from checker.assembly import Operand
from checker.backends.native import access, domain, sets
from checker.backends.native.context import Big, Context, Ref, Unsupported, Value
from checker.backends.native.packing import count, is_scalar
from checker.ir import types as t


def convert(f: Context, source: t.Type, target: t.Type, value: Value, line: int) -> Value:
    """The value converted to `target`; a value that does not fit is the error "out of range"."""
    if source == target:
        return value
    if is_scalar(source):
        assert not isinstance(value, Big)
        return _scalar(f, source, target, value, line)
    place = access.zeroed(f, target)
    fill(f, source, target, access.hold(f, source, value), place, line)
    return access.load(f, place)


def _scalar(f: Context, source: t.Type, target: t.Type, value: Operand, line: int) -> Operand:
    if isinstance(source, t.Int) and isinstance(target, t.Int):
        b = f.b
        if source.lo < target.lo:
            f.check(b.compare("sge", value, target.lo), "out of range", line)
        if source.hi > target.hi:
            f.check(b.compare("sle", value, target.hi), "out of range", line)
    return value


def fill(f: Context, source: t.Type, target: t.Type, value: Ref, place: Ref, line: int) -> None:
    """Write a converted value to a place that is all zero."""
    if source == target:
        access.copy(f, place, value)
        return
    match source, target:
        case t.Int(), t.Int():
            access.store(f, place, _scalar(f, source, target, access.number(f, value), line))
        case t.Optional(a), t.Optional(b):
            with f.b.when(access.number(f, access.flag(f, value))):
                access.put(f, access.flag(f, place), 1)
                fill(f, a, b, access.payload(f, value), access.payload(f, place), line)
        case t.Record(_, fields), t.Record(_, others):
            for i, ((_, x), (_, y)) in enumerate(zip(fields, others)):
                fill(f, x, y, access.field(f, value, i), access.field(f, place, i), line)
        case t.Map(key, a), t.Map(_, b):
            for at in f.b.repeat(count(key)):
                fill(f, a, b, access.entry(f, value, at), access.entry(f, place, at), line)
        case t.Set(), t.Set():
            _set(f, source, target, value, place, line)
        case (t.Seq() | t.Bag(), t.Seq() | t.Bag()):
            assert isinstance(source, t.Seq | t.Bag) and isinstance(target, t.Seq | t.Bag)
            _sequence(f, source, target, value, place, line)
        case _:
            raise Unsupported(f"conversion from {source} to {target}")


def _sequence(f: Context, source: t.Seq | t.Bag, target: t.Seq | t.Bag, value: Ref, place: Ref, line: int) -> None:
    number = access.number(f, access.length(f, value))
    if source.capacity > target.capacity:
        name, kind = ("overflow", "error") if target.grow is None else (target.grow, "grow")
        f.check(f.b.compare("sle", number, target.capacity), name, line, kind)
    access.store(f, access.length(f, place), number)
    for i in f.b.count(number):
        fill(f, source.item, target.item, access.item(f, value, i), access.item(f, place, i), line)


def _set(f: Context, source: t.Set, target: t.Set, value: Ref, place: Ref, line: int) -> None:
    for member in sets.each(f, value):
        converted = convert(f, source.item, target.item, domain.at(f, source.item, member), line)
        assert not isinstance(converted, Big)
        sets.insert(f, place, domain.place(f, target.item, converted))
