"""Loops over iterables, and the expressions that are loops: quantifiers, aggregates, comprehensions.

Short loops over constant domains are written out, so that their indices are constants; quantifiers over them whose
bodies cannot fail become straight-line logic.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod

from checker.backends.native import access, domain, sequences, sets
from checker.backends.native.analysis import weight
from checker.backends.native.assembly import Operand
from checker.backends.native.compare import compare
from checker.backends.native.context import Context, Ref, Value, builds, evaluates
from checker.backends.native.expressions import reference, through_memory
from checker.backends.native.packing import count, is_atom
from checker.ir import expressions as e
from checker.ir import types as t
from checker.ir.facts import may_fail

LIMIT = 16
"""Domains of so many values or fewer may be written out."""
WORK = 160
"""A written-out loop has at most so many operations."""

Body = Callable[[Value], None]


def iterate(f: Context, iterable: e.Expression, work: int, body: Body) -> None:
    """Emit `body` for each item.  `work`: the weight of the body, which decides about writing the loop out."""
    match iterable:
        case e.Domain(t.Set(item)):
            size = count(item)
            unroll = size if size <= LIMIT and size * work <= WORK else 1
            access.repeat(f, size, lambda i: body(domain.at(f, item, i)), unroll=unroll)
        case e.Range(_, start, stop):
            _range(f, f.operand(start), f.operand(stop), work, body)
        case _:
            each(f, reference(f, iterable), work, body)


def each(f: Context, place: Ref, work: int, body: Body) -> None:
    """Emit `body` for each item of a set, sequence or bag (of a bag: each distinct item)."""
    match place.type:
        case t.Set(item):
            unroll = 8 if 8 * work <= WORK // 2 else 0
            sets.each(f, place, lambda i: body(domain.at(f, item, i)), unroll)
        case t.Seq():
            number = access.number(f, access.length(f, place))
            access.count_up(f, number, lambda i: body(access.load(f, access.item(f, place, i))))
        case t.Bag():
            _each_distinct(f, place, body)
        case _:
            raise TypeError(f"{place.type} is not iterable")


def _range(f: Context, start: Operand, stop: Operand, work: int, body: Body) -> None:
    constant = isinstance(start, int) and isinstance(stop, int)
    if constant and int(stop) - int(start) <= LIMIT and (int(stop) - int(start)) * work <= WORK:
        for i in range(int(start), int(stop)):
            body(i)
        return
    access.count_up(f, stop, body, start)


def _each_distinct(f: Context, place: Ref, body: Body) -> None:
    b = f.b
    number = access.number(f, access.length(f, place))

    def one(i: Operand) -> None:
        fresh, old = b.new_label(), b.new_label()
        new = b.compare("eq", i, 0)
        previous = b.select(new, 0, b.sub(i, 1))
        held = access.load(f, access.item(f, place, i))
        kind = access.item(f, place, i).type
        again = compare(f, "==", kind, held, kind, access.load(f, access.item(f, place, previous)))
        b.branch(b.bit_or(new, b.negate(again)), fresh, old)
        b.label(fresh)
        body(held)
        b.label(old)

    access.count_up(f, number, one)


def generate(f: Context, generators: tuple[e.Generator, ...], work: int, body: Callable[[], None]) -> None:
    """Emit `body` for each binding of the generators."""
    if not generators:
        body()
        return
    first, rest = generators[0], generators[1:]
    work += sum(weight(c) for c in first.conditions)
    inner = work * (30 if rest else 1)

    def one(value: Value) -> None:
        with f.bound(first.local.name, value):
            skip = f.b.new_label()
            for condition in first.conditions:
                go = f.b.new_label()
                f.b.branch(f.operand(condition), go, skip)
                f.b.label(go)
            generate(f, rest, work, body)
            f.b.label(skip)

    iterate(f, first.iterable, inner, one)


# -- quantifiers
# -----------------------------------------------------------------------------------------------------------


@evaluates(e.Quantifier)
def _quantifier(f: Context, node: e.Quantifier) -> Value:
    if _straight(node.generators, node.body):
        absent = 0 if node.operator == "any" else 1
        join = f.b.bit_or if node.operator == "any" else f.b.bit_and

        def term(guard: Operand) -> Operand:
            if isinstance(guard, int) and not guard:
                return absent
            value = f.operand(node.body)
            return f.b.bit_and(guard, value) if absent == 0 else f.b.bit_or(f.b.negate(guard), value)

        return _fold(f, node.generators, 1, absent, join, term)
    return _quantifier_loop(f, node)


def _quantifier_loop(f: Context, node: e.Quantifier) -> Operand:
    b = f.b
    slot, end = b.slot(), b.new_label()
    absent = 0 if node.operator == "any" else 1
    b.store(absent, slot)

    def one() -> None:
        decided, go = b.new_label(), b.new_label()
        value = f.operand(node.body)
        b.branch(value, go if absent else decided, decided if absent else go)
        b.label(decided)
        b.store(1 - absent, slot)
        b.jump(end)
        b.label(go)

    generate(f, node.generators, weight(node.body), one)
    b.label(end)
    return b.load(slot)


def _straight(generators: tuple[e.Generator, ...], body: e.Expression) -> bool:
    """Whether the loop is short and cannot fail."""
    sizes = [_constant_size(g.iterable) for g in generators]
    if None in sizes or prod(s for s in sizes if s is not None) > LIMIT:
        return False
    work = weight(body) + sum(weight(c) for g in generators for c in g.conditions)
    total = work * prod(s for s in sizes if s is not None)
    return total <= WORK and not may_fail((body, *(c for g in generators for c in g.conditions)))


def _constant_size(iterable: e.Expression) -> int | None:
    if isinstance(iterable.type, t.Set) and is_atom(iterable.type) and not may_fail(iterable):
        return count(iterable.type.item)
    return None


def _fold(
    f: Context,
    generators: tuple[e.Generator, ...],
    guard: Operand,
    start: Operand,
    join: Callable[[Operand, Operand], Operand],
    term: Callable[[Operand], Operand],
) -> Operand:
    """Join the terms of all bindings; each term gets the condition under which it counts."""
    if not generators:
        return term(guard)
    first, rest = generators[0], generators[1:]
    iterable = first.iterable
    assert isinstance(iterable.type, t.Set)
    mask: Operand = -1 if isinstance(iterable, e.Domain) else f.operand(iterable)
    result = start
    for i in range(count(iterable.type.item)):
        here = f.b.bit_and(guard, f.b.bit_and(f.b.lshr(mask, i), 1))
        with f.bound(first.local.name, domain.at(f, iterable.type.item, i)):
            for condition in first.conditions:
                if isinstance(here, str) or here:
                    here = f.b.bit_and(here, f.operand(condition))
            result = join(result, _fold(f, rest, here, start, join, term))
    return result


# -- aggregates
# ------------------------------------------------------------------------------------------------------------


@evaluates(e.Aggregate)
def _aggregate(f: Context, node: e.Aggregate) -> Value:
    if node.operator == "sum":
        return _sum(f, node)
    b, place, seen = f.b, access.temporary(f, node.type), f.b.slot()
    b.store(0, seen)
    access.clear(f, place)

    def one() -> None:
        value = f.evaluate(node.body)
        better = compare(f, "<" if node.operator == "min" else ">", node.type, value, node.type, access.load(f, place))
        with f.when(b.bit_or(b.compare("eq", b.load(seen), 0), better)):
            access.store(f, place, value)
        b.store(1, seen)

    generate(f, node.generators, weight(node.body) + 5, one)
    _default(f, node, place, seen)
    return access.load(f, place)


def _default(f: Context, node: e.Aggregate, place: Ref, seen: str) -> None:
    b = f.b
    if node.default is None:
        f.check(b.load(seen), node.failure, node.line)
        return
    with f.when(b.compare("eq", b.load(seen), 0)):
        f.build(node.default, place)


def _sum(f: Context, node: e.Aggregate) -> Operand:
    b = f.b
    if _straight(node.generators, node.body):
        return _fold(f, node.generators, 1, 0, b.add, lambda guard: b.select(guard, f.operand(node.body), 0))
    total = b.slot()
    b.store(0, total)
    work = weight(node.body)
    generate(f, node.generators, work, lambda: b.store(b.add(b.load(total), f.operand(node.body)), total))
    return b.load(total)


# -- comprehensions
# --------------------------------------------------------------------------------------------------------


evaluates(e.SetOf, e.SeqOf, e.Sorted)(through_memory)


@builds(e.SetOf)
def _build_set(f: Context, node: e.SetOf, target: Ref) -> None:
    assert isinstance(node.type, t.Set)
    item = node.type.item
    access.clear(f, target)
    body = node.body

    def one() -> None:
        sets.insert(f, target, domain.place(f, item, f.operand(body)))

    generate(f, node.generators, weight(body), one)


@builds(e.SeqOf)
def _build_seq(f: Context, node: e.SeqOf, target: Ref) -> None:
    access.clear(f, target)
    work = weight(node.body) + 10
    generate(f, node.generators, work, lambda: sequences.append(f, target, f.evaluate(node.body), node.line))


@builds(e.Sorted)
def _build_sorted(f: Context, node: e.Sorted, target: Ref) -> None:
    """Insertion sort: each item goes behind all that are not greater (in reverse: not less)."""
    assert isinstance(node.type, t.Seq)
    access.clear(f, target)
    keys = _keys(f, node)
    operator = ">=" if node.reverse else "<="

    def one(value: Value) -> None:
        key = value
        if node.key is not None:
            assert node.local is not None
            with f.bound(node.local.name, value):
                key = f.evaluate(node.key)
        order = keys if keys is not None else target
        assert isinstance(order.type, t.Seq)
        kind = order.type.item
        at = sequences.position(f, order, lambda held: compare(f, operator, kind, held, kind, key))
        if keys is not None:
            sequences.insert(f, keys, at, key, 0)
        sequences.insert(f, target, at, value, 0)

    _each_copy(f, node.value, one)


def _keys(f: Context, node: e.Sorted) -> Ref | None:
    if node.key is None:
        return None
    assert isinstance(node.type, t.Seq)
    return access.zeroed(f, t.Seq(node.key.type, node.type.capacity))


def _each_copy(f: Context, iterable: e.Expression, body: Body) -> None:
    """Like `iterate`, but a bag yields every copy."""
    if not isinstance(iterable.type, t.Bag):
        iterate(f, iterable, WORK, body)
        return
    place = reference(f, iterable)
    number = access.number(f, access.length(f, place))
    access.count_up(f, number, lambda i: body(access.load(f, access.item(f, place, i))))
