"""Raw values (`ir.values`) to packed words and back, in plain Python.

Used at the edges only: traces, replay, tests. The kernel has the same forms in `access`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from checker.backends.native import layout as m
from checker.backends.native.packing import bits, count, field_shift, low, payload_bits, variant_shift
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
            return variant << payload_bits(type) | sum(pack(f, r) << s for (_, f), r, s in zip(fields, parts, shifts))
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


@cache
def unpacker(type: t.Type) -> Callable[[int], Raw]:
    """A function that returns the raw value of a packed atom of a type."""
    match type:
        case t.Optional(item):
            inner, width = unpacker(item), bits(item)
            return lambda word: inner(_cut(word, 0, width)) if word >> width else None
        case t.Record(_, fields):
            places = [(unpacker(f), field_shift(type, i), bits(f)) for i, (_, f) in enumerate(fields)]
            return lambda word: tuple(part(_cut(word, shift, size)) for part, shift, size in places)
        case t.Union():
            return _union_unpacker(type)
        case t.Map(k, value):
            entries, number = _separator(value, count(k)), count(k)
            return lambda word: entries(number, word)
        case t.Set(item):
            members = list(values(item))
            return lambda word: frozenset(r for i, r in enumerate(members) if word >> i & 1)
        case t.Seq(item, capacity) | t.Bag(item, capacity, _):
            items, end = _separator(item, capacity), capacity * bits(item)
            return lambda word: items(word >> end, word)
        case _:
            least = low(type)
            return lambda word: word + least


def _union_unpacker(type: t.Union) -> Callable[[int], Raw]:
    payload = payload_bits(type)
    variants = [
        [(unpacker(f), variant_shift(type, v, i), bits(f)) for i, (_, f) in enumerate(variant.fields)]
        for v, variant in enumerate(type.variants)
    ]

    def union(word: int) -> Raw:
        v = word >> payload
        return v, tuple(part(_cut(word, shift, size)) for part, shift, size in variants[v])

    return union


def _separator(item: t.Type, places: int) -> Callable[[int, int], Raw]:
    """A function of a number and a word that returns that many first items."""
    inner, width = unpacker(item), bits(item)
    shifts = [(places - 1 - i) * width for i in range(places)]
    return lambda number, word: tuple(inner(_cut(word, shift, width)) for shift in shifts[:number])


def _cut(word: int, shift: int, width: int) -> int:
    return word >> shift & (1 << width) - 1


def write(words: list[int], type: t.Type, node: m.Node, element: int, raw: Raw) -> None:
    """Put a value into words that are zero at its place."""
    match node, type:
        case m.AtomNode(slot), _:
            put(words, slot, element, pack(type, raw))
        case m.MapNode(keys, value), t.Map():
            for i, r in enumerate(raw):
                write(words, type.value, value, element * keys + i, r)
        case m.SetNode(chunks, slot, width), t.Set():
            mask = key(type, raw)
            for c in range(chunks):
                put(words, slot, element * chunks + c, _cut(mask, c * width, width))
        case m.SequenceNode(length, capacity, item), t.Seq() | t.Bag():
            put(words, length.slot, element, len(raw))
            for i, r in enumerate(raw):
                write(words, type.item, item, element * capacity + i, r)
        case m.RecordNode(fields), t.Record():
            for (_, f), n, r in zip(type.fields, fields, raw):
                write(words, f, n, element, r)
        case m.OptionalNode(flag, item), t.Optional():
            if raw is not None:
                put(words, flag.slot, element, 1)
                write(words, type.item, item, element, raw)
        case m.UnionNode(tag, variants), t.Union():
            put(words, tag.slot, element, raw[0])
            for (_, f), n, r in zip(type.variants[raw[0]].fields, variants[raw[0]], raw[1]):
                write(words, f, n, element, r)


def reader(type: t.Type, node: m.Node) -> Callable[[Sequence[int], int], Raw]:
    """A function of the words of a state and the number of an element that returns the raw value at a place."""
    match node, type:
        case m.AtomNode(slot), _:
            return _atom_reader(type, slot)
        case m.MapNode(keys, value), t.Map():
            entry = reader(type.value, value)
            return lambda words, element: tuple(entry(words, element * keys + i) for i in range(keys))
        case m.SetNode(chunks, slot, width), t.Set():
            members = list(values(type.item))

            def members_of(words: Sequence[int], element: int) -> Raw:
                mask = sum(_get(words, slot, element * chunks + c) << c * width for c in range(chunks))
                return frozenset(r for i, r in enumerate(members) if mask >> i & 1)

            return members_of
        case m.SequenceNode(length, capacity, item), t.Seq() | t.Bag():
            part = reader(type.item, item)
            return lambda words, element: tuple(
                part(words, element * capacity + i) for i in range(_get(words, length.slot, element))
            )
        case m.RecordNode(fields), t.Record():
            parts = [reader(f, n) for (_, f), n in zip(type.fields, fields)]
            return lambda words, element: tuple(part(words, element) for part in parts)
        case m.OptionalNode(flag, item), t.Optional():
            inner = reader(type.item, item)
            return lambda words, element: inner(words, element) if _get(words, flag.slot, element) else None
        case m.UnionNode(tag, variants), t.Union():
            bodies = [
                [reader(f, n) for (_, f), n in zip(variant.fields, nodes)]
                for variant, nodes in zip(type.variants, variants)
            ]

            def union(words: Sequence[int], element: int) -> Raw:
                v = _get(words, tag.slot, element)
                return v, tuple(part(words, element) for part in bodies[v])

            return union
    raise TypeError(f"{node} does not hold {type}")


KNOWN = 1 << 12
"""The number of words of an atom whose values are cached: most states repeat a few values."""


def _atom_reader(type: t.Type, slot: m.Slot) -> Callable[[Sequence[int], int], Raw]:
    unpacked, mask = unpacker(type), (1 << bits(type)) - 1
    known: dict[int, Raw] = {}

    def atom(words: Sequence[int], element: int) -> Raw:
        word = _get(words, slot, element) & mask
        if word in known:
            return known[word]
        raw = unpacked(word)
        if len(known) < KNOWN:
            known[word] = raw
        return raw

    return atom


def put(words: list[int], slot: m.Slot, element: int, value: int) -> None:
    """Put a value into an element of a slot that is zero."""
    if slot.width:
        words[slot.word + element // slot.per_word] |= value << slot.shift + element % slot.per_word * slot.width


def _get(words: Sequence[int], slot: m.Slot, element: int) -> int:
    if not slot.width:
        return 0
    word = words[slot.word + element // slot.per_word]
    return _cut(word, slot.shift + element % slot.per_word * slot.width, slot.width)
