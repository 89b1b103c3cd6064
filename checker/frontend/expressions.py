"""Python expressions to typed expressions: operators, comparisons, displays, indexing.

`meaning` gives any meaning of an expression, `value` requires a run-time value.  `expected` is the type that the
context prefers; it only guides displays (the empty set has no type of its own) and never replaces the check by
coercion.
"""

from __future__ import annotations

import ast

from checker.frontend import kinds, lattice, lowering, messages, misspelt, names, operations, remedies
from checker.frontend import meaning as m
from checker.frontend.coerce import coerce, condition, integer, present, sequence
from checker.frontend.kinds import Kind
from checker.frontend.places import entries_only
from checker.frontend.scope import Frame, settled
from checker.frontend.source import line_of
from checker.ir import build
from checker.ir import expressions as e
from checker.ir import types as t

OPERATORS = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.BitOr: "|",
    ast.BitAnd: "&",
    ast.BitXor: "^",
}

KEY_ONLY = "A lambda stands only as key= of sorted, min and max. Else write a helper: an unmarked method of the class."
ELSEWHERE = {
    ast.Lambda: ("a lambda here", KEY_ONLY),
    ast.Starred: ("* in front of a collection", "Join collections with + or |."),
}


def value(f: Frame, node: ast.expr, expected: t.Type | None = None) -> e.Expression:
    """A run-time value, coerced to `expected` if that is given."""
    result = as_value(f, node, meaning(f, node, expected))
    return result if expected is None else coerce(f, node, result, expected)


def as_value(f: Frame, node: ast.expr, result: m.Result) -> e.Expression:
    """A meaning converted to a value; raises Refused if the meaning has no value."""
    match result:
        case e.Expression():
            return result
        case m.Literal(tuple() as items):
            return sequence(f, node, [as_value(f, node, names.outer(f, node, i)) for i in items], Kind.TUPLE)
        case m.TypeName(_, type) if not isinstance(type, t.Map | t.Seq | t.Bag):
            return e.Domain(kinds.as_kind(t.Set(type), Kind.TYPE))
        case m.Literal():
            f.refuse(node, "a string is used as a value", misspelt.instead_of_string(f, result.value))
        case m.Method():
            names_of = ", ".join(n for n, _ in result.method.parameters)
            f.refuse(node, f"{ast.unparse(node)} is a method", f"Call it: {ast.unparse(node)}({names_of}).")
        case m.Net():
            remedy = "Use .between(p, q), len(...), .send or .multicast."
            f.refuse(node, f"the network {ast.unparse(node)} is used as a value", remedy)
        case m.VariantName():
            fields = ", ".join(n for n, _ in result.record.fields)
            f.refuse(node, f"{ast.unparse(node)} is not a value", f"Construct one: {ast.unparse(node)}({fields}).")
        case _:
            remedy = "Values are variables, constants, parameters, and what is computed from them."
            f.refuse(node, f"{ast.unparse(node)} is not a value", remedy)


def test(f: Frame, node: ast.expr) -> e.Expression:
    """An expression as a condition."""
    if isinstance(node, ast.BoolOp):
        return _logic(f, node)
    result = meaning(f, node)
    if isinstance(result, m.Between):
        return build.compare(">", messages.number(f, node, result), build.integer(0))
    return condition(f, node, as_value(f, node, result))


NAMING = ast.Name | ast.Attribute | ast.Subscript | ast.IfExp | ast.Call
"""Expressions that may refer to an existing collection; any other expression makes a new one."""


def meaning(f: Frame, node: ast.expr, expected: t.Type | None = None) -> m.Result:
    """The meaning of an expression: a place if it names one, else a value of its own."""
    result = _meaning(f, node, expected)
    if (
        not isinstance(node, NAMING)
        and isinstance(result, e.Expression)
        and lattice.mutable(result.type)
        and entries_only(result)
    ):
        return build.copy(result)
    return result


