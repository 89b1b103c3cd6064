"""Python expressions to typed expressions: operators, comparisons, displays, indexing.

`meaning` gives whatever an expression stands for, `value` insists on a run-time value.  `expected` is the type that the context would like; it only
guides displays (the empty set has no type of its own) and never replaces the check that coercion makes.
"""

from __future__ import annotations

import ast

from checker.frontend import build, calls, comprehensions, lattice, names, networks
from checker.frontend import meaning as m
from checker.frontend.coerce import coerce, condition, convert_empty, fits, integer, length, line
from checker.frontend.scope import Frame, Incomplete
from checker.ir import expressions as e
from checker.ir import types as t
from checker.language.domains import RecordDomain

Result = e.Expression | m.Meaning

OPERATORS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.FloorDiv: "//", ast.Mod: "%", ast.BitOr: "|", ast.BitAnd: "&", ast.BitXor: "^"}
COMPARISONS = {ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
FLIPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}


def value(f: Frame, node: ast.expr, expected: t.Type | None = None) -> e.Expression:
    """A run-time value, coerced to `expected` if that is given."""
    result = as_value(f, node, meaning(f, node, expected))
    return result if expected is None else coerce(f, node, result, expected)


def as_value(f: Frame, node: ast.expr, result: Result) -> e.Expression:
    """What a meaning is as a value; Refused if it is none."""
    match result:
        case e.Expression():
            return result
        case m.Literal(tuple() as items):
            return sequence(f, node, [as_value(f, node, names.outer(f, node, i)) for i in items])
        case m.TypeName(_, type) if not isinstance(type, t.Map | t.Seq | t.Bag):
            return e.Domain(t.Set(type))
        case m.Literal():
            f.refuse(node, "a string is used as a value", "Strings are for constants and comparisons with them; use an Enum.")
        case m.Method():
            f.refuse(node, f"{ast.unparse(node)} is a method", "Call it: add (...).")
        case m.Net():
            f.refuse(node, f"the network {ast.unparse(node)} is used as a value", "Use .between(p, q), len(...), .send or .multicast.")
        case _:
            f.refuse(node, f"{ast.unparse(node)} is not a value", "")


def test(f: Frame, node: ast.expr) -> e.Expression:
    """An expression as a condition."""
    result = meaning(f, node)
    if isinstance(result, m.Between):
        return build.compare(">", networks.number(f, node, result), build.integer(0))
    return condition(f, node, as_value(f, node, result))


def meaning(f: Frame, node: ast.expr, expected: t.Type | None = None) -> Result:
    """What an expression stands for."""
    match node:
        case ast.Name():
            return names.name(f, node)
        case ast.Attribute():
            return names.attribute(f, node, meaning(f, node.value))
        case ast.Constant():
            return names.outer(f, node, node.value)
        case ast.Call():
            return calls.call(f, node, expected)
        case ast.BoolOp():
            return _logic(f, node)
        case ast.UnaryOp():
            return _unary(f, node)
        case ast.BinOp():
            return _binary(f, node, expected)
        case ast.Compare():
            return _comparison(f, node)
        case ast.IfExp():
            return _conditional(f, node, expected)
        case ast.Subscript():
            return _subscript(f, node)
        case ast.Tuple() | ast.List() | ast.Set() | ast.Dict():
            return _display(f, node, expected)
        case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
            return comprehensions.collection(f, node, expected)
        case _:
            f.refuse(node, f"{type(node).__name__} is not in the language", "See the list of what methods may use.")


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
            break  # what follows is never evaluated, in no configuration with these constants
    return build.conjunction(operands) if is_and else build.disjunction(operands)


