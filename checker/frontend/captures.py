"""Values that cannot change while a name for them is in scope, and places whose indices are computed once."""

from __future__ import annotations

import ast

from attrs import evolve

from checker.frontend.coerce import temporary
from checker.frontend.scope import Body, Frame
from checker.ir import expressions as e


def stable(body: Body, value: e.Expression) -> bool:
    """Whether an expression keeps its value during a procedure, or as long as an alias of the value exists."""
    match value:
        case e.Const() | e.NoneValue() | e.Domain():
            return True
        case e.Local(_, name):
            return name not in body.assigned
        case e.Field(_, base, _) | e.Ordinal(_, base) | e.Some(_, base):
            return stable(body, base)
        case _:
            return False


def capture(f: Frame, node: ast.AST, place: e.Expression, base: str = "at") -> e.Expression:
    """The place with its indices computed now, each in a local of its own, the outermost index last.  base: a prefix of
    the names of these locals, different for each place that a node captures.
    """
    match place:
        case e.Index(type, inner, key, line):
            inner = capture(f, node, inner, f"{base}.of")
            return e.Index(type, inner, key if stable(f.body, key) else temporary(f, node, key, base), line)
        case e.Field(_, inner):
            return evolve(place, base=capture(f, node, inner, base))
        case e.VariantField(_, inner) | e.Unwrap(_, inner):
            return evolve(place, value=capture(f, node, inner, base))
    return place


def loaded(target: ast.expr) -> ast.expr:
    """The target of an assignment as an expression."""
    return ast.copy_location(type(target)(**{**dict(ast.iter_fields(target)), "ctx": ast.Load()}), target)
