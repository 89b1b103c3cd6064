"""Reading, writing and walking into values: the same operations on bit fields and on structures of arrays.

A reference (`Ref`) names a value without loading it; navigation only adds to a shift or to an element number, so that
`stamp[p][m].time` becomes one load, one shift and one mask.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from checker.assembly import Operand, mask
from checker.backends.native import packing
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


def descend(f: Context, type: t.Type, node: Node, pointer: str, element: Operand) -> Ref:
    """The reference to a node's value at an element number."""
    if not isinstance(node, AtomNode):
        return Big(type, node, pointer, element)
    slot, b = node.slot, f.b
    if not slot.width:
        return Bits(type, 0, pointer, alone=slot.alone)
    if slot.lanes:
        lane = b.address(b.address(pointer, slot.word), element, slot.width)
        return Bits(type, 0, lane, alone=True, lane=slot.width)
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
    word: Operand = b.load(ref.pointer, bits=ref.lane) if ref.pointer else ref.word
    if ref.alone:
        return word
    return b.bit_and(b.lshr(word, ref.shift), mask(width))


def load(f: Context, ref: Ref) -> Value:
    """The value at a reference (for a large value: the place itself)."""
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
        b.store(word, ref.pointer, bits=ref.lane)
        return
    hole = b.invert(b.shl(mask(width), ref.shift))
    held = b.load(ref.pointer, bits=ref.lane)
    b.store(b.bit_or(b.bit_and(held, hole), b.shl(word, ref.shift)), ref.pointer, bits=ref.lane)


def store(f: Context, ref: Ref, value: Value) -> None:
    """Write a value; a large one is copied."""
    if isinstance(ref, Bits):
        if isinstance(value, Big):
            raise Unsupported(f"{value.type} does not fit one word")
        put(f, ref, packed(f, ref.type, value))
    elif isinstance(value, Big):
        copy(f, ref, value)
    else:
        raise Unsupported(f"{ref.type} needs memory")


def temporary(f: Context, type: t.Type) -> Ref:
    """A fresh place for one value, not initialised."""
    if packing.is_atom(type):
        return Bits(type, 0, f.b.slot(), alone=True)
    return f.big_temporary(type)


def zeroed(f: Context, type: t.Type) -> Ref:
    """A fresh place with the empty, none or least value."""
    ref = temporary(f, type)
    clear(f, ref)
    return ref


# -- parts


def _part(ref: Bits, f: Context, type: t.Type, shift: Operand) -> Bits:
    return Bits(type, f.b.add(ref.shift, shift), ref.pointer, ref.word, lane=ref.lane)


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
    """The bit that distinguishes an item from none."""
    assert isinstance(ref.type, t.Optional)
    if isinstance(ref, Bits):
        return _part(ref, f, t.Bool(), packing.bits(ref.type.item))
    assert isinstance(ref.node, OptionalNode)
    return atom(descend(f, t.Bool(), ref.node.flag, ref.pointer, ref.element))


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
    return atom(descend(f, kind, ref.node.tag, ref.pointer, ref.element))


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
    return atom(descend(f, _length_type(capacity), ref.node.length, ref.pointer, ref.element))


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


def atom(ref: Ref) -> Bits:
    """A reference to an atom."""
    assert isinstance(ref, Bits)
    return ref


def chunk(f: Context, ref: Ref, place: Operand) -> Bits:
    """A chunk of the mask of a large set."""
    assert isinstance(ref, Big) and isinstance(ref.node, SetNode)
    node = ref.node
    element = f.b.add(f.b.mul(ref.element, node.chunks), place)
    return atom(descend(f, t.Set(t.Int(0, node.width - 1)), AtomNode(node.slot), ref.pointer, element))


# -- whole values


Part = Callable[[Ref], Ref]


def parts(f: Context, ref: Big) -> Iterator[Part]:
    """The parts of a large value, most significant first, for a Python loop: each as a function that finds it in a
    value of the same form.  For a union, the number of the variant.
    """
    match ref.node:
        case MapNode(keys, _):
            for i in f.b.repeat(keys):
                yield partial(entry, f, place=i)
        case SetNode(chunks, _):
            for i in f.b.repeat(chunks):
                yield partial(chunk, f, place=f.b.sub(chunks - 1, i))
        case SequenceNode(_, capacity, _):
            yield partial(length, f)
            for i in f.b.repeat(capacity):
                yield partial(item, f, place=i)
        case RecordNode(fields):
            for n in range(len(fields)):
                yield partial(field, f, number=n)
        case OptionalNode():
            yield partial(flag, f)
            yield partial(payload, f)
        case UnionNode():
            yield partial(tag, f)


def variant_parts(f: Context, union: t.Type, variant: int) -> Iterator[Part]:
    """The same of the fields of a variant."""
    assert isinstance(union, t.Union)
    for n in range(len(union.variants[variant].fields)):
        yield partial(variant_field, f, variant=variant, number=n)


def each_variant(f: Context, union: t.Type, held: Operand) -> Iterator[Iterator[Part]]:
    """The fields of each variant, for a Python loop: the code emitted for a variant runs if the value holds that
    variant.
    """
    assert isinstance(union, t.Union)
    end = f.b.new_label()
    for v in range(len(union.variants)):
        with f.b.when(f.b.compare("eq", held, v)):
            yield variant_parts(f, union, v)
            f.b.jump(end)
    f.b.label(end)


def clear(f: Context, ref: Ref) -> None:
    """Set every bit of a value to zero."""
    if isinstance(ref, Bits):
        put(f, ref, 0)
        return
    layout = f.module.temporary(ref.type)
    if layout.nodes[""] is ref.node:
        f.b.clear(ref.pointer, layout.words)
        return
    for part in parts(f, ref):
        clear(f, part(ref))
    if isinstance(ref.type, t.Union):
        for v in range(len(ref.type.variants)):
            for part in variant_parts(f, ref.type, v):
                clear(f, part(ref))


def copy(f: Context, target: Ref, source: Ref) -> None:
    """Copy a value between places that are equal or disjoint."""
    if isinstance(target, Bits):
        assert isinstance(source, Bits)
        put(f, target, raw(f, source))
    elif isinstance(target.node, UnionNode):
        assert isinstance(source, Big)
        _copy_union(f, target, source)
    else:
        for part in parts(f, target):
            copy(f, part(target), part(source))


def _copy_union(f: Context, target: Big, source: Big) -> None:
    """Variants share slots: only the fields of the variant at hand are copied."""
    held = raw(f, tag(f, source))
    if target.pointer == source.pointer and target.element == source.element and target.node is source.node:
        return
    clear(f, target)
    put(f, tag(f, target), held)
    for fields in each_variant(f, target.type, held):
        for part in fields:
            copy(f, part(target), part(source))
