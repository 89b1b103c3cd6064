"""What is known of a value before the model runs: all of it, some of its parts, or nothing.

Values are abstract in the sense of abstract interpretation (P. Cousot and R. Cousot, POPL 1977), in the simplest
lattice that distinguishes the parts of a message: a constant, one of a few constants, a record or variant with known
parts, a set or sequence of a few constants, anything.  Where it stops: a map is known exactly or not at all.
"""

from __future__ import annotations

from checker.frozen import frozen
from checker.ir import types as t
from checker.ir.values import Raw


class Shape:
    """What is known of a value; the class itself: nothing."""


@frozen
class Known(Shape):
    """The value is this one."""

    raw: Raw


@frozen
class Parts(Shape):
    """A record with these fields."""

    fields: tuple[Shape, ...]


@frozen
class Case(Shape):
    """A union with this variant and these fields."""

    variant: int
    fields: tuple[Shape, ...]


@frozen
class Present(Shape):
    """An optional that is not none."""

    item: Shape


@frozen
class OneOf(Shape):
    """A number or identity among these."""

    raws: frozenset[Raw]


@frozen
class Within(Shape):
    """A set or sequence that has no other items than these."""

    raws: frozenset[Raw]


@frozen
class _Anything(Shape):
    pass


ANYTHING: Shape = _Anything()
TRUE, FALSE = Known(1), Known(0)
MOST_KEPT = 64
"""The largest number of values that are distinguished."""


def one_of(raws: frozenset[Raw]) -> Shape:
    """One of some values, of which there is at least one."""
    if len(raws) == 1:
        return Known(next(iter(raws)))
    return OneOf(raws) if len(raws) <= MOST_KEPT else ANYTHING


def within(raws: frozenset[Raw]) -> Shape:
    """A set or sequence of some of these values."""
    return Within(raws) if len(raws) <= MOST_KEPT else ANYTHING


def options(shape: Shape) -> frozenset[Raw] | None:
    """The possible numbers or identities of a value; None if unknown."""
    match shape:
        case Known(int() as raw):
            return frozenset({raw})
        case OneOf(raws):
            return raws
    return None


def contents(shape: Shape, kind: t.Type) -> frozenset[Raw] | None:
    """The numbers or identities that may be in a set or sequence of a type; None if unknown."""
    if isinstance(shape, Within):
        return shape.raws
    of_numbers = isinstance(kind, t.Set | t.Seq) and kind.item.__class__ in t.SCALARS
    return frozenset(shape.raw) if of_numbers and isinstance(shape, Known) else None


def record(fields: tuple[Shape, ...]) -> Shape:
    """A record of these parts."""
    known = [f.raw for f in fields if isinstance(f, Known)]
    return Known(tuple(known)) if len(known) == len(fields) else Parts(fields)


def case(variant: int, fields: tuple[Shape, ...]) -> Shape:
    """A variant with these parts."""
    whole = record(fields)
    return Known((variant, whole.raw)) if isinstance(whole, Known) else Case(variant, fields)


def present(item: Shape) -> Shape:
    """An optional with this item."""
    return item if isinstance(item, Known) and item.raw is not None else Present(item)


def field(shape: Shape, type: t.Record, name: str) -> Shape:
    """A field of a record."""
    number = t.field_number(type, name)
    match shape:
        case Known(raw):
            return Known(raw[number])
        case Parts(fields):
            return fields[number]
    return ANYTHING


def variant_field(shape: Shape, type: t.Union, variant: str, name: str) -> Shape:
    """A field of a variant; anything if the value has another variant, which is an error."""
    held = t.variant_number(type, variant)
    number = t.field_number(type.variants[held], name)
    match shape:
        case Known((kind, parts)) if kind == held:
            return Known(parts[number])
        case Case(kind, fields) if kind == held:
            return fields[number]
    return ANYTHING


def is_variant(shape: Shape, type: t.Union, variant: str) -> Shape:
    """Whether a union holds a variant."""
    held = t.variant_number(type, variant)
    match shape:
        case Known((kind, _)) | Case(kind, _):
            return Known(int(kind == held))
    return ANYTHING


def is_none(shape: Shape) -> Shape:
    """Whether an optional is none."""
    match shape:
        case Known(raw):
            return Known(int(raw is None))
        case Present():
            return FALSE
    return ANYTHING


def unwrap(shape: Shape) -> Shape:
    """The item of an optional; anything if it is none, which is an error."""
    match shape:
        case Known(raw) if raw is not None:
            return shape
        case Present(item):
            return item
    return ANYTHING


def join(a: Shape, b: Shape) -> Shape:
    """What is known of a value that has one of two shapes."""
    if a == b:
        return a
    match a, b:
        case Parts(xs), Parts(ys):
            return record(tuple(map(join, xs, ys)))
        case Case(m, xs), Case(n, ys) if m == n:
            return case(m, tuple(map(join, xs, ys)))
        case Present(x), Present(y):
            return present(join(x, y))
        case Within(xs), Within(ys):
            return within(xs | ys)
        case (Within(xs), Known(frozenset() as ys)) | (Known(frozenset() as ys), Within(xs)):
            return within(xs | ys)
    found = [options(a), options(b)]
    return ANYTHING if None in found else one_of(frozenset().union(*(x for x in found if x is not None)))
