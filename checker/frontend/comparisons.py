"""Comparisons: == and the orders, `in`, `is None`.

Values of different types are never compared.  Membership of a value that a container cannot hold is false, as in
Python, not an error.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from contextlib import nullcontext

from checker.frontend import displays, expressions, kinds, lattice, lowering, messages, operations, remedies
from checker.frontend import meaning as m
from checker.frontend.coerce import coerce, fits, integer
from checker.frontend.kinds import Kind
from checker.frontend.scope import Frame, Incomplete, settled
from checker.frontend.source import line_of
from checker.ir import build
from checker.ir import expressions as e
from checker.ir import types as t

COMPARISONS = {ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}


@lowering.expression(ast.Compare)
def comparison(f: Frame, node: ast.Compare, expected: t.Type | None = None) -> e.Expression:
    """A comparison of two or more operands."""
    parts = []
    left = expressions.meaning(f, node.left)
    for number, (op, right_node) in enumerate(zip(node.ops, node.comparators)):
        with f.body.lazy() if number else nullcontext():  # a < b < c: c is evaluated if a < b
            listed = isinstance(right_node, ast.Tuple | ast.List | ast.Set) and right_node.elts
            among = isinstance(op, ast.In | ast.NotIn)
            right = m.Nothing() if among and listed else expressions.meaning(f, right_node)
            parts.append(_one(f, node, op, left, right, right_node))
            if len(node.ops) == 1 and isinstance(left, e.Expression) and isinstance(right, e.Expression):
                _record(f, node, left, right)
        left = right
    return build.conjunction(parts)


def _record(f: Frame, node: ast.Compare, left: e.Expression, right: e.Expression) -> None:
    """Record whether the types decide a comparison of numbers; two constants of the configuration are compared on
    purpose.
    """
    symbol = COMPARISONS.get(type(node.ops[0]))
    constant = isinstance(left, e.Const) and isinstance(right, e.Const)
    if symbol and not constant and isinstance(left.type, t.Int) and isinstance(right.type, t.Int):
        f.record_comparison(node, build.decided(symbol, left.type, right.type))


def _one(
    f: Frame, node: ast.Compare, op: ast.cmpop, left: m.Result, right: m.Result, right_node: ast.expr
) -> e.Expression:
    if isinstance(op, ast.In | ast.NotIn):
        found = _member(f, node, left, right, right_node)
        return build.negate(found) if isinstance(op, ast.NotIn) else found
    if isinstance(op, ast.Is | ast.IsNot):
        symbol = "==" if isinstance(op, ast.Is) else "!="
        if not isinstance(right, e.NoneValue) and not isinstance(left, e.NoneValue):
            f.refuse(node, "`is` compares only with None", f"Write {symbol}.")
    else:
        symbol = COMPARISONS[type(op)]
    if isinstance(left, m.Literal) and isinstance(right, m.Literal):
        return _of_constants(f, node, lambda: build.COMPARISONS[symbol](left.value, right.value))
    if isinstance(left, m.TypeName) or isinstance(right, m.TypeName):
        f.refuse(node, "a type is compared with a value", "Write set(...) around the type for the set of its values.")
    return equal_or_ordered(
        f, node, symbol, expressions.as_value(f, node.left, left), expressions.as_value(f, right_node, right)
    )


def equal_or_ordered(f: Frame, node: ast.AST, symbol: str, left: e.Expression, right: e.Expression) -> e.Expression:
    """left symbol right, for any two values of like types."""
    for side, other in ((left, right), (right, left)):
        if isinstance(other, e.NoneValue):
            return _is_none(f, node, symbol, side)
    if isinstance(left.type, lattice.Nothing) or isinstance(right.type, lattice.Nothing):
        raise Incomplete
    if isinstance(left.type, t.Set) and isinstance(right.type, t.Set) and symbol not in ("==", "!="):
        operations.result(f, node, "c <= d", left.type, right.type)
        left, right = expressions.same(f, node, left, right)
        small, big = (left, right) if symbol in ("<", "<=") else (right, left)
        return e.Subset(build.BOOL, small, big, symbol in ("<", ">"))
    if symbol not in ("==", "!="):
        left, right = expressions.inside(left, line_of(node)), expressions.inside(right, line_of(node))
        if (fields := field_by_field(f, node, symbol, left, right)) is not None:
            return fields
    left, right = _comparable(f, node, left, right)
    if symbol not in ("==", "!="):
        ordered(f, node, left.type)
    return build.compare(symbol, left, right)


def field_by_field(
    f: Frame, node: ast.AST, symbol: str, left: e.Expression, right: e.Expression
) -> e.Expression | None:
    """The order of two tuples or records with a field that may be None, as in Python: that of the first fields that
    differ, which fails if one of them is None.  None for other values, which are compared as a whole.
    """
    if not isinstance(left.type, t.Record) or not isinstance(right.type, t.Record):
        return None
    unlike = len(left.type.fields) != len(right.type.fields)
    if unlike or not (holds_optional(left.type) or holds_optional(right.type)):
        return None
    _comparable(f, node, left, right)  # types that have nothing in common are refused as a whole
    result: e.Expression = build.boolean(symbol in ("<=", ">="))
    for a, b in reversed(list(zip(build.parts(left), build.parts(right)))):
        same = equal_or_ordered(f, node, "==", a, b)
        result = build.if_else(same, result, equal_or_ordered(f, node, symbol, a, b))
    return build.after([left, right], result)


def holds_optional(type: t.Type) -> bool:
    """Whether a field of a record, or of a record in it, may be None."""
    parts = (part for _, part in type.fields) if isinstance(type, t.Record) else ()
    return any(isinstance(part, t.Optional) or holds_optional(part) for part in parts)


def _is_none(f: Frame, node: ast.AST, symbol: str, side: e.Expression) -> e.Expression:
    if symbol not in ("==", "!="):
        f.refuse(node, "None has no order", "Write `is None` or `is not None`.")
    if isinstance(side, e.NoneValue):
        return build.boolean(symbol == "==")
    if not isinstance(side.type, t.Optional | lattice.Nothing):
        shown = str(side.type)
        remedy = f"Declare Optional[{shown}] if it may be absent, or drop the comparison."
        f.refuse(node, f"{shown} is compared with None, which it never is", remedy)
    settled(side.type)
    return build.is_some(side) if symbol == "!=" else build.is_none(side)


def _comparable(f: Frame, node: ast.AST, left: e.Expression, right: e.Expression) -> tuple[e.Expression, e.Expression]:
    if isinstance(left.type, t.Int | t.Bool) and isinstance(right.type, t.Int | t.Bool):
        return (left, right) if left.type == right.type else (integer(f, node, left), integer(f, node, right))
    both = lattice.join(left.type, right.type)
    if both is None:
        shown = f"{left.type} is compared with {right.type}"
        f.refuse(node, f"{shown}: they are never equal and have no order", remedies.to_compare(left.type, right.type))
    operations.require_comparable(f, node, left.type, right.type)
    return coerce(f, node, left, both), coerce(f, node, right, both)


def ordered(f: Frame, node: ast.AST, type: t.Type) -> None:
    """Refuse types whose values Python does not order, and symmetric ones."""
    if lattice.symmetric(type):
        remedy = "Compare for equality only, or remove symmetric=True."
        f.refuse(node, f"{type} is symmetric: its values have no order", remedy)
    if isinstance(type, t.Record):
        for _, part in type.fields:
            ordered(f, node, part)
    if isinstance(type, t.Seq | t.Bag | t.Map | t.Set):
        f.refuse(node, f"{type} values have no order", "Compare their lengths or items.")
    if isinstance(type, t.Enum | t.Optional | t.Union):
        f.refuse(node, f"{type} values have no order in Python", "Compare for equality, or order by a number.")


def _member(f: Frame, node: ast.Compare, item: m.Result, container: m.Result, container_node: ast.expr) -> e.Expression:
    if isinstance(container_node, ast.Tuple | ast.List | ast.Set) and container_node.elts:
        options = [expressions.meaning(f, o) for o in container_node.elts]
        if isinstance(container_node, ast.Set):
            for part in (item, *options):
                if isinstance(part, e.Expression):
                    operations.require_hashable(f, container_node, part)
        found = build.disjunction(_one(f, node, ast.Eq(), item, o, n) for o, n in zip(options, container_node.elts))
        return build.after([o for o in (item, *options) if isinstance(o, e.Expression)], found)
    if isinstance(item, m.Literal) and isinstance(container, m.Literal):
        return _of_constants(f, node, lambda: item.value in container.value)
    if isinstance(container, m.Between):
        return messages.found(f, node, container, expressions.as_value(f, node.left, item))
    value = expressions.as_value(f, node.left, item)
    among = displays.rows(f, node, container, len(value.type.fields)) if isinstance(value.type, t.Record) else container
    return contains(f, node, value, expressions.as_value(f, container_node, among))


def contains(f: Frame, node: ast.AST, item: e.Expression, container: e.Expression) -> e.Expression:
    """item in container; false for items that the container's type cannot hold."""
    container = build.without_copy(container)
    if isinstance(container, e.Range):
        return _in_range(f, node, item, container)
    match container.type:
        case t.Set(inner) | t.Seq(inner, _, _) | t.Bag(inner, _, _):
            pass
        case t.Map(key, _):
            keys = contains(f, node, item, build.everything(key))
            return build.after([item, container], keys)  # the values of the map are evaluated too, and may fail
        case lattice.Nothing():
            raise Incomplete
        case type:
            f.refuse(node, f"{type} is no collection", "`in` needs a set, sequence, bag or type on the right.")
    if kinds.of(container.type) & {Kind.MADE, Kind.FROZEN}:
        operations.require_hashable(f, node, item)
    if isinstance(inner, lattice.Nothing):
        return build.after([item, container], build.FALSE)
    if not kinds.of(container.type) & {Kind.SET, Kind.MADE, Kind.FROZEN, Kind.MAP, Kind.BAG, Kind.TYPE}:
        operations.require_comparable(f, node, item.type, inner)
    if lattice.join(item.type, inner) is None:
        shown = f"{item.type} is never in {container.type}"
        f.refuse(node, shown, f"The items are of type {inner}.")
    if isinstance(inner, t.Enum) and Kind.TYPE in kinds.of(container.type) and isinstance(item.type, t.Optional):
        remedy = "Write `is not None`, which is the same here, or set(...) around the Enum."
        f.refuse(node, f"None may be looked for in {inner}: an error before Python 3.12, false since", remedy)
    if isinstance(item, e.NoneValue) and not isinstance(inner, t.Optional):
        return build.after([container], build.FALSE)
    guard = fits(item, inner)
    inside = coerce(f, node, item, inner)
    found = build.TRUE if isinstance(container, e.Domain) else build.contains(container, inside)
    return build.after([] if guard == build.TRUE else [item, container], build.conjunction([guard, found]))


