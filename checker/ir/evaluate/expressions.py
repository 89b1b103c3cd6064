"""Values of expressions, by walking the tree.  Every rule is one case; raw values are never changed in place."""

from __future__ import annotations

from collections.abc import Iterator

from checker.ir import expressions as e
from checker.ir import types as t
from checker.ir.evaluate.environment import Environment, Failure, field_number, narrow, variant_number
from checker.ir.values import Raw, index, key, values


def evaluate(x: Environment, node: e.Expression) -> Raw:
    """The raw value of an expression; raises Failure."""
    match node:
        case e.Const(_, value):
            return value
        case e.Variable(_, name, before):
            return (x.before if before else x.state)[name]
        case e.Local(_, name):
            return x.names[name]
        case e.Index() | e.Field() | e.VariantField() | e.Unwrap() | e.IsVariant() | e.IsNone():
            return _part(x, node)
        case e.Not() | e.And() | e.Or() | e.IfElse() | e.Compare() | e.Arithmetic():
            return _scalar(x, node)
        case e.SetOperation() | e.Subset() | e.Contains() | e.Length() | e.Count():
            return _container(x, node)
        case e.Quantifier() | e.Aggregate() | e.SetOf() | e.SeqOf() | e.MapOf() | e.Sorted():
            return _loop(x, node)
        case e.After(_, earlier, value):
            for part in earlier:
                evaluate(x, part)
            return evaluate(x, value)
        case e.Call(_, function, arguments):
            return x.call(x, x.model.function(function), [evaluate(x, a) for a in arguments])
    return _constructed(x, node)


def _part(x: Environment, node: e.Expression) -> Raw:
    match node:
        case e.Index(_, base, k, line):
            whole, place = evaluate(x, base), evaluate(x, k)
            if isinstance(base.type, t.Map):
                return whole[index(base.type.key, place)]
            if not 0 <= place < len(whole):
                raise Failure("error", "index out of range", line)
            return whole[place]
        case e.Field(_, base, name):
            assert isinstance(base.type, t.Record)
            return evaluate(x, base)[field_number(base.type, name)]
        case e.VariantField(_, value, variant, name, line):
            held, parts = evaluate(x, value)
            if held != variant_number(value.type, variant):
                raise Failure("error", f"not a {variant}", line)
            assert isinstance(value.type, t.Union)
            return parts[field_number(value.type.variants[held], name)]
        case e.Unwrap(_, value, line):
            raw = evaluate(x, value)
            if raw is None:
                raise Failure("error", "none has no value", line)
            return raw
        case e.IsVariant(_, value, variant):
            return int(evaluate(x, value)[0] == variant_number(value.type, variant))
        case e.IsNone(_, value):
            return int(evaluate(x, value) is None)
    raise TypeError(node)


def _scalar(x: Environment, node: e.Expression) -> Raw:
    match node:
        case e.Not(_, value):
            return 1 - evaluate(x, value)
        case e.And(_, operands):
            return int(all(evaluate(x, o) for o in operands))
        case e.Or(_, operands):
            return int(any(evaluate(x, o) for o in operands))
        case e.IfElse(_, condition, then, other):
            return evaluate(x, then if evaluate(x, condition) else other)
        case e.Compare(_, operator, left, right):
            a, b = evaluate(x, left), evaluate(x, right)
            if operator in ("==", "!="):
                return int((a == b) == (operator == "=="))
            p, q = key(left.type, a), key(right.type, b)
            return int({"<": p < q, "<=": p <= q, ">": p > q, ">=": p >= q}[operator])
        case e.Arithmetic(_, operator, left, right, line):
            return _arithmetic(operator, evaluate(x, left), evaluate(x, right), line)
    raise TypeError(node)


def _arithmetic(operator: str, a: int, b: int, line: int) -> int:
    if operator in ("//", "%") and b == 0:
        raise Failure("error", "division by zero", line)
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


def _container(x: Environment, node: e.Expression) -> Raw:
    match node:
        case e.SetOperation(_, operator, left, right):
            a, b = evaluate(x, left), evaluate(x, right)
            return {"|": a | b, "&": a & b, "-": a - b, "^": a ^ b}[operator]
        case e.Subset(_, left, right, proper):
            a, b = evaluate(x, left), evaluate(x, right)
            return int(a < b if proper else a <= b)
        case e.Contains(_, container, item):
            sought = evaluate(x, item)
            return int(sought in evaluate(x, container))
        case e.Length(_, value):
            return len(evaluate(x, value))
        case e.Count(_, container, item):
            return evaluate(x, container).count(evaluate(x, item))
    raise TypeError(node)


def _constructed(x: Environment, node: e.Expression) -> Raw:
    match node:
        case e.NoneValue():
            return None
        case e.Some(_, value):
            return evaluate(x, value)
        case e.Ordinal(_, value):
            return evaluate(x, value)
        case e.FromOrdinal(type, value, line):
            assert isinstance(type, t.Enum | t.Ids)
            place = evaluate(x, value)
            if not 0 <= place < len(type.members):
                raise Failure("error", "index out of range", line)
            return place
        case e.Narrow(type, value, line):
            return narrow(type, evaluate(x, value), line)
        case e.MakeRecord(_, fields):
            return tuple(evaluate(x, f) for f in fields)
        case e.MakeVariant(type, variant, fields):
            return (variant_number(type, variant), tuple(evaluate(x, f) for f in fields))
        case e.MakeSet(_, items):
            return frozenset(evaluate(x, i) for i in items)
        case e.MakeSeq(_, items):
            return tuple(evaluate(x, i) for i in items)
        case e.EmptyBag():
            return ()
        case e.Everywhere(t.Map(k, _), value):
            return (evaluate(x, value),) * sum(1 for _ in values(k))
        case e.Concat(_, left, right):
            return evaluate(x, left) + evaluate(x, right)
        case e.Slice(_, value, start, stop):
            first = 0 if start is None else evaluate(x, start)
            return evaluate(x, value)[first : None if stop is None else evaluate(x, stop)]
        case e.Domain(t.Set(item)):
            return frozenset(values(item))
        case e.Range(_, start, stop):
            return tuple(range(evaluate(x, start), evaluate(x, stop)))
    raise TypeError(node)


# -- loops
# ---------------------------------------------------------------------------------------------------------------


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


def _loop(x: Environment, node: e.Expression) -> Raw:
    match node:
        case e.Quantifier(_, operator, generators, body):
            bodies = (evaluate(y, body) for y in generate(x, generators))
            return int(any(bodies) if operator == "any" else all(bodies))
        case e.Aggregate():
            return _aggregate(x, node)
        case e.SetOf(_, generators, body):
            return frozenset(evaluate(y, body) for y in generate(x, generators))
        case e.SeqOf(t.Seq(_, capacity), generators, body, line):
            result: tuple[Raw, ...] = ()
            for y in generate(x, generators):
                result = (*result, evaluate(y, body))
                if len(result) > capacity:
                    raise Failure("error", "overflow", line)
            return result
        case e.MapOf(t.Map(k, _), local, body):
            return tuple(evaluate(x.bound(local, r), body) for r in values(k))
        case e.Sorted():
            return _sorted(x, node)
    raise TypeError(node)


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
