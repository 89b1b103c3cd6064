"""Reading, writing and walking into values: the same operations on bit fields and on structures of arrays.

A reference (`Ref`) names a value without loading it; navigation only adds to a shift or to an element number, so that
`stamp[p][m].time` becomes one load, one shift and one mask.
"""

from __future__ import annotations

from collections.abc import Callable

from checker.backends.native import packing
from checker.backends.native.assembly import Operand, mask
from checker.backends.native.context import Big, Bits, Context, Ref, Unsupported, Value
from checker.backends.native.layout import (
    AtomNode,
    MapNode,
    Node,
    OptionalNode,
    RecordNode,
    SequenceNode,
    SetNode,
    UnionNode,
)
from checker.ir import types as t

UNROLL = 8
"""Loops over so many elements or fewer are written out."""


def descend(f: Context, type: t.Type, node: Node, pointer: str, element: Operand) -> Ref:
    """The reference to a node's value at an element number."""
    if not isinstance(node, AtomNode):
        return Big(type, node, pointer, element)
    slot, b = node.slot, f.b
    if not slot.width:
        return Bits(type, 0, pointer, alone=slot.alone)
    if slot.count <= slot.per_word:
        word: Operand = slot.word
        place = element
    else:
        word = b.add(slot.word, b.udiv(element, slot.per_word))
        place = b.urem(element, slot.per_word)
    shift = b.add(slot.shift, b.mul(place, slot.width))
    return Bits(type, shift, b.address(pointer, word), alone=slot.alone)


def hold(f: Context, type: t.Type, value: Value) -> Ref:
    """A read-only reference to a value at hand."""
    if isinstance(value, Big):
        return value
    return Bits(type, 0, word=packed(f, type, value))


def packed(f: Context, type: t.Type, value: Operand) -> Operand:
    """The packed form of an atom."""
    return f.b.sub(value, packing.low(type))


def unpacked(f: Context, type: t.Type, word: Operand) -> Operand:
    """The value of a packed atom."""
    return f.b.add(word, packing.low(type))


def raw(f: Context, ref: Bits) -> Operand:
    """The packed word at a reference."""
    width, b = packing.bits(ref.type), f.b
    if not width:
        return 0
    word: Operand = b.load(ref.pointer) if ref.pointer else ref.word
    if ref.alone:
        return word
    return b.bit_and(b.lshr(word, ref.shift), mask(width))


def load(f: Context, ref: Ref) -> Value:
    """The value at a reference (of a large one: the place itself)."""
    return ref if isinstance(ref, Big) else unpacked(f, ref.type, raw(f, ref))


def number(f: Context, ref: Ref) -> Operand:
    """The atom at a reference."""
    if isinstance(ref, Big):
        raise Unsupported(f"{ref.type} does not fit one word")
    return unpacked(f, ref.type, raw(f, ref))


def put(f: Context, ref: Bits, word: Operand) -> None:
    """Write a packed word."""
    width, b = packing.bits(ref.type), f.b
    if not ref.pointer:
        raise Unsupported("assignment to a value that is not a place")
    if not width:
        return
    if ref.alone or width == packing.WORD:
        b.store(word, ref.pointer)
        return
    hole = b.invert(b.shl(mask(width), ref.shift))
    b.store(b.bit_or(b.bit_and(b.load(ref.pointer), hole), b.shl(word, ref.shift)), ref.pointer)


def store(f: Context, ref: Ref, value: Value) -> None:
    """Write a value; a large one is copied."""
    if isinstance(ref, Bits):
        if isinstance(value, Big):
            raise Unsupported(f"{value.type} does not fit one word")
        put(f, ref, packed(f, ref.type, value))
    elif isinstance(value, Big):
        copy(f, ref.type, ref, value)
    else:
        raise Unsupported(f"{ref.type} needs memory")


def temporary(f: Context, type: t.Type) -> Ref:
    """A fresh place for one value, not initialised."""
    if packing.is_atom(type):
        return Bits(type, 0, f.b.slot(), alone=True)
    return f.big_temporary(type)


def zeroed(f: Context, type: t.Type) -> Ref:
    """A fresh place that holds the empty, none or least value."""
    ref = temporary(f, type)
    clear(f, ref)
    return ref


# -- parts
# ---------------------------------------------------------------------------------------------------------------


def _part(ref: Bits, f: Context, type: t.Type, shift: Operand) -> Bits:
    return Bits(type, f.b.add(ref.shift, shift), ref.pointer, ref.word)


