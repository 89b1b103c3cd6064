"""Symbolic values of the types of the intermediate representation: trees of scalars, one fixed form for each type.

    Bool -> truth value              Int, Enum, Ids -> integer (ordinal)       Optional -> (present, value)
    Record -> tuple                  Union -> (number of the variant, a tuple of fields for each variant)
    Map -> tuple, one for each key   Set -> tuple of truth values, one for each possible member
    Seq, Bag -> (length, tuple of slots); a Bag is kept sorted

Scalars inside none, of another variant, or beyond the length are arbitrary; `equal` does not compare them.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import z3

from checker.backends.smt import scalars as c
from checker.ir import types as t
from checker.ir.values import Raw, values
from checker.ir.values import zero as raw_zero

Value = Any


@lru_cache(maxsize=1024)
def members(type: t.Type) -> tuple[Raw, ...]:
    """The raw values of an enumerable type in canonical order."""
    return tuple(values(type))


def interval(type: t.Type) -> tuple[int, int]:
    """Least and greatest value of an Int, Enum or Ids."""
    match type:
        case t.Int(lo, hi):
            return lo, hi
        case t.Enum(_, names) | t.Ids(_, names, _):
            return 0, len(names) - 1
    raise TypeError(type)


# Making


def lift(type: t.Type, raw: Raw) -> Value:
    """The symbolic value of a raw one."""
    match type:
        case t.Bool():
            return bool(raw)
        case t.Optional(item):
            return (False, zero(item)) if raw is None else (True, lift(item, raw))
        case t.Record(_, fields):
            return tuple(lift(f, r) for (_, f), r in zip(fields, raw))
        case t.Union(_, variants):
            return raw[0], tuple(lift(v, raw[1]) if i == raw[0] else zero(v) for i, v in enumerate(variants))
        case t.Map(_, value):
            return tuple(lift(value, r) for r in raw)
        case t.Set(item):
            return tuple(r in raw for r in members(item))
        case t.Seq(item, capacity, _) | t.Bag(item, capacity, _):
            return len(raw), (*(lift(item, r) for r in raw), *(zero(item),) * (capacity - len(raw)))
    return raw


@lru_cache(maxsize=1024)
def zero(type: t.Type) -> Value:
    """A known value of the type: the initial one."""
    return lift(type, raw_zero(type))


def fresh(type: t.Type, name: str) -> Value:
    """An unknown value, whose scalars are named after it; `valid` states that it is of the type."""
    match type:
        case t.Bool():
            return z3.Bool(name)
        case t.Optional(item):
            return z3.Bool(f"{name}?"), fresh(item, f"{name}!")
        case t.Record(_, fields):
            return tuple(fresh(f, f"{name}.{n}") for n, f in fields)
        case t.Union(_, variants):
            return _scalar(0, len(variants) - 1, f"{name}#"), tuple(fresh(v, f"{name}.{v.name}") for v in variants)
        case t.Map(key, value):
            return tuple(fresh(value, f"{name}[{i}]") for i in range(len(members(key))))
        case t.Set(item):
            return tuple(z3.Bool(f"{name}{{{i}}}") for i in range(len(members(item))))
        case t.Seq(item, capacity, _) | t.Bag(item, capacity, _):
            return _scalar(0, capacity, f"{name}#"), tuple(fresh(item, f"{name}<{i}>") for i in range(capacity))
    return _scalar(*interval(type), name)


def scalars(value: Any) -> Iterator[Any]:
    """The unknown scalars of a value, or of the values of a state, in a fixed order."""
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, tuple) else (value,):
        if isinstance(part, tuple):
            yield from scalars(part)
        elif not isinstance(part, (bool, int)):
            yield part


def _scalar(lo: int, hi: int, name: str) -> Value:
    return lo if lo == hi else z3.BitVec(name, c.width(lo, hi))


def valid(type: t.Type, value: Value) -> c.Bit:
    """Whether a value of the type's form is in its range: bounds of integers, lengths, the order of bags."""
    match type:
        case t.Bool() | t.Set():
            return True
        case t.Optional(item):
            return c.implies(value[0], valid(item, value[1]))
        case t.Record(_, fields):
            return c.conjunction(valid(f, v) for (_, f), v in zip(fields, value))
        case t.Union(_, variants):
            held = [c.implies(c.equal(value[0], i), valid(v, value[1][i])) for i, v in enumerate(variants)]
            return c.conjunction([c.between(value[0], 0, len(variants) - 1), *held])
        case t.Map(_, item):
            return c.conjunction(valid(item, v) for v in value)
        case t.Seq(item, capacity, _):
            return c.conjunction([c.between(value[0], 0, capacity), *_valid_slots(item, value)])
        case t.Bag(item, capacity, _):
            ordered = [
                c.implies(c.less(i + 1, value[0]), c.negation(less(item, value[1][i + 1], value[1][i])))
                for i in range(capacity - 1)
            ]
            return c.conjunction([c.between(value[0], 0, capacity), *_valid_slots(item, value), *ordered])
    return c.between(value, *interval(type))


