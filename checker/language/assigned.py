"""Variables without an initial value that an @initial method certainly assigns before anything can read them.

The text decides: a statement `self.x = ...` of the method itself, not inside an `if` or a loop, and before it no
statement that names x, leaves the method, or calls a method, which might read x.  Any other variable needs an initial
value.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Container
from typing import Any

from checker.language.places import function_node


def assigned_first(function: Callable[..., Any], name: str, types: Container[str]) -> bool:
    """Whether an @initial method assigns a variable in this way.  types: names of types, whose calls make values and
    read nothing.
    """
    method = function_node(function)
    for statement in method.body if method is not None else []:
        match statement:
            case ast.Assign(targets=[ast.Attribute(value=ast.Name(id="self"), attr=target)], value=value) if (
                target == name
            ):
                return not _may_read(value, name, types)
        if _may_read(statement, name, types):
            return False
    return False


def _may_read(node: ast.AST, name: str, types: Container[str]) -> bool:
    """Whether something may read the variable, or leave the method."""
    for part in ast.walk(node):
        match part:
            case ast.Return():
                return True
            case ast.Attribute(attr=attribute) if attribute == name:
                return True
            case ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=called)) if called not in types:
                return True
            case ast.Call(func=ast.Attribute(value=ast.Call(func=ast.Name(id="super")))):
                return True
    return False
