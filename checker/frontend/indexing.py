"""Indexing and slicing: maps, sequences, records, constant tuples, types.

Negative indices count from the end, as in Python; a sequence checks its bounds when the model runs.
"""

from __future__ import annotations

import ast

from checker.frontend import expressions, kinds, lattice, lowering, names, operations
from checker.frontend import meaning as m
from checker.frontend.coerce import coerce, integer, length, present
from checker.frontend.kinds import Kind
from checker.frontend.scope import Frame, Incomplete, settled
from checker.frontend.source import PREDICATE, line_of
from checker.ir import build
from checker.ir import expressions as e
from checker.ir import types as t
from checker.wording import counted


@lowering.expression(ast.Subscript)
def subscript(f: Frame, node: ast.Subscript, expected: t.Type | None = None) -> m.Result:
    """base[...]"""
    base = expressions.meaning(f, node.value)
    if isinstance(base, m.TypeName):
        return _member_of_type(f, node, base)
    if isinstance(base, m.Literal) and isinstance(base.value, tuple):
        return _of_tuple(f, node, base)
    return index(f, node, present(expressions.as_value(f, node.value, base), line_of(node)))


def _member_of_type(f: Frame, node: ast.Subscript, base: m.TypeName) -> e.Expression:
    number = integer(f, node.slice, expressions.value(f, node.slice))
    # a predicate of the command line may name any member, unless symmetry reduction merges states that differ by member
    from_outside = f.source.file.startswith(PREDICATE)
    if isinstance(base.type, t.Ids) and base.type.symmetric and (f.program.definition.merges or not from_outside):
        remedy = "Quantify: any(... for q in ...), or choose one."
        remedy = (f"{remedy} Without symmetry=true members have names here.") if from_outside else remedy
        f.refuse(node, f"{base.type.name} is symmetric: no member can be named", remedy)
    if isinstance(number, e.Const) and isinstance(base.type, t.Ids | t.Enum):
        if not 0 <= number.value < len(base.type.members):
            count = len(base.type.members)
            remedy = f"It has {count} member{'s' * (count != 1)}, counted from 0."
            f.refuse(node, f"{base.type.name} has no member {number.value}", remedy)
        return e.Const(base.type, number.value)
    if isinstance(base.type, t.Int):
        return coerce(f, node, expressions.arithmetic(f, node, "+", number, build.integer(base.type.lo)), base.type)
    if not isinstance(base.type, t.Ids | t.Enum):
        f.refuse(node, f"{base.type} cannot be indexed", "Index Ids and Enum types.")
    return e.FromOrdinal(base.type, number, line_of(node))


def _of_tuple(f: Frame, node: ast.Subscript, base: m.Literal) -> m.Result:
    if not isinstance(node.slice, ast.Slice):
        place = expressions.value(f, node.slice)
        if isinstance(place, e.Const):
            if not -len(base.value) <= place.value < len(base.value):
                f.refuse(node, f"the constant has no item {place.value}", f"It has {counted(len(base.value), 'item')}.")
            return names.outer(f, node, base.value[place.value])
    return index(f, node, expressions.as_value(f, node.value, base))


def index(f: Frame, node: ast.Subscript, container: e.Expression) -> e.Expression:
    """container[...]"""
    if isinstance(node.slice, ast.Slice):
        return _slice(f, node, node.slice, container)
    if isinstance(container.type, t.Map | t.Seq):
        operations.require(f, node, "c[i]", container.type)
    match container.type:
        case t.Map(key, type):
            return e.Index(type, container, expressions.value(f, node.slice, key), line_of(node))
        case t.Seq(type, _, _):
            return e.Index(type, container, sequence_index(f, node.slice, container), line_of(node))
        case t.Record(_, fields):
            place = expressions.value(f, node.slice)
            if not isinstance(place, e.Const) or not 0 <= place.value < len(fields):
                f.refuse(
                    node, f"a record is indexed with something other than 0..{len(fields) - 1}", "Use its field names."
                )
            return build.part(container, place.value)
        case lattice.Nothing():
            raise Incomplete
        case type:
            f.refuse(node, f"{type} cannot be indexed", "Maps, sequences and records can.")


def sequence_index(f: Frame, node: ast.expr, container: e.Expression) -> e.Expression:
    """An index into a sequence: negative ones count from the end."""
    return _from_either_end(f, node, expressions.value(f, node), container)


def _from_either_end(f: Frame, node: ast.expr, given: e.Expression, container: e.Expression) -> e.Expression:
    place = integer(f, node, given)
    assert isinstance(place.type, t.Int)
    if place.type.lo >= 0:
        return place
    from_end = expressions.arithmetic(f, node, "+", length(container), place)
    if place.type.hi < 0:
        return from_end
    test = build.compare("<", place, build.integer(0))
    both = t.Int(min(from_end.type.lo, place.type.lo), max(from_end.type.hi, place.type.hi))  # type: ignore[attr-defined]
    return build.if_else(test, coerce(f, node, from_end, both), coerce(f, node, place, both))


def _slice(f: Frame, node: ast.Subscript, part: ast.Slice, container: e.Expression) -> e.Expression:
    if part.step is not None:
        f.refuse(node, "a slice with a step", "Write a comprehension over range(...).")
    settled(container.type)
    if not isinstance(container.type, t.Seq):
        f.refuse(node, f"{container.type} cannot be sliced", "Sequences can.")
    operations.require(f, node, "c[i:j]", container.type)
    start, stop = (None if b is None else _bound(f, b, container) for b in (part.lower, part.upper))
    found = {Kind.TUPLE if k is Kind.TUPLE else Kind.LIST for k in kinds.of(container.type)}
    type = kinds.as_kind(t.Seq(container.type.item, container.type.capacity), *found)
    return e.Slice(type, container, start, stop, line_of(node))


def _bound(f: Frame, node: ast.expr, container: e.Expression) -> e.Expression:
    given = expressions.value(f, node)
    if isinstance(given.type, t.Optional):
        remedy = "Write x[a if a is not None else 0 :], or test it first."
        f.refuse(node, f"{ast.unparse(node)} may be None, which a slice takes for its end", remedy)
    place = _from_either_end(f, node, given, container)
    assert isinstance(place.type, t.Int)
    return place if place.type.lo >= 0 else expressions.arithmetic_max(f, node, place)
