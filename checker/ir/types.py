"""Types of the intermediate representation: finite, immutable, compared by value.

Every type has finitely many values, so that a state has a fixed number of bits.  The run-time value of a *scalar* is
one integer: Bool 0/1, Int its value, Enum and Ids the ordinal from 0.  The canonical order of values (used by loops,
`choose`, sorted bags) is that of `checker.ir.values.key`.
"""

from __future__ import annotations

from attrs import frozen


@frozen
class Type:
    """Base of all types."""


@frozen
class Bool(Type):
    """False, True."""


@frozen
class Int(Type):
    """The integers lo..hi, both included."""

    lo: int
    hi: int


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


@frozen
class Record(Type):
    """Named fields; ordered lexicographically, like a tuple.  A tuple is a record whose fields are "0", "1", ..."""

    name: str
    fields: tuple[tuple[str, Type], ...]


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


@frozen
class Set(Type):
    """Any subset of the enumerable type `item`."""

    item: Type


@frozen
class Seq(Type):
    """At most `capacity` values in order.

    `grow` names the network whose queue it is: an overflow is then no error of the model; the caller enlarges the
    capacity and starts again.
    """

    item: Type
    capacity: int
    grow: str | None = None


@frozen
class Bag(Type):
    """A multiset of at most `capacity` values, copies counted.

    `grow` names the network whose messages it holds: an overflow is then no error of the model; the caller enlarges the
    capacity and starts again.  None: an overflow is a model error.
    """

    item: Type
    capacity: int
    grow: str | None = None
