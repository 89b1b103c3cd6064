"""Parts of the state that a step reads or writes.

A part is a variable with the keys of its maps, as far as they are known: `held[p1][m1.1]`, `held[p1][*]`, `held`, and
`held[p1][m1.1 or m2.1]` where the key is one of a few.  The membership of one value in a set is a separate part,
because adding another value does not change it.  Fields of records, items of sequences and contents of optionals are
not separate parts.
"""

from __future__ import annotations

from checker.frozen import frozen
from checker.ir.footprints.shapes import Known, OneOf, Shape
from checker.ir.values import Raw


class _Any:
    """An unknown key."""

    def __repr__(self) -> str:
        return "*"


ANY = _Any()


@frozen
class At:
    """The element of a map at a key."""

    key: Raw


@frozen
class Member:
    """Whether a set has this member."""

    item: Raw


@frozen
class Part:
    """A part of a variable; no path: all of it."""

    variable: str
    path: tuple[At | Member, ...] = ()

    @property
    def exact(self) -> bool:
        """Whether all keys on the way are known."""
        return not any(_open(step.key if isinstance(step, At) else step.item) for step in self.path)

    def overlaps(self, other: Part) -> bool:
        """Whether the two may have something in common."""
        if self.variable != other.variable:
            return False
        return all(_meets(a, b) for a, b in zip(self.path, other.path))

    def covers(self, other: Part) -> bool:
        """Whether the other is certainly within this one."""
        return self.exact and self.variable == other.variable and other.path[: len(self.path)] == self.path


def _open(key: Raw) -> bool:
    return key is ANY or isinstance(key, OneOf)


def _meets(a: At | Member, b: At | Member) -> bool:
    x = a.key if isinstance(a, At) else a.item
    y = b.key if isinstance(b, At) else b.item
    if x is ANY or y is ANY:
        return True
    some, others = (k.raws if isinstance(k, OneOf) else {k} for k in (x, y))
    return not some.isdisjoint(others)


def key_of(shape: Shape) -> Raw:
    """The key of a part, as far as it is known."""
    return shape.raw if isinstance(shape, Known) else shape if isinstance(shape, OneOf) else ANY


def member(of: Part, item: Shape) -> Part:
    """Whether a value is in a set that is a part of the state."""
    return Part(of.variable, (*of.path, Member(key_of(item))))
