"""Immutable values: identities and records.

A record is a tuple whose fields have names; values are frozen when they are put into one.  Collections are in
`checker.language.containers`.
"""

from __future__ import annotations

from typing import Any

from checker.language.choice import order
from checker.language.errors import ModelError


class Id:
    """A named identity such as p1; `index` is its place from 0."""

    __slots__ = ("family", "index", "name", "symmetric")

    def __init__(self, family: str, index: int, name: str, symmetric: bool) -> None:
        self.family, self.index, self.name, self.symmetric = family, index, name, symmetric

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Id) and self.index == other.index and self.family == other.family

    def __hash__(self) -> int:
        return self.index

    def __repr__(self) -> str:
        return self.name

    def canonical(self) -> int:
        """Sort key of the canonical order."""
        return self.index

    def _comparable(self, other: object) -> int:
        if not isinstance(other, Id) or other.family != self.family:
            raise ModelError(f"{self!r} is compared with {other!r}, which is of another type")
        if self.symmetric:
            raise ModelError(f"{self.family} is symmetric: its members have no order")
        return other.index

    def __lt__(self, other: object) -> bool:
        return self.index < self._comparable(other)

    # written out: a frame of functools in between would be taken for the place of an error
    def __le__(self, other: object) -> bool:
        return self.index <= self._comparable(other)

    def __gt__(self, other: object) -> bool:
        return self.index > self._comparable(other)

    def __ge__(self, other: object) -> bool:
        return self.index >= self._comparable(other)


class RecordValue(tuple[Any, ...]):
    """An immutable record: a tuple whose fields have names."""

    __slots__ = ()
    domain: Any
    names: tuple[str, ...] = ()

    def __new__(cls, *args: Any, **fields: Any) -> RecordValue:
        values = list(args)
        for name in cls.names[len(args) :]:
            if name not in fields:
                raise ModelError(f"{cls.__name__} needs a value for {name}")
            values.append(fields.pop(name))
        if fields or len(values) != len(cls.names):
            raise ModelError(f"{cls.__name__} has the fields {', '.join(cls.names) or '(none)'}")
        return tuple.__new__(cls, [d.freeze(v) for d, v in zip(cls.domain.parts, values)])

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"{type(self).__name__} has no field {name}")

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(map(repr, self))})"

    def canonical(self) -> Any:
        """Sort key of the canonical order."""
        return tuple(map(order, self))

    def _comparable(self, other: object) -> Any:
        """The sort key of what this record is compared with.  None has no order, as it has none beside a number."""
        if other is None:
            raise ModelError("none has no value")
        return order(other)

    def __lt__(self, other: Any) -> bool:
        return bool(self.canonical() < self._comparable(other))

    def __le__(self, other: Any) -> bool:
        return bool(self.canonical() <= self._comparable(other))

    def __gt__(self, other: Any) -> bool:
        return bool(self.canonical() > self._comparable(other))

    def __ge__(self, other: Any) -> bool:
        return bool(self.canonical() >= self._comparable(other))


class VariantValue(RecordValue):
    """A value of one variant of a union; variants with equal fields differ."""

    __slots__ = ()
    variant_place: int = 0

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and tuple.__eq__(self, other)  # type: ignore[arg-type]

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash((self.variant_place, tuple(self)))

    def canonical(self) -> Any:
        """Sort key of the canonical order: by variant, then by fields."""
        return (self.variant_place, *map(order, self))
