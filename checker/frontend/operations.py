"""Refusals that rest on the kinds of collections: operations that Python does not define, and values without a truth
value."""

from __future__ import annotations

import ast

from checker.frontend import kinds
from checker.frontend.kinds import Kind
from checker.frontend.scope import Frame
from checker.ir import build
from checker.ir import expressions as e
from checker.ir import types as t


def require(f: Frame, node: ast.AST, operation: str, type: t.Type) -> None:
    """Refuse an operation that is not defined for every kind of this collection."""
    if found := kinds.refused(operation, type.item if isinstance(type, t.Optional) else type):
        f.refuse(node, *found)


def result(f: Frame, node: ast.AST, operation: str, left: t.Type, right: t.Type) -> tuple[Kind, ...]:
    """The kinds of the result of an operation on two collections; raises Refused if some pair of kinds does not have
    it.
    """
    found = kinds.combined(operation, left, right)
    if isinstance(found, tuple):
        f.refuse(node, *found)
    return tuple(found)


def require_comparable(f: Frame, node: ast.AST, left: t.Type, right: t.Type) -> None:
    """Refuse a comparison that is false in Python for all values."""
    if found := kinds.unequal(left, right):
        f.refuse(node, *found)


def require_hashable(f: Frame, node: ast.AST, value: e.Expression) -> None:
    """Refuse a member of a set made in a method that Python cannot hash: a mutable one."""
    if found := _unhashable(f, value, value.type):
        remedy = "Write frozenset(...) or tuple(...) around it."
        f.refuse(node, f"a {found.value} is a member of a set made here, and can change", remedy)


def _unhashable(f: Frame, value: e.Expression, type: t.Type) -> Kind | None:
    match type:
        case t.Optional(item):
            return _unhashable(f, value, item)
        case t.Record(""):
            return next((found for part in build.parts(value) if (found := _unhashable(f, part, part.type))), None)
    never = kinds.of(type) & {Kind.LIST, Kind.MADE, Kind.DICT}
    if never:
        return min(never, key=str)
    perhaps = kinds.of(type) & {Kind.SEQ, Kind.SET, Kind.MAP, Kind.BAG}
    return min(perhaps, key=str) if perhaps and not _inside(f, value) else None


def _inside(f: Frame, value: e.Expression) -> bool:
    """Whether a collection is certainly a value inside another one, which never changes."""
    match value:
        case e.Field() | e.VariantField():
            return True
        case e.Index(_, base, _, _):
            return isinstance(base.type, t.Seq) and kinds.of(base.type) == {Kind.SEQ} or _inside(f, base)
        case e.Unwrap(_, inner, _) | e.Narrow(_, inner, _) | e.Some(_, inner):
            return _inside(f, inner)
        case e.Local(_, name):
            return name in f.body.owners and not f.body.owners[name].itself
    return False
