"""Packed states as typed columns: all rows of a block at once, without a Python object for any value.

    Bool, Int          bool, int64            Record    struct
    Enum, Ids          text: the name         Union     struct: `variant`, the name, and a struct for each variant that
    Optional           the item, or null                has fields, null where it is another
    Map                map                    Set, Seq, Bag    list (of a bag each copy)

An atom (`checker.backends.native.packing`) is taken apart by shifts of its words, all else by the slots of its node
(`checker.backends.native.layout`).  Most values occur in many states: those of a variable that is made of parts are
made once in a block and copied to their rows, if the block has few of them.  Where it stops: none within none is null,
as none is; a record without fields is its name.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from checker.backends.native import layout as m
from checker.backends.native.codec import pack
from checker.backends.native.packing import bits, count, field_shift, low, payload_bits, variant_shift
from checker.contract import States
from checker.frozen import frozen
from checker.ir import types as t
from checker.ir.values import values

Words = NDArray[np.uint64]
Numbers = NDArray[np.int64]
VARIANT = "variant"


def titles(names: Sequence[str], taken: Sequence[str] = ()) -> list[str]:
    """Names of columns: names in SQL have no dots and do not distinguish upper and lower case."""
    used, found = {name.lower() for name in taken}, []
    for name in names:
        title = name.replace(".", "_")
        while title.lower() in used:
            title += "_"
        used.add(title.lower())
        found.append(title)
    return found


@frozen(eq=False)
class _At:
    """Elements of a slot: for each its state's row and its number."""

    states: States
    rows: Numbers
    elements: Numbers

    def packed(self, slot: m.Slot) -> Words:
        """The bit fields there."""
        if not slot.width:
            return np.zeros(len(self.rows), np.uint64)
        words = self.states[self.rows, slot.word + self.elements // slot.per_word]
        shifts = slot.shift + self.elements % slot.per_word * slot.width
        return _cut(words, shifts.astype(np.uint64), slot.width)

    def each(self, lengths: Numbers, room: int) -> _At:
        """The first items of sequences with a capacity."""
        within = _within(lengths)
        return _At(self.states, np.repeat(self.rows, lengths), np.repeat(self.elements * room, lengths) + within)


def column(states: States, type: t.Type, node: m.Node) -> Any:
    """The values of a variable in states (n, words) as an Arrow array."""
    if isinstance(type, t.Bool | t.Int | t.Enum | t.Ids):
        return _whole(type, node, states)
    mask = np.array(m.mask_of([node], states.shape[1]), np.uint64)
    rows, firsts = _distinct([states[:, word] & mask[word] for word in np.flatnonzero(mask)], len(states))
    if not _few(len(firsts), len(states)):
        return _whole(type, node, states)
    return _whole(type, node, np.ascontiguousarray(states[firsts])).take(rows)


def _whole(type: t.Type, node: m.Node, states: States) -> Any:
    n = len(states)
    return _values(type, node, _At(states, np.arange(n), np.zeros(n, np.int64)))


# ---- each distinct value once


def _few(distinct: int, rows: int) -> bool:
    """Whether copies of distinct values cost less than the values of all rows (measured: up to half of the rows)."""
    return 2 * distinct <= rows


def _distinct(words: Sequence[Words], n: int) -> tuple[Any, Numbers]:
    """For n rows of words the number of each row's value among the distinct values, and the first row of each value."""
    import pyarrow as pa

    numbers: Any = np.zeros(n, np.int64)
    for place, word in enumerate(words):
        found = pa.array(word).dictionary_encode()
        codes = found.indices.to_numpy()
        if place:
            codes = pa.array(numbers * len(found.dictionary) + codes).dictionary_encode().indices.to_numpy()
        numbers = codes.astype(np.int64)
    firsts = np.zeros(int(numbers.max(initial=-1)) + 1, np.int64)
    firsts[numbers[::-1]] = np.arange(n)[::-1]  # the last that is written stays: the first of its kind
    return pa.array(numbers), firsts


# ---- values


def _values(type: t.Type, node: m.Node, at: _At) -> Any:
    """The values of a type at its node."""
    n = len(at.rows)
    match node, type:
        case m.AtomNode(slot), _:
            return atoms(type, at.packed(slot))
        case m.MapNode(keys, value), t.Map():
            return _map(type, n, _values(type.value, value, at.each(np.full(n, keys), keys)))
        case m.SetNode(chunks, slot, width), t.Set():
            return _set(type, _chunks(at, slot, chunks), width)
        case m.SequenceNode(length, capacity, item), t.Seq() | t.Bag():
            lengths = at.packed(length.slot).astype(np.int64)
            return _list(lengths, _values(type.item, item, at.each(lengths, capacity)))
        case m.RecordNode(fields), t.Record():
            return _struct(type, [_values(f, part, at) for (_, f), part in zip(type.fields, fields)], n)
        case m.OptionalNode(flag, item), t.Optional():
            return _where(at.packed(flag.slot) != 0, _values(type.item, item, at))
        case m.UnionNode(tag, variants), t.Union():
            chosen = at.packed(tag.slot).astype(np.int64)

            def part(variant: int, of: Numbers) -> list[Any]:
                there = _At(at.states, at.rows[of], at.elements[of])
                return [_values(f, p, there) for (_, f), p in zip(type.variants[variant].fields, variants[variant])]

            return _union(type, chosen, part)
    raise TypeError(f"{node} does not hold {type}")


def atoms(type: t.Type, words: Words) -> Any:
    """The values of packed atoms as an Arrow array."""
    import pyarrow as pa

    match type:
        case t.Bool():
            return pa.array(words != 0)
        case t.Int():
            return pa.array((words + np.uint64(low(type) % (1 << 64))).view(np.int64))
        case t.Enum() | t.Ids():
            return _named(type.members, words)
        case t.Optional(item):
            width = bits(item)
            return _where(_cut(words, width, 1) != 0, atoms(item, _cut(words, 0, width)))
        case t.Record(_, fields):
            parts = [atoms(f, _cut(words, field_shift(type, i), bits(f))) for i, (_, f) in enumerate(fields)]
            return _struct(type, parts, len(words))
        case t.Union():
            return _packed_union(type, words)
        case t.Map(key, value):
            keys = count(key)
            return _map(type, len(words), atoms(value, _items(words, np.full(len(words), keys), keys, bits(value))))
        case t.Set(item):
            return _set(type, words[:, None], count(item))
        case t.Seq(item, capacity) | t.Bag(item, capacity, _):
            lengths = _cut(words, capacity * bits(item), capacity.bit_length()).astype(np.int64)
            return _list(lengths, atoms(item, _items(words, lengths, capacity, bits(item))))
    raise TypeError(f"no column for {type}")


def _packed_union(type: t.Union, words: Words) -> Any:
    chosen = _cut(words, payload_bits(type), 64).astype(np.int64)

    def part(variant: int, of: Numbers) -> list[Any]:
        own, fields = words[of], type.variants[variant].fields
        return [atoms(f, _cut(own, variant_shift(type, variant, i), bits(f))) for i, (_, f) in enumerate(fields)]

    return _union(type, chosen, part)


# ---- bits


def _cut(words: Words, shift: Any, width: int) -> Words:
    """The given number of bits of each word; a shift by 64 is undefined in numpy."""
    if not width or isinstance(shift, int) and shift >= 64:
        return np.zeros(len(words), np.uint64)
    cut: Words = words >> np.uint64(shift) if isinstance(shift, int) else words >> shift
    return cut if width >= 64 else cut & np.uint64((1 << width) - 1)


def _within(lengths: Numbers) -> Numbers:
    """0, 1, ... up to each length, one after the other."""
    ends = np.cumsum(lengths)
    return np.arange(ends[-1] if len(ends) else 0) - np.repeat(ends - lengths, lengths)


def _items(words: Words, lengths: Numbers, room: int, width: int) -> Words:
    """The first items of packed sequences: the first item has the highest bits."""
    shifts = (room - 1 - _within(lengths)) * width
    return _cut(np.repeat(words, lengths), shifts.astype(np.uint64), width)


def _chunks(at: _At, slot: m.Slot, chunks: int) -> Words:
    """The masks of large sets, (n, chunks)."""
    parts = [_At(at.states, at.rows, at.elements * chunks + c).packed(slot) for c in range(chunks)]
    return np.stack(parts, axis=1)


# ---- Arrow


def _offsets(lengths: Numbers) -> Any:
    import pyarrow as pa

    return pa.array(np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32))


