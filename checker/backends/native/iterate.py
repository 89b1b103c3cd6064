"""Loops over iterables, and the expressions that are loops: quantifiers, aggregates, comprehensions.

Short loops over constant domains are written out, so that their indices are constants; quantifiers over them whose
bodies cannot fail become straight-line logic.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import prod

from checker.assembly import Operand
from checker.backends.native import access, domain, sequences, sets
from checker.backends.native.analysis import weight
from checker.backends.native.compare import compare
from checker.backends.native.context import Context, Ref, Value, builds, evaluates
from checker.backends.native.expressions import reference
from checker.backends.native.packing import count, is_atom
from checker.ir import expressions as e
from checker.ir import types as t
from checker.ir.facts import may_fail, reads

LIMIT = 16
"""Domains of at most this many values may be unrolled."""
WORK = 160
"""The largest number of operations of an unrolled loop."""


def iterate(f: Context, iterable: e.Expression, work: int) -> Iterator[Value]:
    """Each item, for a Python loop that emits the body.  `work`: the weight of the body, which decides whether the loop
    is unrolled.
    """
    match iterable:
        case e.Domain(t.Set(item)):
            size = count(item)
            for i in f.b.repeat(size, size if size <= LIMIT and size * work <= WORK else 1):
                yield domain.at(f, item, i)
        case e.Range(_, start, stop):
            first, end = f.operand(start), f.operand(stop)
            known = range(first, end) if isinstance(first, int) and isinstance(end, int) else None
            short = known is not None and len(known) <= LIMIT and len(known) * work <= WORK
            yield from known if known is not None and short else f.b.count(end, first)
        case _:
            yield from each(f, reference(f, iterable), work)


def each(f: Context, place: Ref, work: int) -> Iterator[Value]:
    """Each item of a set, sequence or bag (of a bag: each distinct item), for a loop of Python that emits the body."""
    match place.type:
        case t.Set(item):
            for member in sets.each(f, place, 8 if 8 * work <= WORK // 2 else 0):
                yield domain.at(f, item, member)
        case t.Seq():
            yield from _items(f, place)
        case t.Bag():
            yield from _each_distinct(f, place)
        case _:
            raise TypeError(f"{place.type} is not iterable")


def _items(f: Context, place: Ref) -> Iterator[Value]:
    """Each item of a sequence or bag, with its multiplicity."""
    for i in f.b.count(sequences.length(f, place)):
        yield access.load(f, access.item(f, place, i))


def _each_distinct(f: Context, place: Ref) -> Iterator[Value]:
    b, kind = f.b, sequences.item_type(place)
    for i in b.count(sequences.length(f, place)):
        new = b.compare("eq", i, 0)
        previous = b.select(new, 0, b.sub(i, 1))
        held = access.load(f, access.item(f, place, i))
        again = compare(f, "==", kind, held, kind, access.load(f, access.item(f, place, previous)))
        with b.when(b.bit_or(new, b.negate(again))):
            yield held


def generate(f: Context, generators: tuple[e.Generator, ...], work: int) -> Iterator[None]:
    """Once for each binding of the generators, for a Python loop that emits the body."""
    if not generators:
        yield
        return
    first, rest = generators[0], generators[1:]
    work += sum(weight(c) for c in first.conditions)
    for value in iterate(f, first.iterable, work * (30 if rest else 1)):
        with f.bound(first.local.name, value):
            skip = f.b.new_label()
            for condition in first.conditions:
                f.b.require(f.operand(condition), skip)
            yield from generate(f, rest, work)
            f.b.label(skip)


# -- quantifiers


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
    b, end = f.b, f.b.new_label()
    absent = 0 if node.operator == "any" else 1
    result = b.variable(absent)
    for _ in generate(f, node.generators, weight(node.body)):
        decided, go = b.new_label(), b.new_label()
        value = f.operand(node.body)
        b.branch(value, go if absent else decided, decided if absent else go)
        b.label(decided)
        result.set(1 - absent)
        b.jump(end)
        b.label(go)
    b.label(end)
    return result.get()


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


@evaluates(e.Aggregate)
def _aggregate(f: Context, node: e.Aggregate) -> Value:
    if node.operator == "sum":
        return _sum(f, node)
    if (least := _least_member(f, node)) is not None:
        return least
    b, place, seen = f.b, access.temporary(f, node.type), f.b.variable(0)
    access.clear(f, place)
    operator = "<" if node.operator == "min" else ">"
    for _ in generate(f, node.generators, weight(node.body) + 5):
        value = f.evaluate(node.body)
        better = compare(f, operator, node.type, value, node.type, access.load(f, place))
        with b.when(b.bit_or(b.compare("eq", seen.get(), 0), better)):
            access.store(f, place, value)
        seen.set(1)
    if node.default is None:
        f.check(seen.get(), node.failure, node.line)
    else:
        with b.when(b.compare("eq", seen.get(), 0)):
            f.build(node.default, place)
    return access.load(f, place)


def _least_member(f: Context, node: e.Aggregate) -> Operand | None:
    """The value of `min(x for x in members)` for a set that is one word: its lowest bit; None for other aggregates."""
    match node:
        case e.Aggregate(_, "min", (e.Generator(local, iterable, ()),), body, None) if body == local:
            if isinstance(iterable.type, t.Set) and is_atom(iterable.type):
                members = f.operand(iterable)
                f.check(f.b.compare("ne", members, 0), node.failure, node.line)
                return domain.at(f, iterable.type.item, f.b.lowest(members))
    return None


def _sum(f: Context, node: e.Aggregate) -> Operand:
    b = f.b
    if _straight(node.generators, node.body):
        return _fold(f, node.generators, 1, 0, b.add, lambda guard: b.select(guard, f.operand(node.body), 0))
    counted = _counted(node)
    if counted is not None:
        container, item = counted
        return sequences.count(f, reference(f, container), item.type, f.evaluate(item))
    total = b.variable(0)
    for _ in generate(f, node.generators, weight(node.body)):
        so_far = total.get()
        total.set(b.add(so_far, f.operand(node.body)))
    return total.get()


def _counted(node: e.Aggregate) -> tuple[e.Expression, e.Expression] | None:
    """The sequence and the item of `sum(1 for x in sequence if x == item)`, which counts it; None for other sums."""
    match node.generators, node.body:
        case (e.Generator(local, container, (e.Compare(_, "==", left, right),)),), e.Const(_, 1):
            item = right if left == local else left
            other = local in (left, right) and not reads(item, local) and not may_fail(item)
            return (container, item) if other and isinstance(container.type, t.Seq) else None
    return None


# -- comprehensions


@builds(e.SetOf)
def _build_set(f: Context, node: e.SetOf, target: Ref) -> None:
    assert isinstance(node.type, t.Set)
    access.clear(f, target)
    for _ in generate(f, node.generators, weight(node.body)):
        sets.insert(f, target, domain.place(f, node.type.item, f.operand(node.body)))


@builds(e.SeqOf)
def _build_seq(f: Context, node: e.SeqOf, target: Ref) -> None:
    access.clear(f, target)
    for _ in generate(f, node.generators, weight(node.body) + 10):
        sequences.append(f, target, f.evaluate(node.body), node.line)


@builds(e.Sorted)
def _build_sorted(f: Context, node: e.Sorted, target: Ref) -> None:
    """Insertion sort: each item is inserted after all items that are not greater (in reverse: not less).  There is room
    for all (`checker.ir.validate`).
    """
    assert isinstance(node.type, t.Seq)
    access.clear(f, target)
    order = target if node.key is None else access.zeroed(f, t.Seq(node.key.type, node.type.capacity))
    kind, operator = sequences.item_type(order), ">=" if node.reverse else "<="
    bag = isinstance(node.value.type, t.Bag)
    for value in _items(f, reference(f, node.value)) if bag else iterate(f, node.value, WORK):
        key = value
        if node.key is not None:
            assert node.local is not None
            with f.bound(node.local.name, value):
                key = f.evaluate(node.key)
        at = sequences.position(f, order, lambda held, key=key: compare(f, operator, kind, held, kind, key))  # type: ignore[misc]
        if order is not target:
            sequences.insert_with_room(f, order, at, key)
        sequences.insert_with_room(f, target, at, value)