def _meaning(f: Frame, node: ast.expr, expected: t.Type | None) -> m.Result:
    lower = lowering.EXPRESSIONS.get(type(node))
    if lower is None:
        what, remedy = ELSEWHERE.get(type(node), (type(node).__name__, "See the list of what methods may use."))
        f.refuse(node, f"{what} is not in the language", remedy)
    return lower(f, node, expected)


@lowering.expression(ast.Name)
def _name(f: Frame, node: ast.Name, expected: t.Type | None) -> m.Result:
    return names.name(f, node)


@lowering.expression(ast.Attribute)
def _attribute(f: Frame, node: ast.Attribute, expected: t.Type | None) -> m.Result:
    return names.attribute(f, node, meaning(f, node.value))


@lowering.expression(ast.Constant)
def _constant(f: Frame, node: ast.Constant, expected: t.Type | None) -> m.Result:
    return names.outer(f, node, node.value)


@lowering.expression(ast.GeneratorExp)
def _generator(f: Frame, node: ast.GeneratorExp, expected: t.Type | None) -> m.Result:
    remedy = (
        "It stands alone in any, all, sum, min, max, sorted, list, tuple, set or frozenset(...); write [...] for its "
        "items."
    )
    f.refuse(node, "a generator is used as a value: it can be walked once, has no items and is always true", remedy)


def _logic(f: Frame, node: ast.BoolOp) -> e.Expression:
    is_and = isinstance(node.op, ast.And)
    operands: list[e.Expression] = []
    for i, operand in enumerate(node.values):
        if i == 0:
            operands.append(test(f, operand))
        else:
            with f.body.lazy():
                operands.append(test(f, operand))
        last = operands[-1]
        if isinstance(last, e.Const) and bool(last.value) != is_and:
            break  # the later operands are never evaluated with these constants
    return build.conjunction(operands) if is_and else build.disjunction(operands)


@lowering.expression(ast.BoolOp)
def _truth_value(f: Frame, node: ast.BoolOp, expected: t.Type | None) -> e.Expression:
    """`and` and `or` as a value: of truth values only, because Python returns one of the operands."""
    for operand in node.values:
        if not isinstance(operand, ast.BoolOp):
            with f.body.lazy():
                type = value(f, operand).type
            if not isinstance(type, t.Bool | lattice.Nothing):
                f.refuse(operand, f"`and` and `or` of {type} as a value", "Compare: len(x) > 0, x is not None, x != 0.")
    return _logic(f, node)


@lowering.expression(ast.UnaryOp)
def _unary(f: Frame, node: ast.UnaryOp, expected: t.Type | None) -> e.Expression:
    match node.op:
        case ast.Not():
            return build.negate(test(f, node.operand))
        case ast.USub():
            return arithmetic(f, node, "-", build.integer(0), value(f, node.operand))
        case ast.UAdd():
            return integer(f, node, value(f, node.operand))
        case _:
            f.refuse(node, "~ is not in the language", "Write `not` for conditions.")


@lowering.expression(ast.BinOp)
def _binary(f: Frame, node: ast.BinOp, expected: t.Type | None) -> e.Expression:
    op = OPERATORS.get(type(node.op))
    if op is None:
        f.refuse(node, "this operator is not in the language", "There are + - * // % and for sets | & - ^.")
    hint = expected if isinstance(expected, t.Set | t.Seq) else None
    left, right = _operand(f, node.left, hint), _operand(f, node.right, hint)
    return binary(f, node, op, left, right)


def _operand(f: Frame, node: ast.expr, hint: t.Type | None) -> e.Expression:
    return as_value(f, node, meaning(f, node, hint if isinstance(node, ast.Set | ast.List | ast.Call) else None))


