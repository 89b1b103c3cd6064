"""Terms: what a step leaves in a part of the state, as an expression over places of the state before.

A term is an expression of the intermediate representation over places of the state before and over locals that stand
for what is not known. Two terms that are equal have equal values. What does not depend on an order is written without
one: the greatest of several values, and which items were put into a set or taken out of it. `steps` executes steps on
terms.
"""

from __future__ import annotations

from collections.abc import Sequence

from checker.frozen import frozen
from checker.ir import build
from checker.ir import expressions as e
from checker.ir import types as t
from checker.ir.common import fits


class NotFollowed(Exception):
    """Raised for statements and values that terms cannot express, and for what may be an error."""


@frozen
class Best(e.Expression):
    """The greatest or least (operator: max, min) of several values of a totally ordered type."""

    operator: str
    operands: frozenset[e.Expression]


@frozen
class Changed(e.Expression):
    """A set into which items were put and out of which others were taken; no item is in both."""

    base: e.Expression
    put: frozenset[e.Expression]
    taken: frozenset[e.Expression]


def plain(node: e.Expression) -> e.Expression:
    """A term in which equal numbers are equal constants, whatever the bounds of their types are."""
    return build.integer(node.value) if isinstance(node, e.Const) and isinstance(node.type, t.Int) else node


def constant(term: e.Expression) -> int:
    if not isinstance(term, e.Const):
        raise NotFollowed
    return int(term.value)


def is_decided(term: e.Expression) -> bool:
    return isinstance(term, e.NoneValue | e.Some)


def field_of(kind: t.Type, base: e.Expression, name: str) -> e.Expression:
    if not isinstance(base, e.MakeRecord):
        return e.Field(kind, base, name)
    return base.fields[t.field_number(base.type, name)]


def narrowed(kind: t.Type, given: e.Expression) -> e.Expression:
    """The value, which certainly is one of the type."""
    if isinstance(given, e.Const) and isinstance(kind, t.Int) and kind.lo <= given.value <= kind.hi:
        return given
    if not fits(given.type, kind):
        raise NotFollowed
    return given


def changed(old: e.Expression, items: Sequence[e.Expression], inside: bool) -> e.Expression:
    """A set into which items are put, or out of which they are taken."""
    was = old if isinstance(old, Changed) else Changed(old.type, old, frozenset(), frozenset())
    if not isinstance(was.base, e.Index | e.Variable) or not all(isinstance(x, e.Const) for x in items):
        raise NotFollowed
    put, taken = was.put - {*items}, was.taken - {*items}
    return Changed(was.type, was.base, put | {*items} if inside else put, taken if inside else taken | {*items})


def computed(operator: str, left: e.Expression, right: e.Expression) -> e.Expression:
    if operator in ("max", "min"):
        return best(operator, left, right)
    if operator not in ("+", "-", "*"):
        raise NotFollowed
    return build.arithmetic(operator, left, right)


def best(operator: str, *terms: e.Expression) -> e.Expression:
    each = [x.operands if isinstance(x, Best) and x.operator == operator else {x} for x in terms]
    operands = frozenset[e.Expression]().union(*each)
    kinds = [x.type for x in terms]
    kind = build.interval(operator, *kinds) if isinstance(kinds[0], t.Int) else kinds[0]  # type: ignore[arg-type]
    return next(iter(operands)) if len(operands) == 1 else Best(kind, operator, operands)