def _unary(f: Frame, node: ast.UnaryOp) -> e.Expression:
    match node.op:
        case ast.Not():
            return build.negate(test(f, node.operand))
        case ast.USub():
            return arithmetic(f, node, "-", build.integer(0), value(f, node.operand))
        case ast.UAdd():
            return integer(f, node, value(f, node.operand))
        case _:
            f.refuse(node, "~ is not in the language", "Write `not` for conditions.")


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
    """left op right for values at hand."""
    for operand in (left, right):
        if isinstance(operand.type, lattice.Nothing):
            raise Incomplete
    left, right = (inside(o, line(node)) for o in (left, right))
    if isinstance(left.type, t.Set) and isinstance(right.type, t.Set) and op in "|&-^":
        left, right = same(f, node, left, right)
        return e.SetOperation(left.type, op, left, right)
    if isinstance(left.type, t.Seq) and isinstance(right.type, t.Seq) and op == "+":
        return _concat(f, node, left, right)
    if lattice.mutable(left.type) or lattice.mutable(right.type):
        remedy = "Write set(...) around the other operand." if isinstance(left.type, t.Set) or isinstance(right.type, t.Set) else ""
        f.refuse(node, f"{lattice.describe(left.type)} {op} {lattice.describe(right.type)} has no meaning", remedy)
    if op in "|&^":
        f.refuse(node, f"{op} is for sets", "Write `and`, `or`, `!=` for conditions.")
    return arithmetic(f, node, op, left, right)


def inside(value: e.Expression, at: int) -> e.Expression:
    """What an Optional holds, where a value is needed."""
    return e.Unwrap(value.type.item, value, at) if isinstance(value.type, t.Optional) and not isinstance(value, e.NoneValue) else value


def _concat(f: Frame, node: ast.AST, left: e.Expression, right: e.Expression) -> e.Expression:
    assert isinstance(left.type, t.Seq) and isinstance(right.type, t.Seq)
    item = lattice.join(left.type.item, right.type.item)
    if item is None:
        f.refuse(node, f"{lattice.describe(left.type)} + {lattice.describe(right.type)}: the items are unlike", "")
    n, k = left.type.capacity, right.type.capacity
    if isinstance(left, e.MakeSeq) and not left.items:
        return right
    if isinstance(right, e.MakeSeq) and not right.items:
        return left
    parts = coerce(f, node, left, t.Seq(item, n)), coerce(f, node, right, t.Seq(item, k))
    return e.Concat(t.Seq(item, n + k), *parts)


def arithmetic(f: Frame, node: ast.AST, op: str, left: e.Expression, right: e.Expression) -> e.Expression:
    """An operator on numbers."""
    result = build.arithmetic(op, integer(f, node, left), integer(f, node, right), line(node))
    if result is None:
        f.refuse(node, "the result may not fit into 63 bits", "Bound the operands: keep them in variables of a type Int(lo, hi).")
    return result


def same(f: Frame, node: ast.AST, left: e.Expression, right: e.Expression) -> tuple[e.Expression, e.Expression]:
    """Both values in the least type that holds both; Refused if they are unlike."""
    both = lattice.join(left.type, right.type)
    if both is None or isinstance(left.type, t.Bool) != isinstance(right.type, t.Bool):
        f.refuse(node, f"{lattice.describe(left.type)} and {lattice.describe(right.type)} are unlike", "Values of different types never mix.")
    return coerce(f, node, left, both), coerce(f, node, right, both)


# Comparisons


def _comparison(f: Frame, node: ast.Compare) -> e.Expression:
    parts = []
    left = meaning(f, node.left)
    for op, right_node in zip(node.ops, node.comparators):
        right = meaning(f, right_node)
        parts.append(_one(f, node, op, left, right, right_node))
        left = right
    return build.conjunction(parts)


def _one(f: Frame, node: ast.Compare, op: ast.cmpop, left: Result, right: Result, right_node: ast.expr) -> e.Expression:
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
        return build.boolean(build.COMPARISONS[symbol](left.value, right.value))
    if isinstance(left, m.TypeName) or isinstance(right, m.TypeName):
        f.refuse(node, "a type is compared with a value", "Write set(...) around the type for the set of its values.")
    return equal_or_ordered(f, node, symbol, as_value(f, node.left, left), as_value(f, right_node, right))


