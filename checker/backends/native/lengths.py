"""The greatest lengths of the sequences and bags in packed states, found without unpacking: numpy reads the same bit
fields as `access` from whole columns of words.

Unused parts (the item of none, the fields of other variants, places behind an end) are zero or masked, so their lengths
do not count.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from checker.backends.native import layout as m
from checker.backends.native.packing import bits, count, field_shift, payload_bits, tag_bits, variant_shift
from checker.contract import States
from checker.ir import types as t

Column = NDArray[np.uint64]
Lengths = dict[t.Type, int]


def most(kernel_layout: m.Layout, types: dict[str, t.Type], states: States) -> Lengths:
    """The greatest length of each type of sequence or bag in these states (n, words)."""
    longest: Lengths = {}
    for name, type in types.items():
        for found, length in _of_node(type, kernel_layout.nodes[name], states, 0):
            longest[found] = max(longest.get(found, 0), int(length.max(initial=0)))
    return longest


def _of_node(type: t.Type, node: m.Node, states: States, element: int) -> Iterator[tuple[t.Type, Column]]:
    """Each sequence and bag below an element of a node, with its length in every state."""
    if not any(isinstance(part, t.Seq | t.Bag) for part in t.walk(type)):
        return
    match node, type:
        case m.AtomNode(slot), _:
            yield from _of_atom(type, read(states, slot, element))
        case m.MapNode(keys, value), t.Map():
            for i in range(keys):
                yield from _of_node(type.value, value, states, element * keys + i)
        case m.SequenceNode(length, capacity, item), t.Seq() | t.Bag():
            yield type, read(states, length.slot, element)
            for i in range(capacity):
                yield from _of_node(type.item, item, states, element * capacity + i)
        case m.RecordNode(fields), t.Record():
            for (_, part), inner in zip(type.fields, fields):
                yield from _of_node(part, inner, states, element)
        case m.OptionalNode(_, item), t.Optional():
            yield from _of_node(type.item, item, states, element)
        case m.UnionNode(tag, variants), t.Union():
            held = read(states, tag.slot, element)
            for v, (record, nodes) in enumerate(zip(type.variants, variants)):
                chosen = states[held == v]
                for (_, part), inner in zip(record.fields, nodes):
                    yield from _of_node(part, inner, chosen, element)


def _of_atom(type: t.Type, packed: Column) -> Iterator[tuple[t.Type, Column]]:
    if not any(isinstance(part, t.Seq | t.Bag) for part in t.walk(type)):
        return
    match type:
        case t.Optional(item):
            yield from _of_atom(item, cut(packed, 0, bits(item)))
        case t.Record(_, fields):
            for i, (_, part) in enumerate(fields):
                yield from _of_atom(part, cut(packed, field_shift(type, i), bits(part)))
        case t.Union(_, variants):
            held = cut(packed, payload_bits(type), tag_bits(type))
            for v, record in enumerate(variants):
                chosen = packed[held == v]
                for i, (_, part) in enumerate(record.fields):
                    yield from _of_atom(part, cut(chosen, variant_shift(type, v, i), bits(part)))
        case t.Map(key, value):
            for i in range(count(key)):
                yield from _of_atom(value, cut(packed, i * bits(value), bits(value)))
        case t.Seq(item, capacity) | t.Bag(item, capacity, _):
            yield type, cut(packed, capacity * bits(item), capacity.bit_length())
            for i in range(capacity):
                yield from _of_atom(item, cut(packed, i * bits(item), bits(item)))


def cut(word: Column, shift: int, width: int) -> Column:
    """Bits of each word of a column."""
    if not width:
        return np.zeros_like(word)
    return word >> np.uint64(shift) & np.uint64((1 << width) - 1)


def read(states: States, slot: m.Slot, element: int) -> Column:
    """An element of a slot in each state."""
    if not slot.width:
        return np.zeros(len(states), np.uint64)
    place, shift = divmod(element, slot.per_word)
    return cut(states[:, slot.word + place], slot.shift + shift * slot.width, slot.width)