def _valid_slots(item: t.Type, value: Value) -> Iterator[c.Bit]:
    return (c.implies(c.less(i, value[0]), valid(item, v)) for i, v in enumerate(value[1]))


# Choosing between values


def pick(condition: c.Bit, a: Value, b: Value) -> Value:
    """a where the condition holds, else b; both are of one type."""
    if condition is True or a is b:
        return a
    if condition is False:
        return b
    if isinstance(a, tuple):
        return tuple(pick(condition, x, y) for x, y in zip(a, b))
    unknown = b if c.known(a) else a
    truth = isinstance(a, bool) and isinstance(b, bool) if c.known(unknown) else z3.is_bool(unknown)
    return c.pick_truth(condition, a, b) if truth else c.pick_integer(condition, a, b)


def select(type: t.Type, slots: tuple[Value, ...], place: c.Int) -> Value:
    """The value in the slot at a place (arbitrary if there is none)."""
    if not slots:
        return zero(type)
    if isinstance(place, int):
        return slots[place] if 0 <= place < len(slots) else slots[0]
    result = slots[-1]
    for i in reversed(range(len(slots) - 1)):
        result = pick(c.equal(place, i), slots[i], result)
    return result


def put(slots: tuple[Value, ...], place: c.Int, value: Value) -> tuple[Value, ...]:
    """The slots with another value at a place."""
    return tuple(pick(c.equal(place, i), value, old) for i, old in enumerate(slots))


def place_of(type: t.Type, value: Value) -> c.Int:
    """Place of a value of an enumerable type among its members."""
    match type:
        case t.Bool():
            return c.as_integer(value)
        case t.Int(lo, _):
            return c.arithmetic("-", value, lo)
        case t.Enum() | t.Ids():
            return value
    result: c.Int = 0
    for i, raw in enumerate(members(type)):
        result = c.pick_integer(equal(type, value, type, lift(type, raw)), i, result)
    return result


# Comparing


def equal(kind: t.Type, a: Value, other: t.Type, b: Value) -> c.Bit:
    """a == b of like types, whose bounds and capacities may differ."""
    match kind, other:
        case t.Bool(), t.Bool():
            return c.same_truth(a, b)
        case t.Optional(x), t.Optional(y):
            return c.conjunction([c.same_truth(a[0], b[0]), c.implies(a[0], equal(x, a[1], y, b[1]))])
        case t.Record(_, xs), t.Record(_, ys):
            return c.conjunction(equal(x, p, y, q) for (_, x), p, (_, y), q in zip(xs, a, ys, b))
        case t.Union(_, xs), t.Union(_, ys):
            held = [c.implies(c.equal(a[0], i), equal(x, a[1][i], y, b[1][i])) for i, (x, y) in enumerate(zip(xs, ys))]
            return c.conjunction([c.equal(a[0], b[0]), *held])
        case t.Map(_, x), t.Map(_, y):
            return c.conjunction(equal(x, p, y, q) for p, q in zip(a, b))
        case t.Set(x), t.Set(y):
            return c.conjunction(c.same_truth(p, q) for p, q in memberships(x, a, y, b))
        case t.Seq(x, _, _) | t.Bag(x, _, _), t.Seq(y, _, _) | t.Bag(y, _, _):
            slots = [c.implies(c.less(i, a[0]), equal(x, p, y, q)) for i, (p, q) in enumerate(zip(a[1], b[1]))]
            return c.conjunction([c.equal(a[0], b[0]), *slots])
    return c.equal(a, b)