def equal_or_ordered(f: Frame, node: ast.AST, symbol: str, left: e.Expression, right: e.Expression) -> e.Expression:
    """left symbol right, for any two values of like types."""
    for side, other in ((left, right), (right, left)):
        if isinstance(other, e.NoneValue):
            return _is_none(f, node, symbol, side)
    if isinstance(left.type, lattice.Nothing) or isinstance(right.type, lattice.Nothing):
        raise Incomplete
    if isinstance(left.type, t.Set) and isinstance(right.type, t.Set) and symbol not in ("==", "!="):
        left, right = same(f, node, left, right)
        small, big = (left, right) if symbol in ("<", "<=") else (right, left)
        return e.Subset(build.BOOL, small, big, symbol in ("<", ">"))
    left, right = _comparable(f, node, left, right)
    if symbol not in ("==", "!="):
        ordered(f, node, left.type)
    return build.compare(symbol, left, right)


def _is_none(f: Frame, node: ast.AST, symbol: str, side: e.Expression) -> e.Expression:
    if symbol not in ("==", "!="):
        f.refuse(node, "None has no order", "Write `is None` or `is not None`.")
    if isinstance(side, e.NoneValue):
        return build.boolean(symbol == "==")
    result = e.IsNone(build.BOOL, side) if isinstance(side.type, t.Optional) else build.FALSE
    return build.negate(result) if symbol == "!=" else result


def _comparable(f: Frame, node: ast.AST, left: e.Expression, right: e.Expression) -> tuple[e.Expression, e.Expression]:
    if isinstance(left.type, t.Int | t.Bool) and isinstance(right.type, t.Int | t.Bool):
        return (left, right) if left.type == right.type else (integer(f, node, left), integer(f, node, right))
    both = lattice.join(left.type, right.type)
    if both is None:
        shown = f"{lattice.describe(left.type)} is compared with {lattice.describe(right.type)}"
        f.refuse(node, f"{shown}: they are never equal and have no order", "Compare values of one type.")
    return coerce(f, node, left, both), coerce(f, node, right, both)


def ordered(f: Frame, node: ast.AST, type: t.Type) -> None:
    """Refuse types whose values Python does not order, and symmetric ones."""
    if lattice.symmetric(type):
        f.refuse(node, f"{lattice.describe(type)} is symmetric: its values have no order", "Compare for equality only, or remove symmetric=True.")
    if isinstance(type, t.Seq | t.Bag | t.Map | t.Set):
        f.refuse(node, f"{lattice.describe(type)} values have no order", "Compare their lengths or items.")
    if isinstance(type, t.Enum | t.Optional | t.Union):
        f.refuse(node, f"{lattice.describe(type)} values have no order in Python", "Compare for equality, or order by a number.")


def _member(f: Frame, node: ast.Compare, item: Result, container: Result, container_node: ast.expr) -> e.Expression:
    if isinstance(container_node, ast.Tuple | ast.List | ast.Set) and container_node.elts:
        options = [meaning(f, o) for o in container_node.elts]
        return build.disjunction(_one(f, node, ast.Eq(), item, o, n) for o, n in zip(options, container_node.elts))
    if isinstance(item, m.Literal) and isinstance(container, m.Literal):
        return build.boolean(item.value in container.value)
    if isinstance(container, m.Between):
        return networks.found(f, node, container, as_value(f, node.left, item))
    return contains(f, node, as_value(f, node.left, item), as_value(f, container_node, container))


def contains(f: Frame, node: ast.AST, item: e.Expression, container: e.Expression) -> e.Expression:
    """item in container; false for items that the container's type cannot hold."""
    if isinstance(container, e.Range):
        number = integer(f, node, item)
        return build.conjunction([build.compare("<=", container.start, number), build.compare("<", number, container.stop)])
    match container.type:
        case t.Set(inner) | t.Seq(inner, _, _) | t.Bag(inner, _, _):
            pass
        case t.Map(key, _):
            container, inner = e.Domain(t.Set(key)), key
        case lattice.Nothing():
            raise Incomplete
        case type:
            f.refuse(node, f"{lattice.describe(type)} is no collection", "`in` needs a set, sequence, bag or type on the right.")
    if isinstance(inner, lattice.Nothing):
        return build.FALSE
    if lattice.join(item.type, inner) is None:
        shown = f"{lattice.describe(item.type)} is never in {lattice.describe(container.type)}"
        f.refuse(node, shown, f"The items are of type {lattice.describe(inner)}.")
    if isinstance(item, e.NoneValue) and not isinstance(inner, t.Optional):
        return build.FALSE
    guard = fits(item, inner)
    inside = coerce(f, node, item, inner)
    found = build.TRUE if isinstance(container, e.Domain) else e.Contains(build.BOOL, container, inside)
    return build.conjunction([guard, found])


