"""Walking and rewriting the nodes of the intermediate representation: expressions, generators and statements.

The class of a node determines which of its fields contain nodes, so a new kind of node needs no change here.  The order
is that of the fields, which is the order of evaluation except in loops.  Where it stops: scopes are ignored; a local
bound by a generator is a node like any other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import attrs

from checker.ir import types as t
from checker.ir.expressions import Call, Expression, Generator
from checker.ir.statements import Statement

Node = Expression | Generator | Statement
T = TypeVar("T")


_KINDS = ("Expression", "Local", "Generator", "Statement")
_FIELDS: dict[type, tuple[str, ...]] = {}


def _fields(node: Any) -> tuple[str, ...]:
    """The fields of a node that hold nodes, or tuples of them."""
    cls = type(node)
    if cls not in _FIELDS:
        _FIELDS[cls] = tuple(a.name for a in attrs.fields(cls) if any(kind in str(a.type) for kind in _KINDS))
    return _FIELDS[cls]


def children(node: Node) -> Iterator[Any]:
    """The direct parts of a node."""
    for name in _fields(node):
        value = getattr(node, name)
        if isinstance(value, tuple):
            yield from value
        elif value is not None:
            yield value


def bodies(statement: Statement) -> Iterator[tuple[Any, ...]]:
    """The bodies of a statement, each as one tuple."""
    values = (getattr(statement, name) for name in _fields(statement))
    yield from (value for value in values if isinstance(value, tuple))


def walk(item: Any, backwards: bool = False, whole: Any = ()) -> Iterator[Any]:
    """A node, or all of a sequence, with everything inside; outer ones first.  backwards: later ones first.  whole:
    nodes of these kinds are not entered.
    """
    pending = [item]
    while pending:
        node = pending.pop()
        if isinstance(node, tuple | list):
            parts = list(node)
        else:
            yield node
            parts = [] if isinstance(node, whole) else list(children(node))
        pending.extend(parts if backwards else reversed(parts))


def with_children(node: T, change: Callable[[Any], Any]) -> T:
    """The node with each of its direct parts changed by a function; the node itself if all remain the same objects."""
    changes: dict[str, Any] = {}
    for name in _fields(node):
        old = getattr(node, name)
        if isinstance(old, tuple):
            new: Any = tuple(map(change, old))
            if any(a is not b for a, b in zip(old, new)):
                changes[name] = new
        elif old is not None and (new := change(old)) is not old:
            changes[name] = new
    return attrs.evolve(node, **changes) if changes else node  # type: ignore[misc]


def rewrite(item: T, change: Callable[[Any], Any]) -> T:
    """A node, or a tuple of nodes, with every node changed, inner ones first."""
    if isinstance(item, tuple):
        return tuple(rewrite(part, change) for part in item)  # type: ignore[return-value]
    result: T = change(with_children(item, lambda part: rewrite(part, change)))
    return result


def substitute(item: T, instead: dict[Expression, Expression]) -> T:
    """A node, or a tuple of nodes, with some expressions replaced; an outer replacement excludes those inside it."""
    if isinstance(item, tuple):
        return tuple(substitute(part, instead) for part in item)  # type: ignore[return-value]
    if isinstance(item, Expression) and item in instead:
        return instead[item]  # type: ignore[return-value]
    return with_children(item, lambda part: substitute(part, instead))


def without_lines(item: T, kind: Any = object) -> T:
    """A node with line 0 for all nodes of a kind: two such nodes are equal if they have the same meaning, wherever they
    are in the source.
    """

    def bare(node: Any) -> Any:
        return attrs.evolve(node, line=0) if isinstance(node, kind) and hasattr(node, "line") else node

    return rewrite(item, bare)


def with_calls_renamed(item: T, rename: Callable[[str], str]) -> T:
    """A node with other names in all calls."""
    return rewrite(
        item, lambda node: attrs.evolve(node, function=rename(node.function)) if isinstance(node, Call) else node
    )


# -- types in nodes, in declarations, in a whole model


def with_types(whole: T, change: Callable[[t.Type], t.Type]) -> T:
    """A node with every type in it changed by a function."""
    known: dict[t.Type, t.Type] = {}

    def new(part: Any) -> Any:
        if isinstance(part, t.Type):
            if part not in known:
                known[part] = change(part)
            return known[part]
        if isinstance(part, tuple):
            items = tuple(map(new, part))
            return items if any(a is not b for a, b in zip(items, part)) else part
        if not attrs.has(type(part)):
            return part
        held = {a: getattr(part, a.name) for a in attrs.fields(type(part)) if a.init}
        changes = {a.alias: value for a, old in held.items() if (value := new(old)) is not old}
        return attrs.evolve(part, **changes) if changes else part

    result: T = new(whole)
    return result


def everything(whole: Any) -> Iterator[Any]:
    """All parts of a model, types and their parts included."""
    seen = set[t.Type]()
    pending = [whole]
    while pending:
        part = pending.pop()
        if isinstance(part, tuple):
            pending += part
        elif isinstance(part, t.Type):
            new = [inner for inner in t.walk(part) if inner not in seen]
            seen.update(new)
            yield from new
        elif attrs.has(type(part)):
            yield part
            pending += [getattr(part, a.name) for a in attrs.fields(type(part)) if a.init]
