"""Emission of expressions over sets, sequences and bags."""

from __future__ import annotations

from checker.assembly import Operand, mask
from checker.backends.native import access, constants, domain, sequences, sets
from checker.backends.native.compare import compare
from checker.backends.native.context import Big, Context, Ref, Value, builds, evaluates, packs
from checker.backends.native.convert import convert, fill
from checker.backends.native.expressions import reference, through_memory
from checker.backends.native.packing import count
from checker.ir import expressions as e
from checker.ir import types as t
from checker.ir.common import can_grow, fits, join


@packs(e.Domain)
def _domain(f: Context, node: e.Domain) -> Value:
    assert isinstance(node.type, t.Set)
    return mask(count(node.type.item))


@builds(e.Domain)
def _build_domain(f: Context, node: e.Domain, target: Ref) -> None:
    assert isinstance(node.type, t.Set)
    left = count(node.type.item)
    for part in sets.masks(f, target):
        assert isinstance(part.type, t.Set)
        here = min(left, count(part.type.item))
        access.put(f, part, mask(here))
        left -= here


@evaluates(e.MakeSet, e.MakeSeq)
def _collection(f: Context, node: e.MakeSet | e.MakeSeq) -> Value:
    value = constants.known(f, node)
    return through_memory(f, node) if value is None else value


@builds(e.MakeSet)
def _build_set(f: Context, node: e.MakeSet, target: Ref) -> None:
    assert isinstance(node.type, t.Set)
    access.clear(f, target)
    for member in node.items:
        sets.insert(f, target, domain.place(f, node.type.item, f.operand(member)))


@builds(e.MakeSeq)
def _build_seq(f: Context, node: e.MakeSeq, target: Ref) -> None:
    access.clear(f, target)
    for i, value in enumerate(node.items):
        f.build(value, access.item(f, target, i))
    access.store(f, access.length(f, target), len(node.items))


# -- sets


def _combine(f: Context, operator: str, x: Operand, y: Operand) -> Operand:
    match operator:
        case "|":
            return f.b.bit_or(x, y)
        case "&":
            return f.b.bit_and(x, y)
        case "^":
            return f.b.bit_xor(x, y)
    return f.b.bit_and(x, f.b.invert(y))


@packs(e.SetOperation)
def _set_operation(f: Context, node: e.SetOperation) -> Value:
    return _combine(f, node.operator, f.operand(node.left), f.operand(node.right))


@builds(e.SetOperation)
def _build_operation(f: Context, node: e.SetOperation, target: Ref) -> None:
    left, right = f.evaluate(node.left), f.evaluate(node.right)
    assert isinstance(left, Big) and isinstance(right, Big)
    for out, x, y in zip(sets.masks(f, target), sets.masks(f, left), sets.masks(f, right)):
        access.put(f, out, _combine(f, node.operator, access.raw(f, x), access.raw(f, y)))


@evaluates(e.Subset)
def _subset(f: Context, node: e.Subset) -> Value:
    common = join(node.left.type, node.right.type)
    left = access.hold(f, common, convert(f, node.left.type, common, f.evaluate(node.left), 0))
    right = access.hold(f, common, convert(f, node.right.type, common, f.evaluate(node.right), 0))
    b = f.b
    outside: Operand = 0
    missing: Operand = 0
    for x, y in zip(sets.masks(f, left), sets.masks(f, right)):
        p, q = access.raw(f, x), access.raw(f, y)
        outside = b.bit_or(outside, b.bit_and(p, b.invert(q)))
        missing = b.bit_or(missing, b.bit_and(q, b.invert(p)))
    result = b.compare("eq", outside, 0)
    return b.bit_and(result, b.compare("ne", missing, 0)) if node.proper else result


# -- membership


@evaluates(e.Contains)
def _contains(f: Context, node: e.Contains) -> Value:
    b, container = f.b, node.container
    if isinstance(container, e.Range):
        item, start, stop = f.operand(node.item), f.operand(container.start), f.operand(container.stop)
        return b.bit_and(b.compare("sge", item, start), b.compare("slt", item, stop))
    if isinstance(container.type, t.Set):
        return _member(f, container, container.type.item, node.item)
    value = f.evaluate(node.item)
    place = reference(f, container)
    return sequences.holds(f, place, node.item.type, value)


def _member(f: Context, container: e.Expression, item: t.Type, member: e.Expression) -> Operand:
    value, kind = f.operand(member), member.type
    if fits(kind, item):
        converted = convert(f, kind, item, value, 0)
        assert not isinstance(converted, Big)
        return sets.contains(f, reference(f, container), domain.place(f, item, converted))
    if isinstance(item, t.Int):
        return _member_in_bounds(f, container, item, value)
    return _member_by_search(f, container, item, kind, value)


def _member_in_bounds(f: Context, container: e.Expression, item: t.Int, value: Operand) -> Operand:
    b = f.b
    inside = b.bit_and(b.compare("sge", value, item.lo), b.compare("sle", value, item.hi))
    place = b.select(inside, b.sub(value, item.lo), 0)
    return b.bit_and(inside, sets.contains(f, reference(f, container), place))


def _member_by_search(f: Context, container: e.Expression, item: t.Type, kind: t.Type, value: Operand) -> Operand:
    """The item's type is wider inside: compare with every member."""
    found = f.b.variable(0)
    for member in sets.each(f, reference(f, container)):
        equal = compare(f, "==", item, domain.at(f, item, member), kind, value)
        found.set(f.b.bit_or(found.get(), equal))
    return found.get()


@evaluates(e.Length)
def _length(f: Context, node: e.Length) -> Value:
    place = reference(f, node.value)
    return sets.size(f, place) if isinstance(place.type, t.Set) else sequences.length(f, place)


@evaluates(e.Count)
def _count(f: Context, node: e.Count) -> Value:
    return sequences.count(f, reference(f, node.container), node.item.type, f.evaluate(node.item))


# -- sequences


@builds(e.Concat)
def _build_concat(f: Context, node: e.Concat, target: Ref) -> None:
    left, right = reference(f, node.left), reference(f, node.right)
    access.clear(f, target)
    _copy_items(f, left, 0, sequences.length(f, left), target)
    _copy_items(f, right, 0, sequences.length(f, right), target)


@builds(e.Slice)
def _build_slice(f: Context, node: e.Slice, target: Ref) -> None:
    b, source = f.b, reference(f, node.value)
    number = sequences.length(f, source)
    start: Operand = 0 if node.start is None else f.operand(node.start)
    stop = number if node.stop is None else f.operand(node.stop)
    stop = b.select(b.compare("slt", stop, number), stop, number)
    access.clear(f, target)
    _copy_items(f, source, start, stop, target)


def _copy_items(f: Context, source: Ref, start: Operand, stop: Operand, target: Ref) -> None:
    """Append source[start:stop] to a sequence that has zeros and, by its declared type, enough room there."""
    kinds = sequences.item_type(source), sequences.item_type(target)
    for i in f.b.count(stop, start):
        if can_grow(target.type):
            sequences.need_room(f, target, 0)
        at = sequences.length(f, target)
        fill(f, *kinds, access.item(f, source, i), access.item(f, target, at), 0)
        access.store(f, access.length(f, target), f.b.add(at, 1))


@builds(e.Range)
def _build_range(f: Context, node: e.Range, target: Ref) -> None:
    start, stop = f.operand(node.start), f.operand(node.stop)
    access.clear(f, target)
    for i in f.b.count(stop, start):
        sequences.append(f, target, i, 0)
