"""What a function refers to: variables it reads and functions it calls, directly or not; and the same with functions
renamed, or without lines."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import attrs

from checker.ir.expressions import Call, Expression, Generator, Variable
from checker.ir.model import Function, Model
from checker.ir.statements import Statement


def nodes(item: Any) -> Iterator[Any]:
    """An expression, a statement or a tuple of them with everything inside."""
    if isinstance(item, tuple):
        for part in item:
            yield from nodes(part)
    elif attrs.has(type(item)):
        yield item
        for field in attrs.fields(type(item)):
            if field.name not in ("type", "line", "variant", "name"):
                yield from nodes(getattr(item, field.name))


def called(model: Model, function: Function) -> tuple[str, ...]:
    """The names of a function and of all it calls, itself first."""
    found, waiting = [function.name], [function]
    while waiting:
        for node in nodes(waiting.pop().body):
            if isinstance(node, Call) and node.function not in found:
                found.append(node.function)
                waiting.append(model.function(node.function))
    return tuple(found)


def read(model: Model, function: Function) -> tuple[str, ...]:
    """The variables that a function or one it calls reads, in the order of the model."""
    bodies = [model.function(name).body for name in called(model, function)]
    names = {node.name for body in bodies for node in nodes(body) if isinstance(node, Variable)}
    return tuple(v.name for v in model.variables if v.name in names)


def without_lines(item: Any, kind: type = object) -> Any:
    """The same, with line 0 for all nodes of a kind: equal if they say the same, wherever they stand."""
    if isinstance(item, tuple):
        return tuple(without_lines(part, kind) for part in item)
    if not isinstance(item, Expression | Generator | Statement | Function):
        return item
    parts = {f.name: without_lines(getattr(item, f.name), kind) for f in attrs.fields(type(item))}
    return type(item)(**{**parts, "line": 0} if "line" in parts and isinstance(item, kind) else parts)


def with_calls_renamed(item: Any, rename: Callable[[str], str]) -> Any:
    """The same with other names in all calls."""
    if isinstance(item, tuple):
        return tuple(with_calls_renamed(part, rename) for part in item)
    if not isinstance(item, Expression | Statement) and not attrs.has(type(item)):
        return item
    changes = {
        f.name: with_calls_renamed(getattr(item, f.name), rename) for f in attrs.fields(type(item)) if f.name != "type"
    }
    if isinstance(item, Call):
        changes["function"] = rename(item.function)
    same = all(changes[n] is getattr(item, n) for n in changes)
    return item if same else attrs.evolve(item, **changes)
