"""Raw values (`ir.values`) to packed words and back, in plain Python.

Used at the edges only: traces, replay, tests. The kernel has the same forms in `access`.
"""

from __future__ import annotations

from typing import Any

from checker.backends.native import layout as m
from checker.backends.native.packing import (
    bits,
    count,
    field_shift,
    low,
    payload_bits,
    variant_shift,
)
from checker.ir import types as t
from checker.ir.values import Raw, index, key, values


def pack(type: t.Type, raw: Raw) -> int:
    """The packed form of an atom."""
    match type:
        case t.Optional(item):
            return 0 if raw is None else 1 << bits(item) | pack(item, raw)
        case t.Record(_, fields):
            return sum(pack(f, r) << field_shift(type, i) for i, ((_, f), r) in enumerate(zip(fields, raw)))
        case t.Union(_, variants):
            variant, parts = raw
            fields = variants[variant].fields
            shifts = [variant_shift(type, variant, i) for i in range(len(fields))]
            return variant << payload_bits(type) | sum(
                pack(f, r) << s for (_, f), r, s in zip(fields, parts, shifts)
            )
        case t.Map(_, value):
            return _concatenate(value, len(raw), raw)
        case t.Set(item):
            return sum(1 << index(item, r) for r in raw)
        case t.Seq(item, capacity) | t.Bag(item, capacity, _):
            return len(raw) << capacity * bits(item) | _concatenate(item, capacity, raw)
        case _:
            return int(raw) - low(type)


def _concatenate(item: t.Type, places: int, raws: tuple[Raw, ...]) -> int:
    width = bits(item)
    return sum(pack(item, r) << (places - 1 - i) * width for i, r in enumerate(raws))


def unpack(type: t.Type, word: int) -> Raw:
    """The raw value of a packed atom."""
    match type:
        case t.Optional(item):
            return unpack(item, _cut(word, 0, bits(item))) if word >> bits(item) else None
        case t.Record(_, fields):
            return tuple(
                unpack(f, _cut(word, field_shift(type, i), bits(f))) for i, (_, f) in enumerate(fields)
            )
        case t.Union(_, variants):
            v = word >> payload_bits(type)
            fields = variants[v].fields
            return v, tuple(
                unpack(f, _cut(word, variant_shift(type, v, i), bits(f))) for i, (_, f) in enumerate(fields)
            )
        case t.Map(k, value):
            return _separate(value, count(k), count(k), word)
        case t.Set(item):
            return frozenset(r for i, r in enumerate(values(item)) if word >> i & 1)
        case t.Seq(item, capacity) | t.Bag(item, capacity, _):
            return _separate(item, capacity, word >> capacity * bits(item), word)
        case _:
            return word + low(type)


def _separate(item: t.Type, places: int, number: int, word: int) -> tuple[Raw, ...]:
    width = bits(item)
    return tuple(unpack(item, _cut(word, (places - 1 - i) * width, width)) for i in range(number))


def _cut(word: int, shift: int, width: int) -> int:
    return word >> shift & (1 << width) - 1


def write(words: list[int], type: t.Type, node: m.Node, element: int, raw: Raw) -> None:
    """Put a value into words that are zero at its place."""
    match node, type:
        case m.AtomNode(slot), _:
            _put(words, slot, element, pack(type, raw))
        case m.MapNode(keys, value), t.Map():
            for i, r in enumerate(raw):
                write(words, type.value, value, element * keys + i, r)
        case m.SetNode(chunks, slot), t.Set():
            mask = key(type, raw)
            for c in range(chunks):
                _put(words, slot, element * chunks + c, _cut(mask, c * slot.width, slot.width))
        case m.SequenceNode(length, capacity, item), t.Seq() | t.Bag():
            _put(words, length.slot, element, len(raw))
            for i, r in enumerate(raw):
                write(words, type.item, item, element * capacity + i, r)
        case m.RecordNode(fields), t.Record():
            for (_, f), n, r in zip(type.fields, fields, raw):
                write(words, f, n, element, r)
        case m.OptionalNode(flag, item), t.Optional():
            if raw is not None:
                _put(words, flag.slot, element, 1)
                write(words, type.item, item, element, raw)
        case m.UnionNode(tag, variants), t.Union():
            _put(words, tag.slot, element, raw[0])
            for (_, f), n, r in zip(type.variants[raw[0]].fields, variants[raw[0]], raw[1]):
                write(words, f, n, element, r)


def read(words: Any, type: t.Type, node: m.Node, element: int) -> Raw:
    """The raw value at a place."""
    match node, type:
        case m.AtomNode(slot), _:
            return unpack(type, _get(words, slot, element) & (1 << bits(type)) - 1)
        case m.MapNode(keys, value), t.Map():
            return tuple(read(words, type.value, value, element * keys + i) for i in range(keys))
        case m.SetNode(chunks, slot), t.Set():
            mask = sum(_get(words, slot, element * chunks + c) << c * slot.width for c in range(chunks))
            return frozenset(r for i, r in enumerate(values(type.item)) if mask >> i & 1)
        case m.SequenceNode(length, capacity, item), t.Seq() | t.Bag():
            number = _get(words, length.slot, element)
            return tuple(read(words, type.item, item, element * capacity + i) for i in range(number))
        case m.RecordNode(fields), t.Record():
            return tuple(read(words, f, n, element) for (_, f), n in zip(type.fields, fields))
        case m.OptionalNode(flag, item), t.Optional():
            return read(words, type.item, item, element) if _get(words, flag.slot, element) else None
        case m.UnionNode(tag, variants), t.Union():
            v = _get(words, tag.slot, element)
            return v, tuple(
                read(words, f, n, element) for (_, f), n in zip(type.variants[v].fields, variants[v])
            )
    raise TypeError(f"{node} does not hold {type}")


def _put(words: list[int], slot: m.Slot, element: int, value: int) -> None:
    if slot.width:
        words[slot.word + element // slot.per_word] |= (
            value << slot.shift + element % slot.per_word * slot.width
        )


def _get(words: Any, slot: m.Slot, element: int) -> int:
    if not slot.width:
        return 0
    word = int(words[slot.word + element // slot.per_word])
    return _cut(word, slot.shift + element % slot.per_word * slot.width, slot.width)
