"""Symbolic sequences and bags: (length, slots), with places that may be unknown."""

from __future__ import annotations

from checker.backends.smt import scalars as c
from checker.backends.smt.values import Value, equal, less, pick, select, zero
from checker.ir import types as t


def item_of(type: t.Type) -> t.Type:
    """The type of the items."""
    assert isinstance(type, t.Seq | t.Bag)
    return type.item


def capacity_of(type: t.Type) -> int:
    """The number of slots."""
    assert isinstance(type, t.Seq | t.Bag)
    return type.capacity


def concatenated(type: t.Type, left: t.Type, a: Value, right: t.Type, b: Value) -> Value:
    """a + b; the type has room for both."""
    item, capacity = item_of(type), capacity_of(type)
    slots = []
    for i in range(capacity):
        own = a[1][i] if i < len(a[1]) else zero(item)
        other = select(item, b[1], c.arithmetic("-", i, a[0])) if b[1] else zero(item)
        slots.append(pick(c.less(i, a[0]), own, other))
    return c.fitted(c.arithmetic("+", a[0], b[0]), 0, capacity), tuple(slots)


def sliced(type: t.Type, kind: t.Type, value: Value, start: c.Int, stop: c.Int | None) -> Value:
    """value[start:stop] for non-negative bounds."""
    item, capacity = item_of(type), capacity_of(type)
    end = value[0] if stop is None else c.arithmetic("min", value[0], stop)
    length = c.arithmetic("max", 0, c.arithmetic("-", end, start))
    slots = tuple(select(item, value[1], c.arithmetic("+", start, i)) for i in range(capacity))
    return c.fitted(length, 0, max(capacity, len(value[1]))), slots


def inserted(type: t.Type, value: Value, place: c.Int, item: Value) -> Value:
    """The sequence with an item inserted before a place (the length: at the end); there is room."""
    slots = []
    for i, old in enumerate(value[1]):
        before = value[1][i - 1] if i else item
        slots.append(pick(c.less(i, place), old, pick(c.equal(place, i), item, before)))
    return c.fitted(c.arithmetic("+", value[0], 1), 0, capacity_of(type)), tuple(slots)


def appended(type: t.Type, value: Value, item: Value) -> Value:
    """The sequence with one more item; there is room."""
    slots = tuple(pick(c.equal(value[0], i), item, old) for i, old in enumerate(value[1]))
    return c.fitted(c.arithmetic("+", value[0], 1), 0, capacity_of(type)), slots


def removed(type: t.Type, value: Value, place: c.Int) -> Value:
    """The sequence without the item at an existing place."""
    slots = []
    for i, old in enumerate(value[1]):
        after = value[1][i + 1] if i + 1 < len(value[1]) else old
        slots.append(pick(c.less(i, place), old, after))
    return c.fitted(c.arithmetic("-", value[0], 1), 0, capacity_of(type)), tuple(slots)


def kept(type: t.Type, value: Value, keep: list[c.Bit]) -> Value:
    """The items whose slots are marked, in order."""
    result: Value = (0, (zero(item_of(type)),) * capacity_of(type))
    for i, (slot, wanted) in enumerate(zip(value[1], keep)):
        here = c.conjunction([wanted, c.less(i, value[0])])
        result = pick(here, appended(type, result, slot), result)
    return result


def sorted_place(type: t.Type, bag: Value, item: Value) -> c.Int:
    """The place of an item in a sorted bag: after all items that are not greater."""
    kind = item_of(type)
    return c.count(
        c.conjunction([c.less(i, bag[0]), c.negation(less(kind, item, slot))]) for i, slot in enumerate(bag[1])
    )


def first_place(type: t.Type, value: Value, item: Value) -> tuple[c.Bit, c.Int]:
    """Whether an item occurs, and its first place."""
    kind = item_of(type)
    hits = [c.conjunction([c.less(i, value[0]), equal(kind, slot, kind, item)]) for i, slot in enumerate(value[1])]
    place: c.Int = 0
    for i in reversed(range(len(hits))):
        place = c.pick_integer(hits[i], i, place)
    return c.disjunction(hits), place


def distinct(type: t.Type, bag: Value) -> list[c.Bit]:
    """For each slot of a sorted bag whether it is the first with its item."""
    kind, marks = item_of(type), []
    for i, slot in enumerate(bag[1]):
        new = True if i == 0 else c.negation(equal(kind, bag[1][i - 1], kind, slot))
        marks.append(c.conjunction([c.less(i, bag[0]), new]))
    return marks