# Conditional, indexing, displays


def _conditional(f: Frame, node: ast.IfExp, expected: t.Type | None) -> Result:
    chosen = test(f, node.test)
    if isinstance(chosen, e.Const):
        return meaning(f, node.body if chosen.value else node.orelse, expected)
    with f.body.lazy():
        then = as_value(f, node.body, meaning(f, node.body, expected))
        other = as_value(f, node.orelse, meaning(f, node.orelse, expected))
    then, other = same(f, node, then, other)
    return build.if_else(chosen, then, other)


def _subscript(f: Frame, node: ast.Subscript) -> Result:
    base = meaning(f, node.value)
    if isinstance(base, m.TypeName):
        return _member_of_type(f, node, base)
    if isinstance(base, m.Literal) and isinstance(base.value, tuple):
        return _of_tuple(f, node, base)
    container = as_value(f, node.value, base)
    if isinstance(container.type, t.Optional):
        container = e.Unwrap(container.type.item, container, node.lineno)
    return index(f, node, container)


def _member_of_type(f: Frame, node: ast.Subscript, base: m.TypeName) -> e.Expression:
    number = integer(f, node.slice, value(f, node.slice))
    if isinstance(base.type, t.Ids) and base.type.symmetric:
        f.refuse(node, f"{base.type.name} is symmetric: no member can be named", "Quantify: any(... for q in ...), or choose one.")
    if isinstance(number, e.Const) and isinstance(base.type, t.Ids | t.Enum):
        if not 0 <= number.value < len(base.type.members):
            f.refuse(node, f"{base.type.name} has no member {number.value}", f"It has {len(base.type.members)} members, counted from 0.")
        return e.Const(base.type, number.value)
    if isinstance(base.type, t.Int):
        return coerce(f, node, arithmetic(f, node, "+", number, build.integer(base.type.lo)), base.type)
    if not isinstance(base.type, t.Ids | t.Enum):
        f.refuse(node, f"{lattice.describe(base.type)} cannot be indexed", "Index Ids and Enum types.")
    return e.FromOrdinal(base.type, number, node.lineno)


def _of_tuple(f: Frame, node: ast.Subscript, base: m.Literal) -> Result:
    if not isinstance(node.slice, ast.Slice):
        place = value(f, node.slice)
        if isinstance(place, e.Const):
            if not -len(base.value) <= place.value < len(base.value):
                f.refuse(node, f"the constant has no item {place.value}", f"It has {len(base.value)} items.")
            return names.outer(f, node, base.value[place.value])
    return index(f, node, as_value(f, node.value, base))


def index(f: Frame, node: ast.Subscript, container: e.Expression) -> e.Expression:
    """container[...]"""
    if isinstance(node.slice, ast.Slice):
        return _slice(f, node, node.slice, container)
    match container.type:
        case t.Map(key, type):
            return e.Index(type, container, value(f, node.slice, key), node.lineno)
        case t.Seq(type, _, _):
            return e.Index(type, container, sequence_index(f, node.slice, container), node.lineno)
        case t.Record(_, fields):
            place = value(f, node.slice)
            if not isinstance(place, e.Const) or not 0 <= place.value < len(fields):
                f.refuse(node, f"a record is indexed with something other than 0..{len(fields) - 1}", "Use its field names.")
            name, type = fields[place.value]
            return container.fields[place.value] if isinstance(container, e.MakeRecord) else e.Field(type, container, name)
        case lattice.Nothing():
            raise Incomplete
        case type:
            f.refuse(node, f"{lattice.describe(type)} cannot be indexed", "Maps, sequences and records can.")


def sequence_index(f: Frame, node: ast.expr, container: e.Expression) -> e.Expression:
    """An index into a sequence: negative ones count from the end."""
    place = integer(f, node, value(f, node))
    assert isinstance(place.type, t.Int)
    if place.type.lo >= 0:
        return place
    from_end = arithmetic(f, node, "+", length(container), place)
    if place.type.hi < 0:
        return from_end
    test = build.compare("<", place, build.integer(0))
    both = t.Int(min(from_end.type.lo, place.type.lo), max(from_end.type.hi, place.type.hi))  # type: ignore[attr-defined]
    return build.if_else(test, coerce(f, node, from_end, both), coerce(f, node, place, both))


