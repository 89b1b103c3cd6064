"""Values of expressions, by walking the tree.  Every kind of node has one rule; raw values are never changed in place.

The rule is looked up by the class of the node: validation and the tests evaluate millions of nodes, and trying one
pattern after another took most of their time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from checker.ir import expressions as e
from checker.ir import types as t
from checker.ir.evaluate.environment import Environment, Failure, field_number, narrow, variant_number
from checker.ir.values import Raw, index, key, values

Rule = Callable[[Environment, Any], Raw]
RULES: dict[type[e.Expression], Rule] = {}


def evaluate(x: Environment, node: e.Expression) -> Raw:
    """The raw value of an expression; raises Failure."""
    return RULES[type(node)](x, node)


def _of(*kinds: type[e.Expression]) -> Callable[[Rule], Rule]:
    """The rule for nodes of these kinds."""

    def entered(rule: Rule) -> Rule:
        RULES.update(dict.fromkeys(kinds, rule))
        return rule

    return entered


# -- names and parts


@_of(e.Const)
def _const(x: Environment, node: e.Const) -> Raw:
    return node.value


@_of(e.Variable)
def _variable(x: Environment, node: e.Variable) -> Raw:
    return (x.before if node.before else x.state)[node.name]


@_of(e.Local)
def _local(x: Environment, node: e.Local) -> Raw:
    return x.names[node.name]


@_of(e.Index)
def _index(x: Environment, node: e.Index) -> Raw:
    whole, place = evaluate(x, node.base), evaluate(x, node.key)
    if isinstance(node.base.type, t.Map):
        return whole[index(node.base.type.key, place)]
    if not 0 <= place < len(whole):
        raise Failure("error", "index out of range", node.line)
    return whole[place]


@_of(e.Field)
def _field(x: Environment, node: e.Field) -> Raw:
    assert isinstance(node.base.type, t.Record)
    return evaluate(x, node.base)[field_number(node.base.type, node.name)]


@_of(e.VariantField)
def _variant_field(x: Environment, node: e.VariantField) -> Raw:
    held, parts = evaluate(x, node.value)
    union = node.value.type
    if held != variant_number(union, node.variant):
        raise Failure("error", f"not a {node.variant}", node.line)
    assert isinstance(union, t.Union)
    return parts[field_number(union.variants[held], node.name)]


@_of(e.Unwrap)
def _unwrap(x: Environment, node: e.Unwrap) -> Raw:
    raw = evaluate(x, node.value)
    if raw is None:
        raise Failure("error", "none has no value", node.line)
    return raw


@_of(e.IsVariant)
def _is_variant(x: Environment, node: e.IsVariant) -> Raw:
    return int(evaluate(x, node.value)[0] == variant_number(node.value.type, node.variant))


@_of(e.IsNone)
def _is_none(x: Environment, node: e.IsNone) -> Raw:
    return int(evaluate(x, node.value) is None)


@_of(e.After)
def _after(x: Environment, node: e.After) -> Raw:
    for part in node.earlier:
        evaluate(x, part)
    return evaluate(x, node.value)


@_of(e.Call)
def _call(x: Environment, node: e.Call) -> Raw:
    return x.call(x, x.model.function(node.function), [evaluate(x, a) for a in node.arguments])


# -- truth values and numbers


@_of(e.Not)
def _not(x: Environment, node: e.Not) -> Raw:
    return 1 - evaluate(x, node.value)


@_of(e.And)
def _and(x: Environment, node: e.And) -> Raw:
    return int(all(evaluate(x, o) for o in node.operands))


@_of(e.Or)
def _or(x: Environment, node: e.Or) -> Raw:
    return int(any(evaluate(x, o) for o in node.operands))


@_of(e.IfElse)
def _if_else(x: Environment, node: e.IfElse) -> Raw:
    return evaluate(x, node.then if evaluate(x, node.condition) else node.other)


@_of(e.Compare)
def _compare(x: Environment, node: e.Compare) -> Raw:
    a, b = evaluate(x, node.left), evaluate(x, node.right)
    if node.operator == "==":
        return int(a == b)
    if node.operator == "!=":
        return int(a != b)
    p, q = key(node.left.type, a), key(node.right.type, b)
    return int({"<": p < q, "<=": p <= q, ">": p > q, ">=": p >= q}[node.operator])


@_of(e.Arithmetic)
def _arithmetic(x: Environment, node: e.Arithmetic) -> Raw:
    operator, a, b = node.operator, evaluate(x, node.left), evaluate(x, node.right)
    if operator in ("//", "%") and b == 0:
        raise Failure("error", "division by zero", node.line)
    match operator:
        case "+":
            return a + b
        case "-":
            return a - b
        case "*":
            return a * b
        case "//":
            return a // b
        case "%":
            return a % b
        case "min":
            return min(a, b)
    return max(a, b)


# -- collections


@_of(e.SetOperation)
def _set_operation(x: Environment, node: e.SetOperation) -> Raw:
    a, b = evaluate(x, node.left), evaluate(x, node.right)
    return {"|": a | b, "&": a & b, "-": a - b, "^": a ^ b}[node.operator]


@_of(e.Subset)
def _subset(x: Environment, node: e.Subset) -> Raw:
    a, b = evaluate(x, node.left), evaluate(x, node.right)
    return int(a < b if node.proper else a <= b)


@_of(e.Contains)
def _contains(x: Environment, node: e.Contains) -> Raw:
    sought = evaluate(x, node.item)
    return int(sought in evaluate(x, node.container))


@_of(e.Length)
def _length(x: Environment, node: e.Length) -> Raw:
    return len(evaluate(x, node.value))


@_of(e.Count)
def _count(x: Environment, node: e.Count) -> Raw:
    return evaluate(x, node.container).count(evaluate(x, node.item))


# -- what is made


@_of(e.NoneValue)
def _none(x: Environment, node: e.NoneValue) -> Raw:
    return None


@_of(e.Some, e.Ordinal)
def _same(x: Environment, node: e.Some | e.Ordinal) -> Raw:
    return evaluate(x, node.value)


@_of(e.FromOrdinal)
def _from_ordinal(x: Environment, node: e.FromOrdinal) -> Raw:
    assert isinstance(node.type, t.Enum | t.Ids)
    place = evaluate(x, node.value)
    if not 0 <= place < len(node.type.members):
        raise Failure("error", "index out of range", node.line)
    return place


@_of(e.Narrow)
def _narrow(x: Environment, node: e.Narrow) -> Raw:
    return narrow(node.type, evaluate(x, node.value), node.line)


@_of(e.MakeRecord)
def _record(x: Environment, node: e.MakeRecord) -> Raw:
    return tuple([evaluate(x, f) for f in node.fields])


@_of(e.MakeVariant)
def _variant(x: Environment, node: e.MakeVariant) -> Raw:
    return (variant_number(node.type, node.variant), tuple([evaluate(x, f) for f in node.fields]))


@_of(e.MakeSet)
def _set(x: Environment, node: e.MakeSet) -> Raw:
    return frozenset([evaluate(x, i) for i in node.items])


@_of(e.MakeSeq)
def _seq(x: Environment, node: e.MakeSeq) -> Raw:
    return tuple([evaluate(x, i) for i in node.items])


@_of(e.EmptyBag)
def _empty_bag(x: Environment, node: e.EmptyBag) -> Raw:
    return ()


@_of(e.Everywhere)
def _everywhere(x: Environment, node: e.Everywhere) -> Raw:
    assert isinstance(node.type, t.Map)
    return (evaluate(x, node.value),) * sum(1 for _ in values(node.type.key))


@_of(e.Concat)
def _concat(x: Environment, node: e.Concat) -> Raw:
    return evaluate(x, node.left) + evaluate(x, node.right)


@_of(e.Slice)
def _slice(x: Environment, node: e.Slice) -> Raw:
    first = 0 if node.start is None else evaluate(x, node.start)
    return evaluate(x, node.value)[first : None if node.stop is None else evaluate(x, node.stop)]


@_of(e.Domain)
def _domain(x: Environment, node: e.Domain) -> Raw:
    assert isinstance(node.type, t.Set)
    return frozenset(values(node.type.item))


@_of(e.Range)
def _range(x: Environment, node: e.Range) -> Raw:
    return tuple(range(evaluate(x, node.start), evaluate(x, node.stop)))


# -- loops


def items(type: t.Type, raw: Raw) -> list[Raw]:
    """The items of a set, sequence or bag in the order of loops; of a bag the distinct ones."""
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


@_of(e.Quantifier)
def _quantifier(x: Environment, node: e.Quantifier) -> Raw:
    bodies = (evaluate(y, node.body) for y in generate(x, node.generators))
    return int(any(bodies) if node.operator == "any" else all(bodies))


@_of(e.SetOf)
def _set_of(x: Environment, node: e.SetOf) -> Raw:
    return frozenset(evaluate(y, node.body) for y in generate(x, node.generators))


@_of(e.SeqOf)
def _seq_of(x: Environment, node: e.SeqOf) -> Raw:
    assert isinstance(node.type, t.Seq)
    result: list[Raw] = []
    for y in generate(x, node.generators):
        result.append(evaluate(y, node.body))
        if len(result) > node.type.capacity:
            raise Failure("error", "overflow", node.line)
    return tuple(result)


@_of(e.MapOf)
def _map_of(x: Environment, node: e.MapOf) -> Raw:
    assert isinstance(node.type, t.Map)
    return tuple(evaluate(x.bound(node.local, r), node.body) for r in values(node.type.key))


@_of(e.Aggregate)
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


@_of(e.Sorted)
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
