"""Packed arrays a word at a time: their words, and moving items by one place.

A network that is a variable of its own stands in a few words of bit fields. Opening or closing a gap shifts each of
these words once and carries one item over each boundary, without branches; moving item by item would wait for a load
and a store for every item.
"""

from __future__ import annotations

from checker.assembly import Operand, mask
from checker.backends.native import access
from checker.backends.native.context import Big, Bits, Context, Ref
from checker.backends.native.layout import AtomNode, SequenceNode, Slot
from checker.backends.native.packing import bits
from checker.ir import types as t

MOVED_WORDS = 2
"""In arrays of more words, moving item by item is faster: most moves are short."""


def moves(ref: Ref) -> bool:
    """Whether gaps are opened and closed here."""
    return _whole(ref) and _slot(ref).words <= MOVED_WORDS


def _whole(ref: Ref) -> bool:
    """Whether the items are one array of bit fields, several to a word, and not part of a larger array."""
    slot = slot_of_all(ref)
    return slot is not None and not slot.alone and slot.width > 0 and slot.per_word > 1


def slot_of_all(ref: Ref) -> Slot | None:
    """The array of the items of a sequence; None if they are not an array of their own."""
    if not isinstance(ref, Big) or not isinstance(ref.node, SequenceNode) or not isinstance(ref.node.item, AtomNode):
        return None
    slot = ref.node.item.slot
    return slot if slot.count == ref.node.capacity else None


def spacing(ref: Ref) -> int:
    """Bits from one item to the next in the words of `each`."""
    assert isinstance(ref.type, t.Seq | t.Bag)
    return bits(ref.type.item) if isinstance(ref, Bits) else _slot(ref).width


def each(f: Context, ref: Ref) -> list[tuple[int, Operand]] | None:
    """Each word of a sequence or bag, for operations on all of its items at once: the number of its items, and the word
    with the lowest item at its end (the bits above the items are arbitrary).  None where items are not adjacent in
    words.
    """
    assert isinstance(ref.type, t.Seq | t.Bag)
    if isinstance(ref, Bits):
        return [(ref.type.capacity, access.raw(f, ref))] if bits(ref.type.item) else None
    if not _whole(ref):
        return None
    slot = _slot(ref)
    places = [f.b.load(ref.pointer, slot.word + word) for word in range(slot.words)]
    return [(_items(slot, word), f.b.lshr(held, slot.shift)) for word, held in enumerate(places)]


def _slot(ref: Ref) -> Slot:
    assert isinstance(ref, Big) and isinstance(ref.node, SequenceNode) and isinstance(ref.node.item, AtomNode)
    return ref.node.item.slot


def _items(slot: Slot, word: int) -> int:
    """Items in a word of the array."""
    return min(slot.per_word, slot.count - word * slot.per_word)


def _region(slot: Slot, word: int) -> int:
    """Mask of the array's bits in a word, shifted down."""
    return mask(_items(slot, word) * slot.width)


def _load(f: Context, ref: Big, slot: Slot, word: int) -> Operand:
    return f.b.bit_and(f.b.lshr(f.b.load(ref.pointer, slot.word + word), slot.shift), _region(slot, word))


def _store(f: Context, ref: Big, slot: Slot, word: int, value: Operand) -> None:
    b = f.b
    outside = b.invert(b.shl(_region(slot, word), slot.shift))
    rest = b.bit_and(b.load(ref.pointer, slot.word + word), outside)
    b.store(b.bit_or(rest, b.shl(value, slot.shift)), ref.pointer, slot.word + word)


def _below(f: Context, slot: Slot, word: int, at: Operand) -> Operand:
    """Mask of the items of a word before the place `at`."""
    b = f.b
    number = _items(slot, word)
    local = b.sub(at, word * slot.per_word)
    kept = b.select(b.compare("sgt", local, 0), local, 0)
    inside = b.compare("slt", kept, number)
    shift = b.mul(b.select(inside, kept, 0), slot.width)
    return b.select(inside, b.sub(b.shl(1, shift), 1), _region(slot, word))


def open_gap(f: Context, ref: Big, at: Operand) -> None:
    """Move the items from place `at` on up by one; the caller then overwrites the place `at`."""
    b, slot = f.b, _slot(ref)
    old = [_load(f, ref, slot, word) for word in range(slot.words)]
    for word, value in enumerate(old):
        below = _below(f, slot, word, at)
        moved = b.bit_and(b.shl(b.bit_and(value, b.invert(below)), slot.width), _region(slot, word))
        if word:
            last = b.lshr(old[word - 1], (slot.per_word - 1) * slot.width)
            moved = b.bit_or(moved, b.select(b.compare("slt", at, word * slot.per_word), last, 0))
        _store(f, ref, slot, word, b.bit_or(b.bit_and(value, below), moved))


def close_gap(f: Context, ref: Big, at: Operand) -> None:
    """Drop the item at place `at` and move those behind it down by one."""
    b, slot = f.b, _slot(ref)
    old = [_load(f, ref, slot, word) for word in range(slot.words)]
    for word, value in enumerate(old):
        below = _below(f, slot, word, at)
        moved = b.lshr(value, slot.width)
        if word + 1 < len(old):
            first = b.bit_and(old[word + 1], mask(slot.width))
            moved = b.bit_or(moved, b.shl(first, (slot.per_word - 1) * slot.width))
        _store(f, ref, slot, word, b.bit_or(b.bit_and(value, below), b.bit_and(moved, b.invert(below))))
