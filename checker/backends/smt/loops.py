"""Comprehensions and quantifiers: every possible item of an iterable with the condition under which it occurs."""

from __future__ import annotations

from collections.abc import Iterator

from checker.backends.smt import scalars as c
from checker.backends.smt import sequences as q
from checker.backends.smt.environment import Environment, apart
from checker.backends.smt.values import Value, equal, less, lift, members, pick, zero
from checker.ir import expressions as e
from checker.ir import types as t

LONGEST_RANGE = 4096


def items(x: Environment, iterable: e.Expression) -> list[tuple[c.Bit, Value]]:
    """The possible items in the order of loops, each with the condition under which it occurs."""
    match iterable:
        case e.Domain(t.Set(item)):
            return [(True, lift(item, raw)) for raw in members(item)]
        case e.Range(_, start, stop):
            return _range(x.value(start), x.value(stop), start.type, stop.type)
    whole = x.value(iterable)
    match iterable.type:
        case t.Set(item):
            found = [(held, lift(item, raw)) for raw, held in zip(members(item), whole)]
        case t.Bag():
            found = list(zip(q.distinct(iterable.type, whole), whole[1]))
        case _:
            found = [(c.less(i, whole[0]), v) for i, v in enumerate(whole[1])]
    return [(there, v) for there, v in found if there is not False]


def _range(start: c.Int, stop: c.Int, a: t.Type, b: t.Type) -> list[tuple[c.Bit, Value]]:
    if isinstance(start, int) and isinstance(stop, int):
        return [(True, i) for i in range(start, stop)]
    assert isinstance(a, t.Int) and isinstance(b, t.Int)
    lo, hi = start if isinstance(start, int) else a.lo, stop if isinstance(stop, int) else b.hi
    return [
        (c.conjunction([c.negation(c.less(i, start)), c.less(i, stop)]), i)
        for i in range(lo, min(hi, lo + LONGEST_RANGE))
    ]


def generate(x: Environment, generators: tuple[e.Generator, ...]) -> Iterator[tuple[c.Bit, Environment]]:
    """An environment for each possible binding of the generators, with its condition."""
    if not generators:
        yield True, x
        return
    first = generators[0]
    for there, value in items(x, first.iterable):
        inner = x.bound(first.local, value).restricted(there)
        conditions: list[c.Bit] = [there]
        for condition in first.conditions:
            truth = inner.value(condition)
            conditions.append(truth)
            inner = inner.restricted(truth)
            if truth is False:
                break
        guard = c.conjunction(conditions)
        if guard is not False:
            for deeper, y in generate(inner, generators[1:]):
                yield c.conjunction([guard, deeper]), y


def loop(x: Environment, node: e.Expression) -> Value:
    """The value of a comprehension."""
    match node:
        case e.Quantifier():
            return _quantifier(x, node)
        case e.Aggregate():
            return _aggregate(x, node)
        case e.SetOf(t.Set(item), generators, body):
            found = [(guard, y.value(body)) for guard, y in generate(x, generators)]
            return tuple(
                c.disjunction(c.conjunction([g, equal(item, v, item, lift(item, raw))]) for g, v in found)
                for raw in members(item)
            )
        case e.SeqOf():
            return _sequence(x, node)
        case e.MapOf(t.Map(key, _), local, body):
            return tuple(x.bound(local, lift(key, raw)).value(body) for raw in members(key))
        case e.Sorted():
            return _sorted(x, node)
    raise TypeError(node)


def _quantifier(x: Environment, node: e.Quantifier) -> c.Bit:
    """any, all: nothing is evaluated after a value that decides."""
    decisive: list[c.Bit] = []
    bindings = generate(x, node.generators)
    while True:
        x.run.clock.tick()
        with apart(x.run) as gathered:
            found = next(bindings, None)
            truth = False if found is None else found[1].value(node.body)
        x.include(*gathered, where=c.negation(c.disjunction(decisive)) if gathered[0] else True)
        if found is None:
            break
        decisive.append(c.conjunction([found[0], truth if node.operator == "any" else c.negation(truth)]))
        if decisive[-1] is True:
            break
    any_one = c.disjunction(decisive)
    return any_one if node.operator == "any" else c.negation(any_one)


def _aggregate(x: Environment, node: e.Aggregate) -> Value:
    found = [(guard, y.value(node.body)) for guard, y in generate(x, node.generators)]
    if node.operator == "sum":
        truths = isinstance(node.body.type, t.Bool)
        summed = c.total([c.pick_integer(guard, c.as_integer(v) if truths else v, 0) for guard, v in found])
        return c.fitted(summed, node.type.lo, node.type.hi) if isinstance(node.type, t.Int) else summed
    best, some = zero(node.type), c.disjunction(guard for guard, _ in found)
    if node.default is None:
        x.fail("error", node.failure, node.line, c.negation(some))
    elif some is not True:
        best = x.restricted(c.negation(some)).value(node.default)
    seen: c.Bit = False
    for guard, value in found:
        better = less(node.type, value, best) if node.operator == "min" else less(node.type, best, value)
        best = pick(c.conjunction([guard, c.disjunction([c.negation(seen), better])]), value, best)
        seen = c.disjunction([seen, guard])
    return best


def _sequence(x: Environment, node: e.SeqOf) -> Value:
    result = zero(node.type)
    capacity = q.capacity_of(node.type)
    for guard, y in generate(x, node.generators):
        value = y.value(node.body)
        x.fail("error", "overflow", node.line, c.conjunction([guard, c.equal(result[0], capacity)]))
        result = pick(guard, q.appended(node.type, result, value), result)
    return result


def _sorted(x: Environment, node: e.Sorted) -> Value:
    """Stable insertion of the items into a sorted sequence, one after the other."""
    whole = x.value(node.value)
    if isinstance(node.value.type, t.Set):
        inner = node.value.type.item
        found = [(held, lift(inner, raw)) for raw, held in zip(members(inner), whole) if held is not False]
    else:
        found = [(c.less(i, whole[0]), v) for i, v in enumerate(whole[1])]
    result = zero(node.type)
    keys: list[tuple[c.Bit, Value]] = []
    for guard, value in found:
        if guard is False:
            continue
        key_type, key = _key(x, node, value, guard)
        order = [less(key_type, old, key) if node.reverse else less(key_type, key, old) for _, old in keys]
        # the place among the items so far: the number of existing items that are not greater than the new one
        place = c.count(c.conjunction([there, c.negation(behind)]) for (there, _), behind in zip(keys, order))
        result = pick(guard, q.inserted(node.type, result, place, value), result)
        keys.append((guard, key))
    return result


def _key(x: Environment, node: e.Sorted, value: Value, guard: c.Bit) -> tuple[t.Type, Value]:
    if node.key is None or node.local is None:
        return q.item_of(node.type), value
    return node.key.type, x.bound(node.local, value).restricted(guard).value(node.key)
