"""Symbolic values of expressions: one case for each node, in the order of the reference evaluator.

Errors are those of the reference evaluator: an operand that it does not evaluate (after `and`, in the branch not taken)
contributes none.
"""

from __future__ import annotations

from collections.abc import Iterable

from checker.backends.smt import scalars as c
from checker.backends.smt import sequences as q
from checker.backends.smt.environment import Environment, Unsupported, apart
from checker.backends.smt.loops import loop
from checker.backends.smt.values import (
    Value,
    equal,
    fingerprint,
    less,
    lift,
    members,
    memberships,
    pick,
    place_of,
    select,
    zero,
)
from checker.ir import expressions as e
from checker.ir import types as t


def evaluate(x: Environment, node: e.Expression) -> Value:
    """The value of an expression; errors go to the run."""
    match node:
        case e.Const(type, value):
            return bool(value) if isinstance(type, t.Bool) else value
        case e.Variable(_, name, before):
            return (x.before if before else x.state)[name]
        case e.Local(type, name):
            return x.names[name][1] if name in x.names else zero(type)
        case e.Quantifier() | e.Aggregate() | e.SetOf() | e.SeqOf() | e.MapOf() | e.Sorted():
            return loop(x, node)
        case e.After(_, earlier, value):
            for part in earlier:
                evaluate(x, part)
            return evaluate(x, value)
        case e.Call():
            return _call(x, node)
    return _part(x, node)


def _part(x: Environment, node: e.Expression) -> Value:
    match node:
        case e.Index(type, base, key, line):
            whole, place = evaluate(x, base), evaluate(x, key)
            if isinstance(base.type, t.Map):
                return select(type, whole, place_of(base.type.key, place))
            x.fail("error", "index out of range", line, c.negation(inside(place, whole[0])))
            return select(type, whole[1], place)
        case e.Field(_, base, name):
            return evaluate(x, base)[t.field_number(base.type, name)]
        case e.VariantField(_, value, variant, name, line):
            tag, parts = evaluate(x, value)
            held = t.variant_number(value.type, variant)
            x.fail("error", f"not a {variant}", line, c.negation(c.equal(tag, held)))
            assert isinstance(value.type, t.Union)
            return parts[held][t.field_number(value.type.variants[held], name)]
        case e.Unwrap(_, value, line):
            present, inner = evaluate(x, value)
            x.fail("error", "none has no value", line, c.negation(present))
            return inner
        case e.IsVariant(_, value, variant):
            return c.equal(evaluate(x, value)[0], t.variant_number(value.type, variant))
        case e.IsNone(_, value):
            return c.negation(evaluate(x, value)[0])
        case e.Ordinal(_, value):
            return evaluate(x, value)
        case e.FromOrdinal(type, value, line):
            place = evaluate(x, value)
            x.fail("error", "index out of range", line, c.negation(c.between(place, 0, len(members(type)) - 1)))
            return c.fitted(place, 0, len(members(type)) - 1)
    return _scalar(x, node)


def inside(place: c.Int, length: c.Int) -> c.Bit:
    """0 <= place < length."""
    return c.conjunction([c.negation(c.less(place, 0)), c.less(place, length)])


def _scalar(x: Environment, node: e.Expression) -> Value:
    match node:
        case e.Not(_, value):
            return c.negation(evaluate(x, value))
        case e.And(_, operands):
            return _connected(x, operands, True)
        case e.Or(_, operands):
            return _connected(x, operands, False)
        case e.IfElse(_, condition, then, other):
            decided = evaluate(x, condition)
            if isinstance(decided, bool):
                return evaluate(x, then if decided else other)
            a, b = evaluate(x.restricted(decided), then), evaluate(x.restricted(c.negation(decided)), other)
            return pick(decided, a, b)
        case e.Compare(_, operator, left, right):
            return compare(operator, left.type, evaluate(x, left), right.type, evaluate(x, right))
        case e.Arithmetic(type, operator, left, right, line):
            a, b = evaluate(x, left), evaluate(x, right)
            if operator in ("//", "%"):
                x.fail("error", "division by zero", line, c.equal(b, 0))
            result = c.arithmetic(operator, a, b)
            return c.fitted(result, type.lo, type.hi) if isinstance(type, t.Int) else result
    return _container(x, node)


