"""The values from which an expression is computed, and the expression with these values.

A sum of several values is shown with each of them: "votes + unseen = 1 + 0 = 1".  Of any other computation, such as a
comprehension, the values that it reads are listed behind it: "with heard[p3] = {p1: v, p2: none}".

Where it stops: of a comprehension only the values that do not depend on its own variables are listed, and no value
whose text is longer than LONGEST.
"""

from __future__ import annotations

import ast
import copy
import inspect
from collections.abc import Iterable, Iterator
from enum import Enum
from typing import Any

from checker.language.domains import Domain
from checker.language.places import written_over
from checker.language.values import Id
from checker.replay.plain import value_text
from checker.replay.scope import Scope, quietly

LONGEST, MOST = 60, 3
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
ARITHMETIC = (ast.BinOp, ast.UnaryOp, ast.operator, ast.unaryop, ast.Constant)


def operands(node: ast.expr, scope: Scope, bound: frozenset[str] = frozenset()) -> Iterator[ast.expr]:
    """The largest parts of an expression that read the state or a local variable, in order.  bound: the variables of
    the comprehension around it, on which no part depends."""
    match node:
        case ast.Constant() | ast.Lambda():
            return
        case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            own = {n.id for g in node.generators for n in ast.walk(g.target) if isinstance(n, ast.Name)}
            for generator in node.generators:
                for part in (generator.iter, *generator.ifs):
                    yield from operands(part, scope, bound | own)
            parts = (node.key, node.value) if isinstance(node, ast.DictComp) else (node.elt,)
            for part in parts:
                yield from operands(part, scope, bound | own)
        case ast.Name() | ast.Attribute() | ast.Subscript() if not _reads(node, bound):
            value = scope.value(node)
            if not callable(value) and not isinstance(value, type | Id | Enum | Domain):
                yield node
        case ast.Subscript(value, index):
            yield from operands(value, scope, bound)
            yield from operands(index, scope, bound)
        case ast.Name() | ast.Attribute():
            return
        case ast.Call(ast.Name(), arguments):
            for argument in arguments:
                yield from operands(argument, scope, bound)
        case ast.Call(called) if not _reads(node, bound) and inspect.isroutine(quietly(scope, called)):
            yield node  # else the record that it makes is known by its parts
        case ast.Call(_, arguments):
            for argument in arguments:
                yield from operands(argument, scope, bound)
        case _:
            for child in ast.iter_child_nodes(node):
                if isinstance(child, ast.expr):
                    yield from operands(child, scope, bound)


def _reads(node: ast.expr, names: frozenset[str]) -> bool:
    return any(isinstance(n, ast.Name) and n.id in names for n in ast.walk(node))


def read_by(parts: Iterable[ast.expr], scope: Scope) -> dict[str, str]:
    """Parts of an expression as text, each with its value."""
    texts: dict[str, str] = {}
    for part in parts:
        texts.setdefault(scope.text(part), value_text(scope.value(part)))
    return {text: value for text, value in texts.items() if value.lower() != text.lower()}


def listed(read: dict[str, str]) -> str:
    """Operands with their values: "a = 0 and b = 1"."""
    return " and ".join(f"{text} = {value}" for text, value in read.items())


def computed(node: ast.expr, scope: Scope) -> str:
    """A sum of at least two values that are read, with these values: "1 + 0"; "" for any other expression."""
    parts = _quiet_operands(node, scope)
    if not isinstance(node, ast.BinOp) or len(parts) < 2:
        return ""
    if any(type(quietly(scope, part)) is not int for part in parts):
        return ""
    known = set(map(id, parts))
    if not all(isinstance(n, ARITHMETIC) for n in _above(node, known)):
        return ""
    return written_over(
        _Valued(scope, {(p.lineno, p.col_offset, p.end_col_offset) for p in parts}).visit(copy.deepcopy(node))
    )


def behind(node: ast.expr, scope: Scope) -> dict[str, str]:
    """The values that a comprehension in an expression goes through and compares."""
    if not any(isinstance(n, COMPREHENSIONS) for n in ast.walk(node)):
        return {}
    try:
        found = read_by((part for part in operands(node, scope) if not _is_number(part, scope)), scope)
    except Exception:  # a part that cannot be evaluated alone
        return {}
    short = {text: value for text, value in found.items() if len(value) <= LONGEST}
    return short if len(short) <= MOST else {}


def _is_number(node: ast.expr, scope: Scope) -> bool:
    """Whether a part is a number in a local variable, whose value stands where it is bound."""
    return isinstance(node, ast.Name) and type(scope.value(node)) is int


def _quiet_operands(node: ast.expr, scope: Scope) -> list[ast.expr]:
    try:
        return list(operands(node, scope))
    except Exception:  # a part that cannot be evaluated alone
        return []


def _above(node: ast.AST, known: set[int]) -> Iterator[ast.AST]:
    """The nodes of an expression outside its operands."""
    if id(node) in known:
        return
    yield node
    for child in ast.iter_child_nodes(node):
        yield from _above(child, known)


class _Valued(ast.NodeTransformer):
    """Replaces operands by their values."""

    def __init__(self, scope: Scope, places: set[tuple[Any, ...]]) -> None:
        self.scope, self.places = scope, places

    def visit(self, node: ast.AST) -> ast.AST:
        if isinstance(node, ast.expr) and (node.lineno, node.col_offset, node.end_col_offset) in self.places:
            return ast.Constant(self.scope.value(node))
        return self.generic_visit(node)
