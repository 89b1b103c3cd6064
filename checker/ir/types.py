"""Types of the intermediate representation: finite, immutable, compared by value; `str` is the text of the type in a
model.

Every type has finitely many values, so that a state has a fixed number of bits.  The run-time value of a *scalar* is
one integer: Bool 0/1, Int its value, Enum and Ids the ordinal from 0.  The canonical order of values (used by loops,
`choose`, sorted bags) is that of `checker.ir.values.key`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from attrs import evolve

from checker.frozen import frozen


@frozen
class Type:
    """Base of all types."""

    def __str__(self) -> str:
        return str(getattr(self, "name", self.__class__.__name__))


@frozen
class Bool(Type):
    """False, True."""


@frozen
class Int(Type):
    """The integers lo..hi, both included."""

    lo: int
    hi: int

    def __str__(self) -> str:
        return str(self.lo) if self.lo == self.hi else f"Int({self.lo}, {self.hi})"


@frozen
class Enum(Type):
    """A Python enumeration; a value is the ordinal of its member in definition order."""

    name: str
    members: tuple[str, ...]


@frozen
class Ids(Type):
    """Named identities.  Symmetric identities can only be compared for equality, index maps and be members of sets."""

    name: str
    members: tuple[str, ...]
    symmetric: bool = False


@frozen
class Optional(Type):
    """None, or a value of `item`.  None comes first in the canonical order."""

    item: Type

    def __str__(self) -> str:
        return f"Optional[{self.item}]"


@frozen
class Record(Type):
    """Named fields; ordered lexicographically, like a tuple.  A tuple is a record whose fields are "0", "1", ..."""

    name: str
    fields: tuple[tuple[str, Type], ...]

    def __str__(self) -> str:
        return self.name or f"({', '.join(str(f) for _, f in self.fields)})"


@frozen
class Union(Type):
    """A tagged union: one of several records.  Ordered by variant, then by fields."""

    name: str
    variants: tuple[Record, ...]


@frozen
class Map(Type):
    """A total function.  `key` is enumerable (see `checker.ir.domain.size`)."""

    key: Type
    value: Type

    def __str__(self) -> str:
        return f"Map[{self.key}, {self.value}]"


@frozen
class Set(Type):
    """Any subset of the enumerable type `item`."""

    item: Type

    def __str__(self) -> str:
        return f"Set[{self.item}]"


@frozen
class Seq(Type):
    """At most `capacity` values in order.

    `grow`: the name of the network whose queue it is; an overflow is then no error of the model, but the caller
    enlarges the capacity and starts again.
    """

    item: Type
    capacity: int
    grow: str | None = None

    def __str__(self) -> str:
        return f"Seq[{self.item}, {self.capacity}]"


@frozen
class Bag(Type):
    """A multiset of at most `capacity` values, copies counted; `grow`: as of Seq, the network whose messages it
    holds."""

    item: Type
    capacity: int
    grow: str | None = None

    def __str__(self) -> str:
        return f"Bag[{self.item}, {self.capacity}]"


# -- what types are made of

SCALARS = frozenset({Bool, Int, Enum, Ids})


def parts(type: Type) -> tuple[Type, ...]:
    """The types of the direct parts of a type's values; for a map the key first."""
    if type.__class__ in SCALARS:  # most are
        return ()
    match type:
        case Optional(item) | Set(item) | Seq(item) | Bag(item):
            return (item,)
        case Map(key, value):
            return (key, value)
        case Record(_, fields):
            return tuple(f for _, f in fields)
        case Union(_, variants):
            return variants
    return ()


def with_parts(type: Type, new: Sequence[Type]) -> Type:
    """The type made of other parts."""
    match type:
        case Map():
            return evolve(type, key=new[0], value=new[1])
        case Record(_, fields):
            return evolve(type, fields=tuple((name, part) for (name, _), part in zip(fields, new)))
        case Union():
            return evolve(type, variants=tuple(part for part in new if isinstance(part, Record)))
        case Optional() | Set() | Seq() | Bag():
            return evolve(type, item=new[0])
    return type


def field_number(type: Type, name: str) -> int:
    """The place of a field of a record."""
    assert isinstance(type, Record)
    return [n for n, _ in type.fields].index(name)


def variant_number(type: Type, name: str) -> int:
    """The place of a variant of a union."""
    assert isinstance(type, Union)
    return [v.name for v in type.variants].index(name)


def walk(type: Type) -> Iterator[Type]:
    """A type and everything in it, outer ones first."""
    yield type
    for part in parts(type):
        yield from walk(part)


def mapped(type: Type, change: Callable[[Type], Type]) -> Type:
    """The type with all types in it replaced by a function, inner ones first; the type itself if all remain the same
    objects.
    """
    old = parts(type)
    if not old:
        return change(type)
    new = [mapped(part, change) for part in old]
    return change(with_parts(type, new) if any(a is not b for a, b in zip(old, new)) else type)
