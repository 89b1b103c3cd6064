"""Walking lowered bodies: which functions are called, which variables are written."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import attrs

from checker.frontend import lattice
from checker.ir import expressions as e
from checker.ir import model as m
from checker.ir import statements as s
from checker.ir import types as t


def walk(node: Any) -> Iterator[Any]:
    """Every expression, generator and statement inside."""
    pending = [node]
    while pending:
        at = pending.pop()
        if isinstance(at, tuple | list):
            pending.extend(at)
        elif isinstance(at, e.Expression | e.Generator | s.Statement):
            yield at
            pending.extend(getattr(at, a.name) for a in attrs.fields(type(at)) if a.name not in ("type", "line"))


def may_fail(node: Any) -> bool:
    """Whether evaluating an expression may be a model error."""
    return any(_fails(n) for n in walk(node))


def _fails(node: Any) -> bool:
    match node:
        case e.Index(_, base, _, _):
            return isinstance(base.type, t.Seq)
        case e.Arithmetic(_, operator, _, right, _):
            return operator in ("//", "%") and not (isinstance(right, e.Const) and right.value != 0)
        case e.Aggregate(_, operator, _, _, default):
            return operator != "sum" and default is None
        case _:
            return isinstance(node, e.Unwrap | e.VariantField | e.Narrow | e.FromOrdinal | e.SeqOf | e.Call)


def known_types(node: Any) -> Any:
    """The same tree with known types only."""
    if isinstance(node, tuple):
        return tuple(known_types(part) for part in node)
    if isinstance(node, t.Type):
        return lattice.known(node)
    if not isinstance(node, e.Expression | e.Generator | s.Statement):
        return node
    kind = s.Assign if isinstance(node, s.Assign) else type(node)  # `sharing.Replace` is one of the front end's own
    return kind(**{a.name: known_types(getattr(node, a.name)) for a in attrs.fields(type(node))})


def called(functions: dict[str, m.Function], bodies: list[Any]) -> set[str]:
    """Names of the functions that bodies call, directly or not."""
    found: set[str] = set()
    pending = list(bodies)
    while pending:
        for node in walk(pending.pop()):
            if isinstance(node, e.Call) and node.function not in found:
                found.add(node.function)
                pending.append(functions[node.function].body)
    return found


def writes(model: m.Model, variable: str) -> bool:
    """Whether some action, or the method that makes the initial states, changes the variable."""
    for action in (model.initial, *model.actions):
        for node in walk(action.body):
            # without a line: its declared start
            target = getattr(node, "target", None) if isinstance(node, s.Statement) and node.line else None
            while isinstance(target, e.Index):
                target = target.base
            if isinstance(target, e.Variable) and target.name == variable:
                return True
    return False
