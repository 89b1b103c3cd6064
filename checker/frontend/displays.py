"""Displays: tuples, lists, sets, and the types their items agree on."""

from __future__ import annotations

import ast

from checker.frontend import expressions, lattice, lowering, names, operations
from checker.frontend import meaning as m
from checker.frontend.coerce import coerce, items_type, sequence, set_type
from checker.frontend.kinds import Kind
from checker.frontend.scope import Frame, Incomplete
from checker.ir import expressions as e
from checker.ir import types as t


@lowering.expression(ast.Tuple, ast.List, ast.Set)
def display(f: Frame, node: ast.Tuple | ast.List | ast.Set, expected: t.Type | None) -> m.Result:
    """A tuple, list or set written out."""
    if any(isinstance(i, ast.Starred) for i in node.elts):
        f.refuse(node, "* in a display", "Write [*a, b] as a + [b], and {*a, b} as a | {b}.")
    if isinstance(node, ast.Tuple) and not isinstance(expected, t.Seq):
        return _tuple(f, node, expected)
    hint = expected.item if isinstance(expected, t.Set | t.Seq) else None
    items = [expressions.as_value(f, i, expressions.meaning(f, i, hint)) for i in node.elts]
    if not isinstance(node, ast.Set):
        return sequence(f, node, items, Kind.TUPLE if isinstance(node, ast.Tuple) else Kind.LIST)
    for item, written in zip(items, node.elts):
        operations.require_hashable(f, written, item)
    type = items_type(f, node, items, lattice.NOTHING)
    if lattice.unknown(type):
        raise Incomplete
    return e.MakeSet(set_type(f, node, type, Kind.MADE), tuple(coerce(f, node, i, type) for i in items))


def _tuple(f: Frame, node: ast.Tuple, expected: t.Type | None) -> m.Result:
    if isinstance(expected, t.Optional):
        expected = expected.item
    fields = None
    if isinstance(expected, t.Record) and len(expected.fields) == len(node.elts):
        fields = [type for _, type in expected.fields]
    parts = [expressions.meaning(f, i, fields[k] if fields else None) for k, i in enumerate(node.elts)]
    items = [expressions.as_value(f, n, p) for n, p in zip(node.elts, parts)]
    return lattice.make_tuple(items)


def rows(f: Frame, node: ast.expr, source: m.Result, width: int) -> m.Result:
    """A constant tuple of tuples of this length as a sequence of these tuples: a graph, `for i, j in self.EDGES`.
    Other values are unchanged.
    """
    if not isinstance(source, m.Literal) or not isinstance(source.value, tuple) or not source.value:
        return source
    if not all(isinstance(row, tuple) and len(row) == width for row in source.value):
        return source
    made: list[e.Expression] = []
    for row in source.value:
        made.append(lattice.make_tuple([expressions.as_value(f, node, names.outer(f, node, i)) for i in row]))
    return sequence(f, node, made, Kind.TUPLE)
