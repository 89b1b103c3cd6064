"""The assertions of a method, in a form in which what says the same is the same text.

A conjunction counts as its parts.  Names of local variables, the direction of a comparison, the order of operands of
`==`, `and` and `or`, and a negation of all these do not count; a number or text that the assertion reads, from the
class or from the module, counts as its value.  A bound on a number is implied by one that is at least as tight.

Where it stops: other ways to write the same, as `not x < y` for `x >= y`, which differ for sets.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from attrs import frozen

from checker.analysis.compare.sources import PLAIN, core

_OPPOSITE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
_TURNED: dict[type[ast.cmpop], type[ast.cmpop]] = {ast.Gt: ast.Lt, ast.GtE: ast.LtE}


@frozen
class Assertion:
    """text: as it is written; test: the form that is compared; reads: the values from outside of the method."""

    text: str
    test: str
    reads: tuple[tuple[str, str], ...] = ()

    def implies(self, other: Assertion) -> bool:
        """Whether the other says nothing that this one does not say."""
        return self.test == other.test or _tighter(_parsed(self.test), _parsed(other.test))


def assertions(function: Callable[..., Any], values: Mapping[str, Any]) -> Iterator[Assertion]:
    """values: what a method reads as `self.name` and no step changes."""
    tree, local = core(function), {*function.__code__.co_varnames}
    bound = local | {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)}
    outside = {name: value for name, value in function.__globals__.items() if name not in bound}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assert):
            for written in _conjuncts(node.test):
                known = _Values(values, outside)
                alike = _Alike(local).visit(known.visit(_parsed(ast.unparse(written))))
                for part in _conjuncts(alike):
                    yield Assertion(ast.unparse(written), _without_local_names(part, local), tuple(known.read.items()))


def _parsed(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def _conjuncts(test: ast.expr) -> Iterable[ast.expr]:
    return test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) else [test]


def _without_local_names(test: ast.expr, local: set[str]) -> str:
    """The text with a number for each local variable, in the order of their first places."""
    numbers: dict[str, str] = {}
    copy = _parsed(ast.unparse(test))
    for node in ast.walk(copy):
        if isinstance(node, ast.Name) and node.id in local:
            node.id = numbers.setdefault(node.id, f"_{len(numbers)}")
    return ast.unparse(copy)


class _Values(ast.NodeTransformer):
    """Names of the class and of the module as the values that they have; read: these, as texts."""

    def __init__(self, own: Mapping[str, Any], outside: Mapping[str, Any]) -> None:
        self.own, self.outside = own, outside
        self.read: dict[str, str] = {}

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self._value(node, node.id, self.outside)

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        if isinstance(node.value, ast.Name) and node.value.id == "self":
            return self._value(node, node.attr, self.own)
        self.generic_visit(node)
        return node

    def _value(self, node: ast.expr, name: str, values: Mapping[str, Any]) -> ast.expr:
        value = values.get(name, ...)
        if not isinstance(value, PLAIN) or isinstance(value, frozenset):
            return node
        try:
            literal = _parsed(repr(value))
        except SyntaxError:  # a tuple of members of an enumeration
            return node
        self.read[name] = repr(value)
        return literal


class _Alike(ast.NodeTransformer):
    """Negations at the leaves, `<` for `>`, and the operands of `==`, `and` and `or` in the order of their texts."""

    def __init__(self, local: set[str]) -> None:
        self.local = local

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        inner = node.operand
        if not isinstance(node.op, ast.Not):
            self.generic_visit(node)
            return node
        match inner:
            case ast.UnaryOp(ast.Not(), operand) if isinstance(operand, ast.BoolOp | ast.Compare):
                return self._visited(operand)
            case ast.BoolOp(op, values):
                other = ast.Or() if isinstance(op, ast.And) else ast.And()
                return self._visited(ast.BoolOp(other, [ast.UnaryOp(ast.Not(), value) for value in values]))
            case ast.Compare(left, [op], comparators) if type(op) in _OPPOSITE:
                return self._visited(ast.Compare(left, [_OPPOSITE[type(op)]()], comparators))
        self.generic_visit(node)
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        self.generic_visit(node)
        if len(node.ops) == 1:
            (op,), (right,) = node.ops, node.comparators
            if type(op) in _TURNED:
                return ast.Compare(right, [_TURNED[type(op)]()], [node.left])
            if isinstance(op, ast.Eq | ast.NotEq):
                left, right = sorted((node.left, right), key=self._masked)
                return ast.Compare(left, [op], [right])
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        """In an assertion an operand that fails is a violation, in whatever order they are evaluated."""
        self.generic_visit(node)
        parts = [v.values if isinstance(v, ast.BoolOp) and type(v.op) is type(node.op) else [v] for v in node.values]
        return ast.BoolOp(node.op, sorted((value for part in parts for value in part), key=self._masked))

    def _visited(self, node: ast.expr) -> ast.expr:
        found = self.visit(node)
        assert isinstance(found, ast.expr)
        return found

    def _masked(self, node: ast.expr) -> str:
        """The text without the names of local variables."""
        copy = _parsed(ast.unparse(node))
        for inner in ast.walk(copy):
            if isinstance(inner, ast.Name) and inner.id in self.local:
                inner.id = "_"
        return ast.unparse(copy)


def _tighter(now: ast.expr, then: ast.expr) -> bool:
    """Whether two comparisons bound one expression by numbers, the first at least as tightly."""
    match now, then:
        case ast.Compare(left, [op], [right]), ast.Compare(other, [same], [bound]) if type(op) is type(
            same
        ) and isinstance(op, ast.Lt | ast.LtE):
            numbers = [_number(node) for node in (left, right, other, bound)]
            if numbers[1] is not None and numbers[3] is not None and ast.dump(left) == ast.dump(other):
                return numbers[1] <= numbers[3]
            if numbers[0] is not None and numbers[2] is not None and ast.dump(right) == ast.dump(bound):
                return numbers[0] >= numbers[2]
    return False


def _number(node: ast.expr) -> int | None:
    try:
        value = ast.literal_eval(node)
    except (ValueError, TypeError):
        return None
    return value if type(value) is int else None
