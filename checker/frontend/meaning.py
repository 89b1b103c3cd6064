"""Meanings of a name or attribute other than values of the state machine: things that are known while lowering.

Types, strings, methods and networks have no run-time value; constants fold.
"""

from __future__ import annotations

from typing import Any

from checker.frozen import frozen
from checker.ir import expressions as e
from checker.ir import types as t
from checker.language.definition import MethodDefinition, NetworkDefinition
from checker.language.domains import Domain


class Meaning:
    """Base of meanings that are known while lowering and are no expressions."""


Result = e.Expression | Meaning
"""The meaning of a Python expression."""


@frozen(eq=False)
class TypeName(Meaning):
    """A named type: self.Process, an Enum class."""

    domain: Domain
    type: t.Type


@frozen
class VariantName(Meaning):
    """One variant of a union: self.Wire.Data."""

    union: t.Union
    variant: str

    @property
    def record(self) -> t.Record:
        """The variant's fields."""
        return next(v for v in self.union.variants if v.name == self.variant)


@frozen
class Literal(Meaning):
    """A string, or a tuple of constants."""

    value: Any


@frozen
class Self(Meaning):
    """The model (or property) object; `before` is its state before the step."""

    before: bool = False


@frozen(eq=False)
class Net(Meaning):
    """A network variable."""

    network: NetworkDefinition
    before: bool = False


@frozen(eq=False)
class Method(Meaning):
    """A rule or helper, to be called."""

    method: MethodDefinition
    key: str
    before: bool = False


@frozen
class Emit(Meaning):
    """self.emit, and with a name self.emit.deliver."""

    event: str | None = None


@frozen
class Builtin(Meaning):
    """A Python builtin, or require or choose."""

    name: str


@frozen
class Bound(Meaning):
    """A method of a collection value: self.held[p].add."""

    value: e.Expression
    name: str


@frozen(eq=False)
class NetBound(Meaning):
    """An operation of a network: self.net.send."""

    net: Net
    name: str


@frozen(eq=False)
class Super(Meaning):
    """super() inside a method of an edit."""


@frozen
class Enumerated(Meaning):
    """enumerate(x, start), zip(x, y), reversed(x): iterables over the places of sequences; `kind` is the name of the
    function.
    """

    kind: str
    sequences: tuple[e.Expression, ...]
    start: int = 0


@frozen
class Stepped(Meaning):
    """range(start, stop, step) with a constant step other than 1."""

    start: e.Expression
    stop: e.Expression
    step: int


@frozen(eq=False)
class Nothing(Meaning):
    """The result of a call that returns nothing."""


@frozen(eq=False)
class Between(Meaning):
    """The messages in flight from one process to another on an unordered network."""

    net: Net
    source: e.Expression
    target: e.Expression


@frozen(eq=False)
class BetweenCount(Meaning):
    """net.between(p, q).count, to be called."""

    between: Between
