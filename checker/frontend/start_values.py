"""Declared start values of variables, and `anything` as choices."""

from __future__ import annotations

import ast
from typing import Any

from checker.frontend.scope import Frame
from checker.ir import expressions as e
from checker.ir import statements as s
from checker.ir import types as t
from checker.language.definition import VariableDefinition
from checker.language.model import anything
from checker.language.start import start_value


def is_anything(variable: VariableDefinition) -> bool:
    """Whether a variable starts with every value of its type."""
    return variable.initial is anything


def start_raw(variable: VariableDefinition) -> Any:
    """The raw start value."""
    value = start_value(variable.domain, variable.initial, variable.name)
    return variable.domain.to_raw(variable.domain.freeze(value))


def choose_anything(f: Frame, node: ast.AST, place: e.Expression, name: str, depth: int = 0) -> None:
    """Choose a value for a place: entry by entry for maps."""
    line = getattr(node, "lineno", 0)
    if isinstance(place.type, t.Map):
        key = f.bind_item(node, f"{name}_key{depth or ''}", place.type.key)
        with f.body.collect() as entry:
            choose_anything(f, node, e.Index(place.type.value, place, key, line), name, depth + 1)
        f.emit(s.For(line, key, e.Domain(t.Set(place.type.key)), tuple(entry)))
        return
    value = f.bind_item(node, f"{name}_value", place.type)
    f.emit(s.Choose(line, value, e.Domain(t.Set(place.type))))
    f.emit(s.Assign(line, place, value))