def field(f: Context, ref: Ref, number: int) -> Ref:
    """A field of a record."""
    record = ref.type
    assert isinstance(record, t.Record)
    kind = record.fields[number][1]
    if isinstance(ref, Bits):
        return _part(ref, f, kind, packing.field_shift(record, number))
    assert isinstance(ref.node, RecordNode)
    return descend(f, kind, ref.node.fields[number], ref.pointer, ref.element)


def flag(f: Context, ref: Ref) -> Bits:
    """The bit that tells an item from none."""
    assert isinstance(ref.type, t.Optional)
    if isinstance(ref, Bits):
        return _part(ref, f, t.Bool(), packing.bits(ref.type.item))
    assert isinstance(ref.node, OptionalNode)
    return _atom(descend(f, t.Bool(), ref.node.flag, ref.pointer, ref.element))


def payload(f: Context, ref: Ref) -> Ref:
    """The item of an optional."""
    assert isinstance(ref.type, t.Optional)
    if isinstance(ref, Bits):
        return _part(ref, f, ref.type.item, 0)
    assert isinstance(ref.node, OptionalNode)
    return descend(f, ref.type.item, ref.node.item, ref.pointer, ref.element)


def tag(f: Context, ref: Ref) -> Bits:
    """The variant number of a union."""
    assert isinstance(ref.type, t.Union)
    kind = t.Int(0, len(ref.type.variants) - 1)
    if isinstance(ref, Bits):
        return _part(ref, f, kind, packing.payload_bits(ref.type))
    assert isinstance(ref.node, UnionNode)
    return _atom(descend(f, kind, ref.node.tag, ref.pointer, ref.element))


def variant_field(f: Context, ref: Ref, variant: int, number: int) -> Ref:
    """A field of a variant of a union."""
    union = ref.type
    assert isinstance(union, t.Union)
    kind = union.variants[variant].fields[number][1]
    if isinstance(ref, Bits):
        return _part(ref, f, kind, packing.variant_shift(union, variant, number))
    assert isinstance(ref.node, UnionNode)
    return descend(f, kind, ref.node.variants[variant][number], ref.pointer, ref.element)


def entry(f: Context, ref: Ref, place: Operand) -> Ref:
    """A map's value at the place of a key in the canonical order."""
    assert isinstance(ref.type, t.Map)
    if isinstance(ref, Bits):
        last = packing.count(ref.type.key) - 1
        return _part(ref, f, ref.type.value, _descending(f, last, place, packing.bits(ref.type.value)))
    assert isinstance(ref.node, MapNode)
    element = f.b.add(f.b.mul(ref.element, ref.node.keys), place)
    return descend(f, ref.type.value, ref.node.value, ref.pointer, element)


def length(f: Context, ref: Ref) -> Bits:
    """The length of a sequence or bag."""
    assert isinstance(ref.type, t.Seq | t.Bag)
    capacity = ref.type.capacity
    if isinstance(ref, Bits):
        return _part(ref, f, _length_type(capacity), capacity * packing.bits(ref.type.item))
    assert isinstance(ref.node, SequenceNode)
    return _atom(descend(f, _length_type(capacity), ref.node.length, ref.pointer, ref.element))


def item(f: Context, ref: Ref, place: Operand) -> Ref:
    """The item at a place of a sequence or bag; the place lies within the capacity."""
    assert isinstance(ref.type, t.Seq | t.Bag)
    if isinstance(ref, Bits):
        last = ref.type.capacity - 1
        return _part(ref, f, ref.type.item, _descending(f, last, place, packing.bits(ref.type.item)))
    assert isinstance(ref.node, SequenceNode)
    element = f.b.add(f.b.mul(ref.element, ref.node.capacity), place)
    return descend(f, ref.type.item, ref.node.item, ref.pointer, element)


def _length_type(capacity: int) -> t.Type:
    return t.Int(0, (1 << capacity.bit_length()) - 1)


def _descending(f: Context, last: int, place: Operand, width: int) -> Operand:
    return f.b.sub(last * width, f.b.mul(place, width))


def _atom(ref: Ref) -> Bits:
    assert isinstance(ref, Bits)
    return ref


def chunk(f: Context, ref: Big, place: Operand) -> tuple[Bits, int]:
    """A chunk of the mask of a large set, and the number of members it holds."""
    assert isinstance(ref.node, SetNode)
    slot = ref.node.slot
    element = f.b.add(f.b.mul(ref.element, ref.node.chunks), place)
    kind = t.Set(t.Int(0, slot.width - 1))
    return _atom(descend(f, kind, AtomNode(slot), ref.pointer, element)), slot.width