def _slice(f: Frame, node: ast.Subscript, part: ast.Slice, container: e.Expression) -> e.Expression:
    if part.step is not None:
        f.refuse(node, "a slice with a step", "Write a comprehension over range(...).")
    if isinstance(container.type, lattice.Nothing):
        raise Incomplete
    if not isinstance(container.type, t.Seq):
        f.refuse(node, f"{lattice.describe(container.type)} cannot be sliced", "Sequences can.")
    start, stop = (None if b is None else _bound(f, b, container) for b in (part.lower, part.upper))
    return e.Slice(t.Seq(container.type.item, container.type.capacity), container, start, stop, node.lineno)


def _bound(f: Frame, node: ast.expr, container: e.Expression) -> e.Expression:
    place = sequence_index(f, node, container)
    assert isinstance(place.type, t.Int)
    return place if place.type.lo >= 0 else arithmetic_max(f, node, place)


def arithmetic_max(f: Frame, node: ast.AST, place: e.Expression) -> e.Expression:
    """max(place, 0)"""
    return arithmetic(f, node, "max", place, build.integer(0))


def sequence(f: Frame, node: ast.AST, items: list[e.Expression], item: t.Type = lattice.NOTHING) -> e.Expression:
    """The sequence of these values."""
    type = _items_type(f, node, items, item)
    if isinstance(type, lattice.Nothing):
        return e.MakeSeq(t.Seq(type, 0), ())
    return e.MakeSeq(t.Seq(type, len(items)), tuple(coerce(f, node, i, type) for i in items))


def _items_type(f: Frame, node: ast.AST, items: list[e.Expression], item: t.Type) -> t.Type:
    for i in items:
        joined = lattice.join(item, i.type)
        if joined is None:
            f.refuse(node, f"{lattice.describe(item)} and {lattice.describe(i.type)} in one collection", "All items are of one type.")
        item = joined
    return item


def _display(f: Frame, node: ast.Tuple | ast.List | ast.Set | ast.Dict, expected: t.Type | None) -> Result:
    if isinstance(node, ast.Dict):
        return comprehensions.dictionary(f, node, expected)
    if any(isinstance(i, ast.Starred) for i in node.elts):
        f.refuse(node, "* in a display", "Write [*a, b] as a + [b], and {*a, b} as a | {b}.")
    if isinstance(node, ast.Tuple) and not isinstance(expected, t.Seq):
        return _tuple(f, node, expected)
    hint = expected.item if isinstance(expected, t.Set | t.Seq) else None
    items = [as_value(f, i, meaning(f, i, hint)) for i in node.elts]
    if not isinstance(node, ast.Set):
        return sequence(f, node, items)
    type = _items_type(f, node, items, lattice.NOTHING)
    if lattice.unknown(type):
        raise Incomplete
    return e.MakeSet(set_type(f, node, type), tuple(coerce(f, node, i, type) for i in items))


def set_type(f: Frame, node: ast.AST, item: t.Type) -> t.Set:
    """The set type of these items; Refused if they cannot be members."""
    from checker.ir.domain import size

    count = size(item)
    if count is None or count > 1 << 16:
        f.refuse(node, f"a set of {lattice.describe(item)}: too many possible members", "Use a list, or bound the members by a declared type Int(lo, hi).")
    return t.Set(item)


def _tuple(f: Frame, node: ast.Tuple, expected: t.Type | None) -> Result:
    if isinstance(expected, t.Optional):
        expected = expected.item
    fields = [type for _, type in expected.fields] if isinstance(expected, t.Record) and len(expected.fields) == len(node.elts) else None
    parts = [meaning(f, i, fields[k] if fields else None) for k, i in enumerate(node.elts)]
    items = [as_value(f, n, p) for n, p in zip(node.elts, parts)]
    return e.MakeRecord(lattice.tuple_type([i.type for i in items]), tuple(items))


__all__ = ["RecordDomain", "as_value", "convert_empty", "meaning", "test", "value"]