def _list(lengths: Numbers, items: Any) -> Any:
    import pyarrow as pa

    return pa.ListArray.from_arrays(_offsets(lengths), items)


def _set(type: t.Set, masks: Words, width: int) -> Any:
    """Sets from masks (n, chunks) with the given number of members each."""
    members = range(count(type.item))
    flags = [masks[:, number // width] >> np.uint64(number % width) & np.uint64(1) for number in members]
    there = np.stack(flags, axis=1) != 0 if flags else np.zeros((len(masks), 0), np.bool_)
    return _list(there.sum(axis=1), _domain(type.item).take(np.nonzero(there)[1]))


def _map(type: t.Map, n: int, items: Any) -> Any:
    import pyarrow as pa

    keys = _domain(type.key)
    return pa.MapArray.from_arrays(_offsets(np.full(n, len(keys))), keys.take(np.tile(np.arange(len(keys)), n)), items)


def _domain(type: t.Type) -> Any:
    """All values of an enumerable type, in order."""
    return atoms(type, np.array([pack(type, raw) for raw in values(type)], np.uint64))


def _struct(type: t.Record, parts: list[Any], n: int) -> Any:
    import pyarrow as pa

    if not parts:
        return _named([type.name], np.zeros(n))
    return pa.StructArray.from_arrays(parts, names=titles([name for name, _ in type.fields]))


def _named(names: Sequence[str], numbers: Any) -> Any:
    """A few texts by number: only the number is copied for a row."""
    import pyarrow as pa

    return pa.DictionaryArray.from_arrays(pa.array(numbers.astype(np.int32)), pa.array(list(names), pa.string()))


def _where(there: NDArray[np.bool_], items: Any) -> Any:
    """The items, and null where there is none."""
    import pyarrow as pa

    return items.take(pa.array(np.arange(len(there), dtype=np.int32), mask=~there))


def _union(type: t.Union, chosen: Numbers, part: Any) -> Any:
    import pyarrow as pa

    columns = {VARIANT: _named([v.name for v in type.variants], chosen)}
    for number, (variant, title) in enumerate(zip(type.variants, titles([v.name for v in type.variants], [VARIANT]))):
        if variant.fields:
            own = chosen == number
            some = _struct(variant, part(number, np.flatnonzero(own)), int(own.sum()))
            columns[title] = some.take(pa.array(np.cumsum(own) - 1, mask=~own))
    return pa.StructArray.from_arrays(list(columns.values()), names=list(columns))