# -- loops and whole values
# -----------------------------------------------------------------------------------------------


def repeat(f: Context, times: int, body: Callable[[Operand], None], unroll: int = UNROLL) -> None:
    """Emit `body` for 0..times-1: written out if short, else as a loop."""
    if times <= unroll:
        for i in range(times):
            body(i)
        return
    count_up(f, times, body)


def count_up(f: Context, times: Operand, body: Callable[[Operand], None], start: Operand = 0) -> None:
    """A loop from `start` up to `times`, which is evaluated before."""
    b = f.b
    counter = b.slot()
    head, inside, end = b.new_label(), b.new_label(), b.new_label()
    b.store(start, counter)
    b.label(head)
    i = b.load(counter)
    b.branch(b.compare("slt", i, times), inside, end)
    b.label(inside)
    body(i)
    b.store(b.add(b.load(counter), 1), counter)
    b.jump(head)
    b.label(end)


def clear(f: Context, ref: Ref) -> None:
    """Set every bit of a value to zero."""
    if isinstance(ref, Bits):
        put(f, ref, 0)
        return
    node = ref.node
    layout = f.module.temporary(ref.type)
    if layout.nodes[""] is node:
        f.b.clear(ref.pointer, layout.words)
        return
    match node:
        case MapNode(keys, _):
            repeat(f, keys, lambda i: clear(f, entry(f, ref, i)))
        case SetNode(chunks, _):
            repeat(f, chunks, lambda i: put(f, chunk(f, ref, i)[0], 0))
        case SequenceNode(_, capacity, _):
            put(f, length(f, ref), 0)
            repeat(f, capacity, lambda i: clear(f, item(f, ref, i)))
        case RecordNode(fields):
            for i in range(len(fields)):
                clear(f, field(f, ref, i))
        case OptionalNode():
            put(f, flag(f, ref), 0)
            clear(f, payload(f, ref))
        case UnionNode():
            put(f, tag(f, ref), 0)
            _each_variant_field(f, ref, lambda part, v, n: clear(f, part))


def _each_variant_field(f: Context, ref: Big, visit: Callable[[Ref, int, int], None]) -> None:
    assert isinstance(ref.type, t.Union)
    for v, variant in enumerate(ref.type.variants):
        for n in range(len(variant.fields)):
            visit(variant_field(f, ref, v, n), v, n)


def copy(f: Context, type: t.Type, target: Ref, source: Ref) -> None:
    """Copy a value between places that are equal or apart."""
    if isinstance(target, Bits):
        assert isinstance(source, Bits)
        put(f, target, raw(f, source))
        return
    assert isinstance(source, Big)
    match target.node:
        case MapNode(keys, _):
            assert isinstance(type, t.Map)
            value = type.value
            repeat(f, keys, lambda i: copy(f, value, entry(f, target, i), entry(f, source, i)))
        case SetNode(chunks, _):
            repeat(f, chunks, lambda i: put(f, chunk(f, target, i)[0], raw(f, chunk(f, source, i)[0])))
        case SequenceNode(_, capacity, _):
            assert isinstance(type, t.Seq | t.Bag)
            inner = type.item
            put(f, length(f, target), raw(f, length(f, source)))
            repeat(f, capacity, lambda i: copy(f, inner, item(f, target, i), item(f, source, i)))
        case RecordNode():
            assert isinstance(type, t.Record)
            for i, (_, kind) in enumerate(type.fields):
                copy(f, kind, field(f, target, i), field(f, source, i))
        case OptionalNode():
            assert isinstance(type, t.Optional)
            put(f, flag(f, target), raw(f, flag(f, source)))
            copy(f, type.item, payload(f, target), payload(f, source))
        case UnionNode():
            copy_union(f, target, source)


def copy_union(f: Context, target: Big, source: Big) -> None:
    """Variants share slots: only the fields of the variant at hand are copied."""
    union = target.type
    assert isinstance(union, t.Union)
    b, held = f.b, raw(f, tag(f, source))
    if target.pointer == source.pointer and target.element == source.element and target.node is source.node:
        return
    clear(f, target)
    put(f, tag(f, target), held)
    end = b.new_label()
    for v, variant in enumerate(union.variants):
        here, after = b.new_label(), b.new_label()
        b.branch(b.compare("eq", held, v), here, after)
        b.label(here)
        for n, (_, kind) in enumerate(variant.fields):
            copy(f, kind, variant_field(f, target, v, n), variant_field(f, source, v, n))
        b.jump(end)
        b.label(after)
    b.label(end)
