"""Assignments to locals that nothing reads: `done = v` where `self.done = v` was meant.

A name counts as read if it occurs later in the text, or anywhere in a loop around the assignment.  Some assignments
that no path reads are therefore missed, and an assignment that is read is never reported.  Names that begin with an
underscore, parts of a tuple, loop variables and popped items may be unread.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from checker.frontend.refusal import Refused
from checker.frontend.source import Source, source
from checker.frozen import frozen
from checker.language.definition import Definition


@frozen
class Unused:
    """An unused assignment; variable: the model has a variable of that name."""

    text: Source
    node: ast.stmt
    name: str
    variable: bool

    @property
    def place(self) -> str:
        """The method and the line."""
        return f"{self.text.node.name} ({self.text.file}:{self.node.lineno})"


def unused(definition: Definition) -> Iterator[Unused]:
    """All unused assignments of a model and its properties, in the order of the source of each method."""
    variables = {v.name for v in definition.variables}
    for function, owner in dict(_functions(definition)).items():
        if function.__module__.startswith("checker.language"):
            continue
        try:
            text = source(function)
        except Refused:
            continue
        for node, name in _in(text.node):
            yield Unused(text, node, name, name in variables or f"{owner}.{name}" in variables)


def refusals(definition: Definition) -> list[Refused]:
    """The assignments that certainly mean a variable of the state."""
    what, remedy = "{} is a local here, and nothing reads it", "The variable of the state is self.{}."
    found = (u for u in unused(definition) if u.variable)
    return [u.text.refused(u.node, what.format(u.name), remedy.format(u.name)) for u in found]


def _functions(definition: Definition) -> Iterator[tuple[Callable[..., Any], str | None]]:
    yield from ((a.function, None) for a in definition.actions if a.function is not None)
    yield from (
        (m.function, m.owner) for m in (*definition.methods.values(), *definition.constraints, *definition.starting)
    )
    yield from ((f, p.owner) for p in definition.properties for f in (p.function, p.when) if f is not None)
    if definition.initial is not None:
        yield definition.initial, None


@cache  # a sweep defines the same methods for each configuration
def _in(function: ast.FunctionDef) -> tuple[tuple[ast.stmt, str], ...]:
    return tuple(_unread(function))


def _unread(function: ast.FunctionDef) -> Iterator[tuple[ast.stmt, str]]:
    nodes = list(ast.walk(function))
    loops = [n for n in nodes if isinstance(n, ast.For | ast.While)]
    reads = [n for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)]
    for node in nodes:
        name = _assigned(node)
        if name is None or name.startswith("_"):
            continue
        assert isinstance(node, ast.stmt)
        around = [inner for loop in loops if _inside(node, loop) for inner in reads if _inside(inner, loop)]
        later = [r for r in reads if (r.lineno, r.col_offset) >= (node.end_lineno or 0, node.end_col_offset or 0)]
        if name not in {r.id for r in (*around, *later)}:
            yield node, name


def _assigned(node: ast.AST) -> str | None:
    """The single local that a statement assigns; None if the statement does more."""
    match node:
        case (
            ast.Assign(targets=[ast.Name(id=name)], value=value) | ast.AnnAssign(target=ast.Name(id=name), value=value)
        ):
            popped = isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr == "pop"
            return None if popped else name
        case ast.AugAssign(target=ast.Name(id=name)):
            return name
        case _:
            return None


def _inside(node: ast.stmt | ast.expr, outer: ast.stmt) -> bool:
    return (outer.lineno, outer.col_offset) <= (node.lineno, node.col_offset) and (node.end_lineno or 0) <= (
        outer.end_lineno or 0
    )