def _of_constants(f: Frame, node: ast.AST, compare: Callable[[], bool]) -> e.Expression:
    """A comparison of strings and constant tuples."""
    try:
        return build.boolean(compare())
    except TypeError:
        f.refuse(
            node, "constants of different types are compared", "Compare strings with strings, and numbers with numbers."
        )


def _in_range(f: Frame, node: ast.AST, item: e.Expression, container: e.Range) -> e.Expression:
    """A number within the bounds of a range; None is in none."""
    if isinstance(item, e.NoneValue):
        return build.after([container.start, container.stop], build.FALSE)
    there = build.is_some(item) if isinstance(item.type, t.Optional) else build.TRUE
    number = integer(f, node, item)
    found = build.conjunction(
        [there, build.compare("<=", container.start, number), build.compare("<", number, container.stop)]
    )
    return build.after([item, container.start, container.stop], found)


def is_variant(f: Frame, node: ast.expr, value: e.Expression) -> e.Expression:
    """Whether a union's value is of the variant that a node names."""
    kind = expressions.meaning(f, node)
    settled(value.type)
    inner = value.type.item if isinstance(value.type, t.Optional) else value.type
    if not isinstance(kind, m.VariantName) or kind.union != inner:
        f.refuse(
            node, f"{ast.unparse(node)} is no variant of {value.type}", "isinstance tests the variants of a union."
        )
    if isinstance(value.type, t.Optional):
        return build.conjunction(
            [build.is_some(value), e.IsVariant(build.BOOL, e.Unwrap(inner, value, line_of(node)), kind.variant)]
        )
    return e.IsVariant(build.BOOL, value, kind.variant)