def binary(f: Frame, node: ast.AST, op: str, left: e.Expression, right: e.Expression) -> e.Expression:
    """left op right, for operands that are lowered already."""
    for operand in (left, right):
        settled(operand.type)
    left, right = (inside(o, line_of(node)) for o in (left, right))
    if isinstance(left.type, t.Set) and isinstance(right.type, t.Set) and op in "|&-^":
        if any(
            isinstance(o, e.Domain) and isinstance(o.type, t.Set) and isinstance(o.type.item, t.Enum)
            for o in (left, right)
        ):
            f.refuse(node, f"an Enum has no {op}", "Write set(...) around the Enum.")
        found = operations.result(f, node, "c | d", left.type, right.type)
        left, right = same(f, node, left, right)
        return e.SetOperation(kinds.as_kind(left.type, *found), op, left, right)
    if isinstance(left.type, t.Seq) and isinstance(right.type, t.Seq) and op == "+":
        return _concat(f, node, left, right)
    if lattice.mutable(left.type) or lattice.mutable(right.type):
        shown = f"{left.type} {op} {right.type}"
        f.refuse(node, f"{shown} has no meaning", remedies.to_compute(left.type, right.type, op))
    if op in "|&^":
        f.refuse(node, f"{op} is for sets", "Write `and`, `or`, `!=` for conditions.")
    return arithmetic(f, node, op, left, right)


def inside(value: e.Expression, at: int) -> e.Expression:
    """The item of an Optional, where a value is needed."""
    return value if isinstance(value, e.NoneValue) else present(value, at)


def _concat(f: Frame, node: ast.AST, left: e.Expression, right: e.Expression) -> e.Expression:
    assert isinstance(left.type, t.Seq) and isinstance(right.type, t.Seq)
    found = operations.result(f, node, "c + d", left.type, right.type)
    item = lattice.join(left.type.item, right.type.item)
    if item is None:
        remedy = "Join lists whose items have one type; [x] is the list with the item x."
        f.refuse(node, f"{left.type} + {right.type}: the items are unlike", remedy)
    n, k = left.type.capacity, right.type.capacity
    if isinstance(item, lattice.Nothing):
        return e.MakeSeq(kinds.as_kind(t.Seq(item, 0), *found), ())
    parts = coerce(f, node, left, t.Seq(item, n)), coerce(f, node, right, t.Seq(item, k))
    return e.Concat(kinds.as_kind(t.Seq(item, n + k), *found), *parts)


def arithmetic(f: Frame, node: ast.AST, op: str, left: e.Expression, right: e.Expression) -> e.Expression:
    """An operator on numbers."""
    result = build.arithmetic(op, integer(f, node, left), integer(f, node, right), line_of(node))
    if not build.fits_a_word(result):
        remedy = "Bound the operands: keep them in variables of a type Int(lo, hi)."
        f.refuse(node, "the result may not fit into 63 bits", remedy)
    return result


def same(f: Frame, node: ast.AST, left: e.Expression, right: e.Expression) -> tuple[e.Expression, e.Expression]:
    """Both values in the least type that holds both; raises Refused if they are unlike."""
    both = lattice.join(left.type, right.type)
    if both is None or isinstance(left.type, t.Bool) != isinstance(right.type, t.Bool):
        f.refuse(node, f"{left.type} and {right.type} are unlike", "Values of different types never mix.")
    return coerce(f, node, left, both), coerce(f, node, right, both)


@lowering.expression(ast.IfExp)
def _conditional(f: Frame, node: ast.IfExp, expected: t.Type | None) -> m.Result:
    chosen = test(f, node.test)
    if isinstance(chosen, e.Const):
        return meaning(f, node.body if chosen.value else node.orelse, expected)
    with f.body.lazy():
        then = as_value(f, node.body, meaning(f, node.body, expected))
        other = as_value(f, node.orelse, meaning(f, node.orelse, expected))
    then, other = same(f, node, then, other)
    return build.if_else(chosen, then, other)


def arithmetic_max(f: Frame, node: ast.AST, place: e.Expression) -> e.Expression:
    """max(place, 0)"""
    return arithmetic(f, node, "max", place, build.integer(0))