def _connected(x: Environment, operands: Iterable[e.Expression], conjunctive: bool) -> c.Bit:
    """and, or: an operand is evaluated under the condition that the operands before it do not decide the result."""
    values: list[c.Bit] = []
    join = c.conjunction if conjunctive else c.disjunction
    for operand in operands:
        so_far = join(values)
        if so_far is (not conjunctive):
            break
        open = so_far if conjunctive else c.negation(so_far)
        values.append(evaluate(x if isinstance(open, bool) else x.restricted(open), operand))
    return join(values)


def compare(operator: str, kind: t.Type, a: Value, other: t.Type, b: Value) -> c.Bit:
    """A comparison of values of like types."""
    match operator:
        case "==":
            return equal(kind, a, other, b)
        case "!=":
            return c.negation(equal(kind, a, other, b))
        case "<":
            return less(kind, a, b, other)
        case ">":
            return less(other, b, a, kind)
        case "<=":
            return c.negation(less(other, b, a, kind))
    return c.negation(less(kind, a, b, other))


def _container(x: Environment, node: e.Expression) -> Value:
    match node:
        case e.SetOperation(_, operator, left, right):
            join = {"|": lambda p, r: c.disjunction([p, r]), "&": lambda p, r: c.conjunction([p, r])}
            join |= {
                "-": lambda p, r: c.conjunction([p, c.negation(r)]),
                "^": lambda p, r: c.negation(c.same_truth(p, r)),
            }
            return tuple(join[operator](p, r) for p, r in zip(evaluate(x, left), evaluate(x, right)))
        case e.Subset(_, left, right, proper):
            assert isinstance(left.type, t.Set) and isinstance(right.type, t.Set)
            pairs = list(memberships(left.type.item, evaluate(x, left), right.type.item, evaluate(x, right)))
            within = c.conjunction(c.implies(p, r) for p, r in pairs)
            more = c.disjunction(c.conjunction([r, c.negation(p)]) for p, r in pairs)
            return c.conjunction([within, more]) if proper else within
        case e.Contains(_, container, item):
            return c.disjunction(_occurrences(x, container, item))
        case e.Length(_, value):
            whole = evaluate(x, value)
            return c.count(whole) if isinstance(value.type, t.Set) else whole[0]
        case e.Count(_, container, item):
            return c.count(_occurrences(x, container, item))
    return _constructed(x, node)


def _occurrences(x: Environment, container: e.Expression, item: e.Expression) -> list[c.Bit]:
    """For each place of a container the condition that it holds the item."""
    match container:
        case e.Domain():
            evaluate(x, item)
            return [True]
        case e.Range(_, start, stop):
            lo, hi, value = evaluate(x, start), evaluate(x, stop), evaluate(x, item)
            return [c.conjunction([c.negation(c.less(value, lo)), c.less(value, hi)])]
    whole, value = evaluate(x, container), evaluate(x, item)
    if isinstance(container.type, t.Set):
        inner = container.type.item
        return [
            c.conjunction([held, equal(item.type, value, inner, lift(inner, raw))])
            for raw, held in zip(members(inner), whole)
        ]
    assert isinstance(container.type, t.Seq | t.Bag)
    return [
        c.conjunction([c.less(i, whole[0]), equal(item.type, value, container.type.item, v)])
        for i, v in enumerate(whole[1])
    ]