def memberships(x: t.Type, a: Value, y: t.Type, b: Value) -> Iterator[tuple[c.Bit, c.Bit]]:
    """For each possible member of either set, whether the first and the second set contain it."""
    if x == y:
        yield from zip(a, b)
        return
    left, right = dict(zip(members(x), a)), dict(zip(members(y), b))
    for raw in dict.fromkeys((*left, *right)):
        yield left.get(raw, False), right.get(raw, False)


def less(type: t.Type, a: Value, b: Value, other: t.Type | None = None) -> c.Bit:
    """a < b in canonical order."""
    other = other or type
    match type, other:
        case t.Bool(), _:
            return c.conjunction([c.negation(a), b])
        case t.Optional(x), t.Optional(y):
            inner = c.conjunction([a[0], less(x, a[1], b[1], y)])
            return c.conjunction([b[0], c.disjunction([c.negation(a[0]), inner])])
        case t.Record(_, xs), t.Record(_, ys):
            return lexicographic([(less(x, p, q, y), equal(x, p, y, q)) for (_, x), p, (_, y), q in zip(xs, a, ys, b)])
        case t.Union(_, xs), t.Union(_, ys):
            inside = [
                c.conjunction([c.equal(a[0], i), less(x, a[1][i], b[1][i], y)]) for i, (x, y) in enumerate(zip(xs, ys))
            ]
            return lexicographic([(c.less(a[0], b[0]), c.equal(a[0], b[0])), (c.disjunction(inside), True)])
        case t.Map(_, x), t.Map(_, y):
            return lexicographic([(less(x, p, q, y), equal(x, p, y, q)) for p, q in zip(a, b)])
        case t.Set(x), t.Set(y):
            pairs = reversed(list(memberships(x, a, y, b)))
            return lexicographic([(c.conjunction([c.negation(p), q]), c.same_truth(p, q)) for p, q in pairs])
        case t.Seq(x, _, _) | t.Bag(x, _, _), t.Seq(y, _, _) | t.Bag(y, _, _):
            slots = [
                (
                    c.conjunction([c.less(i, a[0]), less(x, p, q, y)]),
                    c.disjunction([c.negation(c.less(i, a[0])), equal(x, p, y, q)]),
                )
                for i, (p, q) in enumerate(zip(a[1], b[1]))
            ]
            return lexicographic([(c.less(a[0], b[0]), c.equal(a[0], b[0])), *slots])
    return c.less(a, b)


def lexicographic(parts: list[tuple[c.Bit, c.Bit]]) -> c.Bit:
    """Whether the first unequal part is less; parts are (less, equal)."""
    result: c.Bit = False
    for lower, same in reversed(parts):
        result = c.disjunction([lower, c.conjunction([same, result])])
    return result


# Reading back


def read(type: t.Type, value: Value, model: Any) -> Raw:
    """The raw value in a solution."""
    match type:
        case t.Bool():
            return int(value if isinstance(value, bool) else z3.is_true(model.eval(value, model_completion=True)))
        case t.Optional(item):
            return read(item, value[1], model) if read(t.Bool(), value[0], model) else None
        case t.Record(_, fields):
            return tuple(read(f, v, model) for (_, f), v in zip(fields, value))
        case t.Union(_, variants):
            number = _number(value[0], model)
            return number, read(variants[number], value[1][number], model)
        case t.Map(_, item):
            return tuple(read(item, v, model) for v in value)
        case t.Set(item):
            return frozenset(r for r, v in zip(members(item), value) if read(t.Bool(), v, model))
        case t.Seq(item, _, _) | t.Bag(item, _, _):
            return tuple(read(item, v, model) for v in value[1][: _number(value[0], model)])
    return _number(value, model)


def _number(value: c.Int, model: Any) -> int:
    return value if isinstance(value, int) else int(model.eval(value, model_completion=True).as_signed_long())


def fingerprint(value: Value) -> Any:
    """A hashable key that distinguishes values: known scalars and the identities of terms."""
    if isinstance(value, tuple):
        return tuple(map(fingerprint, value))
    return (type(value).__name__, value) if isinstance(value, (bool, int)) else value.get_id()
