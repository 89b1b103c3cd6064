"""The bits that some packed states set, in the layout of a model that is fitted to them (`checker.ir.fitted`).

The values of states are the same in both layouts; sequences and bags have less room in the second one, which moves
their bits. States are not repacked: the bits of each part are collected from whole columns of words, and written at
the part's place in the other layout.

The collected bits of a value have the form of its type: a number for an atom of the same type in both models, otherwise
the bits of a flag, a tag or a length, and the forms of the parts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from checker.backends.native import layout as m
from checker.backends.native.codec import put
from checker.backends.native.lengths import Column, cut, read
from checker.backends.native.packing import WORD, bits, count, field_shift, payload_bits, tag_bits, variant_shift
from checker.backends.native.rows import Kept, row_words
from checker.contract import States
from checker.ir import types as t

Ones = Any
"""The form described above."""


def set_bits(
    old: m.Layout, types: dict[str, t.Type], new: m.Layout, fitted: dict[str, t.Type], states: States
) -> list[int]:
    """The words of the new layout, with the bits that any of these states (n, words of the old layout) sets.  types,
    fitted: of the variables in both models."""
    words = [0] * new.words
    for name, type in types.items():
        _write(words, fitted[name], new.nodes[name], 0, _of_node(type, fitted[name], old.nodes[name], states, 0))
    return words


def with_spare_bits(layout: m.Layout, ones: list[int]) -> Kept:
    """These bits, and as many more as rows have room for: those that other elements of an array have, more elements
    first; then words that can be completed; then the bits above, since numbers grow.
    """
    kept, used = list(ones), layout.used
    spare = WORD * row_words(tuple(ones)) - sum(word.bit_count() for word in ones)

    def take(wanted: Iterable[tuple[int, int]]) -> None:
        nonlocal spare
        for word, mask in wanted:
            new = (mask & ~kept[word]).bit_count()
            if new <= spare:
                kept[word] |= mask
                spare -= new

    take((word, 1 << bit) for _, word, bit in sorted(_of_others(layout, ones), reverse=True))
    missing = [(all_bits & ~some, word) for word, (some, all_bits) in enumerate(zip(kept, used))]
    take((word, mask) for mask, word in sorted(missing, key=lambda pair: pair[0].bit_count()))
    for _ in range(WORD):
        above = [(word, held << 1 & used[word] & ~held) for word, held in enumerate(kept)]
        take((word, 1 << bit) for word, mask in above for bit in range(WORD) if mask >> bit & 1)
    return tuple(kept)


def _of_others(layout: m.Layout, ones: list[int]) -> Iterator[tuple[int, int, int]]:
    """Each bit that an element in use has not, but other elements of its array: the number of these, the word, and the
    bit in the word.
    """
    for slot in m.slots_of(tuple(layout.nodes.values())):
        places = [
            (slot.word + e // slot.per_word, slot.shift + e % slot.per_word * slot.width) for e in range(slot.count)
        ]
        held = [ones[word] >> shift & (1 << slot.bits) - 1 for word, shift in places]
        for bit in range(slot.bits):
            number = sum(element >> bit & 1 for element in held)
            for element, (word, shift) in zip(held, places):
                if element and number and not element >> bit & 1:
                    yield number, word, shift + bit


# -- what the states have


def _any(column: Column) -> int:
    return int(np.bitwise_or.reduce(column, initial=np.uint64(0)))


def _of_node(type: t.Type, new: t.Type, node: m.Node, states: States, element: int) -> Ones:
    match node, type, new:
        case m.AtomNode(slot), _, _:
            return _of_atom(type, new, read(states, slot, element))
        case m.MapNode(keys, value), t.Map(), t.Map():
            return [_of_node(type.value, new.value, value, states, element * keys + i) for i in range(keys)]
        case m.SetNode(chunks, slot), _, _:
            return [_any(read(states, slot, element * chunks + c)) for c in range(chunks)]
        case m.SequenceNode(length, capacity, item), t.Seq() | t.Bag(), t.Seq() | t.Bag():
            places = [element * capacity + i for i in range(new.capacity)]
            items = [_of_node(type.item, new.item, item, states, place) for place in places]
            return _any(read(states, length.slot, element)), items
        case m.RecordNode(fields), t.Record(), t.Record():
            pairs = zip(type.fields, new.fields, fields)
            return [_of_node(one, other, part, states, element) for (_, one), (_, other), part in pairs]
        case m.OptionalNode(flag, item), t.Optional(), t.Optional():
            return _any(read(states, flag.slot, element)), _of_node(type.item, new.item, item, states, element)
        case m.UnionNode(tag, variants), t.Union(), t.Union():
            held = read(states, tag.slot, element)
            forms = [
                [
                    _of_node(a, b, part, states[held == v], element)
                    for (_, a), (_, b), part in zip(one.fields, other.fields, nodes)
                ]
                for v, (one, other, nodes) in enumerate(zip(type.variants, new.variants, variants))
            ]
            return _any(held), forms
    raise TypeError(f"{node} does not hold {type}")


def _of_atom(type: t.Type, new: t.Type, packed: Column) -> Ones:
    if type == new:
        return _any(packed)
    match type, new:
        case t.Optional(one), t.Optional(other):
            return _any(cut(packed, bits(one), 1)), _of_atom(one, other, cut(packed, 0, bits(one)))
        case t.Record(_, fields), t.Record(_, others):
            return [
                _of_atom(one, other, cut(packed, field_shift(type, i), bits(one)))
                for i, ((_, one), (_, other)) in enumerate(zip(fields, others))
            ]
        case t.Union(_, variants), t.Union(_, others):
            held = cut(packed, payload_bits(type), tag_bits(type))
            forms = [
                [
                    _of_atom(a, b, cut(packed[held == v], variant_shift(type, v, i), bits(a)))
                    for i, ((_, a), (_, b)) in enumerate(zip(one.fields, other.fields))
                ]
                for v, (one, other) in enumerate(zip(variants, others))
            ]
            return _any(held), forms
        case t.Map(key, one), t.Map(_, other):
            places, width = count(key), bits(one)
            return [_of_atom(one, other, cut(packed, (places - 1 - i) * width, width)) for i in range(places)]
        case t.Seq(one, capacity) | t.Bag(one, capacity, _), t.Seq(other, room) | t.Bag(other, room, _):
            width = bits(one)
            shifts = [(capacity - 1 - i) * width for i in range(room)]
            length = cut(packed, capacity * width, capacity.bit_length())
            return _any(length), [_of_atom(one, other, cut(packed, shift, width)) for shift in shifts]
    raise TypeError(f"{new} is not a fitted {type}")


# -- at their places


def _packed(type: t.Type, ones: Ones) -> int:
    """The bits in the packed form of an atom."""
    if isinstance(ones, int):
        return ones
    match type:
        case t.Optional(item):
            return ones[0] << bits(item) | _packed(item, ones[1])
        case t.Record(_, fields):
            return _joined((field_shift(type, i), f, part) for i, ((_, f), part) in enumerate(zip(fields, ones)))
        case t.Union(_, variants):
            parts = (
                (variant_shift(type, v, i), f, part)
                for v, (record, form) in enumerate(zip(variants, ones[1]))
                for i, ((_, f), part) in enumerate(zip(record.fields, form))
            )
            return ones[0] << payload_bits(type) | _joined(parts)
        case t.Map(key, value):
            return _joined(((count(key) - 1 - i) * bits(value), value, part) for i, part in enumerate(ones))
        case t.Seq(item, capacity) | t.Bag(item, capacity, _):
            places = (((capacity - 1 - i) * bits(item), item, part) for i, part in enumerate(ones[1]))
            return ones[0] << capacity * bits(item) | _joined(places)
    raise TypeError(f"no packed form of {type}")


def _joined(parts: Any) -> int:
    result = 0
    for shift, type, part in parts:
        result |= _packed(type, part) << shift
    return result


def _write(words: list[int], type: t.Type, node: m.Node, element: int, ones: Ones) -> None:
    match node, type:
        case m.AtomNode(slot), _:
            put(words, slot, element, _packed(type, ones))
        case m.MapNode(keys, value), t.Map():
            for i, part in enumerate(ones):
                _write(words, type.value, value, element * keys + i, part)
        case m.SetNode(chunks, slot), t.Set():
            for c, part in enumerate(ones):
                put(words, slot, element * chunks + c, part)
        case m.SequenceNode(length, capacity, item), t.Seq() | t.Bag():
            put(words, length.slot, element, ones[0])
            for i, part in enumerate(ones[1]):
                _write(words, type.item, item, element * capacity + i, part)
        case m.RecordNode(fields), t.Record():
            for (_, f), inner, part in zip(type.fields, fields, ones):
                _write(words, f, inner, element, part)
        case m.OptionalNode(flag, item), t.Optional():
            put(words, flag.slot, element, ones[0])
            _write(words, type.item, item, element, ones[1])
        case m.UnionNode(tag, variants), t.Union():
            put(words, tag.slot, element, ones[0])
            for record, nodes, form in zip(type.variants, variants, ones[1]):
                for (_, f), inner, part in zip(record.fields, nodes, form):
                    _write(words, f, inner, element, part)
        case _:
            raise TypeError(f"{node} does not hold {type}")
