"""Values of expressions, by walking the tree.  Every kind of node has one rule; raw values are never changed in place.

The rule is looked up by the class of the node: validation and the tests evaluate millions of nodes, and trying one
pattern after another took most of their time.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from typing import Any

from checker.ir import expressions as e
from checker.ir import types as t
from checker.ir.evaluate.environment import Environment, Failure, narrow
from checker.ir.values import Raw, index, key, values

Rule = Callable[[Environment, Any], Raw]

OPERATORS: dict[str, Callable[[Raw, Raw], Raw]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "//": operator.floordiv,
    "%": operator.mod,
    "min": min,
    "max": max,
    "|": operator.or_,
    "&": operator.and_,
    "^": operator.xor,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
"""Of numbers, of sets, and of keys in the canonical order."""


def evaluate(x: Environment, node: e.Expression) -> Raw:
    """The raw value of an expression; raises Failure."""
    return RULES[type(node)](x, node)


def _each(x: Environment, nodes: tuple[e.Expression, ...]) -> list[Raw]:
    return [evaluate(x, node) for node in nodes]


# -- names and parts


def _index(x: Environment, node: e.Index) -> Raw:
    whole, place = evaluate(x, node.base), evaluate(x, node.key)
    if isinstance(node.base.type, t.Map):
        return whole[index(node.base.type.key, place)]
    if not 0 <= place < len(whole):
        raise Failure("error", "index out of range", node.line)
    return whole[place]


def _variant_field(x: Environment, node: e.VariantField) -> Raw:
    held, parts = evaluate(x, node.value)
    union = node.value.type
    if held != t.variant_number(union, node.variant):
        raise Failure("error", f"not a {node.variant}", node.line)
    assert isinstance(union, t.Union)
    return parts[t.field_number(union.variants[held], node.name)]


def _unwrap(x: Environment, node: e.Unwrap) -> Raw:
    raw = evaluate(x, node.value)
    if raw is None:
        raise Failure("error", "none has no value", node.line)
    return raw


def _after(x: Environment, node: e.After) -> Raw:
    _each(x, node.earlier)
    return evaluate(x, node.value)


# -- truth values, numbers, members of types


def _compare(x: Environment, node: e.Compare) -> Raw:
    a, b = evaluate(x, node.left), evaluate(x, node.right)
    if node.operator in ("==", "!="):
        return int((a == b) == (node.operator == "=="))
    return int(OPERATORS[node.operator](key(node.left.type, a), key(node.right.type, b)))


def _operation(x: Environment, node: e.Arithmetic | e.SetOperation) -> Raw:
    a, b = evaluate(x, node.left), evaluate(x, node.right)
    if node.operator in ("//", "%") and b == 0:
        raise Failure("error", "division by zero", node.line)  # type: ignore[union-attr]
    return OPERATORS[node.operator](a, b)


def _from_ordinal(x: Environment, node: e.FromOrdinal) -> Raw:
    assert isinstance(node.type, t.Enum | t.Ids)
    place = evaluate(x, node.value)
    if not 0 <= place < len(node.type.members):
        raise Failure("error", "index out of range", node.line)
    return place


def _slice(x: Environment, node: e.Slice) -> Raw:
    first = 0 if node.start is None else evaluate(x, node.start)
    return _roomy(node.type, evaluate(x, node.value)[first : None if node.stop is None else evaluate(x, node.stop)])


def _roomy(type: t.Type, raw: Raw) -> Raw:
    """The items; a sequence of the type has room for them unless it was shortened (`ir.fitted`)."""
    assert isinstance(type, t.Seq)
    if type.grow is not None and len(raw) > type.capacity:
        raise Failure("grow", type.grow, 0)
    return raw


# -- loops


def items(type: t.Type, raw: Raw) -> list[Raw]:
    """The items of a set, sequence or bag in the order of loops; for a bag the distinct items."""
    match type:
        case t.Set(item):
            return sorted(raw, key=lambda r: index(item, r))
        case t.Bag():
            return list(dict.fromkeys(raw))
    return list(raw)


def generate(x: Environment, generators: tuple[e.Generator, ...]) -> Iterator[Environment]:
    """An environment for each binding of the generators."""
    if not generators:
        yield x
        return
    first = generators[0]
    for value in items(first.iterable.type, evaluate(x, first.iterable)):
        inner = x.bound(first.local, value)
        if all(evaluate(inner, c) for c in first.conditions):
            yield from generate(inner, generators[1:])


def _quantifier(x: Environment, node: e.Quantifier) -> Raw:
    bodies = (evaluate(y, node.body) for y in generate(x, node.generators))
    return int(any(bodies) if node.operator == "any" else all(bodies))


def _seq_of(x: Environment, node: e.SeqOf) -> Raw:
    assert isinstance(node.type, t.Seq)
    result: list[Raw] = []
    for y in generate(x, node.generators):
        result.append(evaluate(y, node.body))
        if len(result) > node.type.capacity:
            raise Failure("error", "overflow", node.line)
    return tuple(result)


def _aggregate(x: Environment, node: e.Aggregate) -> Raw:
    raws = [evaluate(y, node.body) for y in generate(x, node.generators)]
    if node.operator == "sum":
        return sum(raws)
    if not raws:
        if node.default is None:
            raise Failure("error", node.failure, node.line)
        return evaluate(x, node.default)
    choose = min if node.operator == "min" else max
    return choose(raws, key=lambda r: key(node.type, r))


def _sorted(x: Environment, node: e.Sorted) -> Raw:
    whole = evaluate(x, node.value)
    raws = items(node.value.type, whole) if isinstance(node.value.type, t.Set) else list(whole)
    assert isinstance(node.type, t.Seq)
    item = node.type.item

    def order(raw: Raw) -> Raw:
        if node.key is None or node.local is None:
            return key(item, raw)
        return key(node.key.type, evaluate(x.bound(node.local, raw), node.key))

    keyed = [(order(raw), raw) for raw in raws]
    return tuple(raw for _, raw in sorted(keyed, key=lambda pair: pair[0], reverse=node.reverse))


RULES: dict[type[e.Expression], Rule] = {
    e.Const: lambda x, node: node.value,
    e.Variable: lambda x, node: (x.before if node.before else x.state)[node.name],
    e.Local: lambda x, node: x.names[node.name],
    e.Index: _index,
    e.Field: lambda x, node: evaluate(x, node.base)[t.field_number(node.base.type, node.name)],
    e.VariantField: _variant_field,
    e.Unwrap: _unwrap,
    e.IsVariant: lambda x, node: int(evaluate(x, node.value)[0] == t.variant_number(node.value.type, node.variant)),
    e.IsNone: lambda x, node: int(evaluate(x, node.value) is None),
    e.After: _after,
    e.Call: lambda x, node: x.call(x, x.model.function(node.function), _each(x, node.arguments)),
    e.Not: lambda x, node: 1 - evaluate(x, node.value),
    e.And: lambda x, node: int(all(evaluate(x, o) for o in node.operands)),
    e.Or: lambda x, node: int(any(evaluate(x, o) for o in node.operands)),
    e.IfElse: lambda x, node: evaluate(x, node.then if evaluate(x, node.condition) else node.other),
    e.Compare: _compare,
    e.Arithmetic: _operation,
    e.SetOperation: _operation,
    e.Subset: lambda x, node: int(OPERATORS["<" if node.proper else "<="](*_each(x, (node.left, node.right)))),
    e.Contains: lambda x, node: int(evaluate(x, node.item) in evaluate(x, node.container)),
    e.Length: lambda x, node: len(evaluate(x, node.value)),
    e.Count: lambda x, node: evaluate(x, node.container).count(evaluate(x, node.item)),
    e.NoneValue: lambda x, node: None,
    e.Some: lambda x, node: evaluate(x, node.value),
    e.Ordinal: lambda x, node: evaluate(x, node.value),
    e.FromOrdinal: _from_ordinal,
    e.Narrow: lambda x, node: narrow(node.type, evaluate(x, node.value), node.line),
    e.MakeRecord: lambda x, node: tuple(_each(x, node.fields)),
    e.MakeVariant: lambda x, node: (t.variant_number(node.type, node.variant), tuple(_each(x, node.fields))),
    e.MakeSet: lambda x, node: frozenset(_each(x, node.items)),
    e.MakeSeq: lambda x, node: tuple(_each(x, node.items)),
    e.EmptyBag: lambda x, node: (),
    e.Everywhere: lambda x, node: (evaluate(x, node.value),) * sum(1 for _ in values(node.type.key)),
    e.Concat: lambda x, node: _roomy(node.type, evaluate(x, node.left) + evaluate(x, node.right)),
    e.Slice: _slice,
    e.Domain: lambda x, node: frozenset(values(node.type.item)),
    e.Range: lambda x, node: tuple(range(evaluate(x, node.start), evaluate(x, node.stop))),
    e.Quantifier: _quantifier,
    e.SetOf: lambda x, node: frozenset(evaluate(y, node.body) for y in generate(x, node.generators)),
    e.SeqOf: _seq_of,
    e.MapOf: lambda x, node: tuple(evaluate(x.bound(node.local, r), node.body) for r in values(node.type.key)),
    e.Aggregate: _aggregate,
    e.Sorted: _sorted,
}
"""How each kind of expression is evaluated."""