def _constructed(x: Environment, node: e.Expression) -> Value:
    match node:
        case e.NoneValue(type):
            return zero(type)
        case e.Some(_, value):
            return True, evaluate(x, value)
        case e.Narrow(type, value, line):
            return narrow(x, type, value.type, evaluate(x, value), line)
        case e.MakeRecord(_, fields):
            return tuple(evaluate(x, f) for f in fields)
        case e.MakeVariant(type, variant, fields):
            held = t.variant_number(type, variant)
            assert isinstance(type, t.Union)
            inner = tuple(evaluate(x, f) for f in fields)
            return held, tuple(inner if i == held else zero(v) for i, v in enumerate(type.variants))
        case e.MakeSet(t.Set(item), items):
            values = [evaluate(x, i) for i in items]
            return tuple(c.disjunction(equal(item, v, item, lift(item, raw)) for v in values) for raw in members(item))
        case e.MakeSeq(t.Seq(item, capacity, _), items):
            given = tuple(evaluate(x, i) for i in items)
            return len(given), (*given, *(zero(item),) * (capacity - len(given)))
        case e.EmptyBag(type):
            return zero(type)
        case e.Everywhere(t.Map(key, _), value):
            return (evaluate(x, value),) * len(members(key))
        case e.Concat(type, left, right):
            return q.concatenated(type, left.type, evaluate(x, left), right.type, evaluate(x, right))
        case e.Slice(type, value, start, stop):
            first = 0 if start is None else evaluate(x, start)
            return q.sliced(type, value.type, evaluate(x, value), first, None if stop is None else evaluate(x, stop))
        case e.Domain(t.Set(item)):
            return (True,) * len(members(item))
    raise Unsupported(f"{node.__class__.__name__} has no symbolic form")


def narrow(x: Environment | None, to: t.Type, kind: t.Type, value: Value, line: int = 0) -> Value:
    """A value converted to a like type with other bounds; a value that does not fit is an error.  Without an
    environment: to a type that holds all values of its own type (checker.ir.common).
    """
    if to == kind:
        return value
    match to, kind:
        case t.Int(lo, hi), t.Int() if x is not None:
            x.fail("error", "out of range", line, c.negation(c.between(value, lo, hi)))
            return c.fitted(value, lo, hi) if not isinstance(value, int) else min(max(value, lo), hi)
        case t.Optional(item), t.Optional(inner):
            return value[0], narrow(x and x.restricted(value[0]), item, inner, value[1], line)
        case t.Optional(item), _:
            return True, narrow(x, item, kind, value, line)
        case t.Record(_, fields), t.Record(_, inner_fields):
            return tuple(narrow(x, f, g, v, line) for (_, f), (_, g), v in zip(fields, inner_fields, value))
        case t.Union(_, variants), t.Union(_, others):
            return value[0], tuple(narrow(x, v, w, part, line) for v, w, part in zip(variants, others, value[1]))
        case t.Map(_, item), t.Map(_, inner):
            return tuple(narrow(x, item, inner, v, line) for v in value)
        case t.Set(item), t.Set(inner):
            held, kept = dict(zip(members(inner), value)), dict.fromkeys(members(item))
            if x is not None:
                x.fail("error", "out of range", line, c.disjunction(v for raw, v in held.items() if raw not in kept))
            return tuple(held.get(raw, False) for raw in kept)
        case ((t.Seq(item, capacity, _) | t.Bag(item, capacity, _)), (t.Seq(inner, _, _) | t.Bag(inner, _, _))):
            length = value[0]
            if x is not None:
                x.fail("error", "overflow", line, c.less(capacity, length))
                length = c.fitted(length, 0, capacity) if not isinstance(length, int) else min(length, capacity)
            slots = [
                narrow(x and x.restricted(c.less(i, value[0])), item, inner, v, line)
                for i, v in enumerate(value[1][:capacity])
            ]
            return length, (*slots, *(zero(item),) * (capacity - len(slots)))
    return value


def _call(x: Environment, node: e.Call) -> Value:
    """The result of a rule; the same call in the same state is evaluated once."""
    arguments = [evaluate(x, a) for a in node.arguments]
    function = x.model.function(node.function)
    key = (node.function, x.version, tuple(map(fingerprint, arguments)))
    if key not in x.run.calls:
        with apart(x.run) as gathered:
            value = x.meaning.apply(x, function, arguments)
        x.run.calls[key] = value, gathered, arguments
    value, gathered, _ = x.run.calls[key]
    x.include(*gathered)
    return value
