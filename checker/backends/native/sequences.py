"""Sequences and sorted bags: length and items, in one word or in arrays.

In one word, items behind an index move by one shift of the whole word. Places behind the end are always zero.
"""

from __future__ import annotations

from collections.abc import Callable

from checker.assembly import Operand, mask
from checker.backends.native import access, lanes, words
from checker.backends.native.compare import compare
from checker.backends.native.context import Big, Bits, Context, Ref, Value
from checker.backends.native.packing import bits
from checker.ir import types as t


def capacity(ref: Ref) -> int:
    """Largest length."""
    assert isinstance(ref.type, t.Seq | t.Bag)
    return ref.type.capacity


def item_type(ref: Ref) -> t.Type:
    """Type of the items."""
    assert isinstance(ref.type, t.Seq | t.Bag)
    return ref.type.item


def length(f: Context, ref: Ref) -> Operand:
    """Number of items."""
    return access.number(f, access.length(f, ref))


def need_room(f: Context, ref: Ref, line: int) -> None:
    """A full sequence or bag is the error "overflow", or the finding "grow" of the network that it belongs to."""
    assert isinstance(ref.type, t.Seq | t.Bag)
    name, kind = ("overflow", "error") if ref.type.grow is None else (ref.type.grow, "grow")
    f.check(f.b.compare("slt", length(f, ref), capacity(ref)), name, line, kind)


def append(f: Context, ref: Ref, value: Value, line: int) -> None:
    """Put an item at the end."""
    need_room(f, ref, line)
    number = length(f, ref)
    access.store(f, access.item(f, ref, number), value)
    access.store(f, access.length(f, ref), f.b.add(number, 1))


def insert(f: Context, ref: Ref, at: Operand, value: Value, line: int) -> None:
    """Put an item before the place `at`, which is at most the length."""
    need_room(f, ref, line)
    insert_with_room(f, ref, at, value)


def insert_with_room(f: Context, ref: Ref, at: Operand, value: Value) -> None:
    """Insert where there certainly is room, so that nothing can fail: an iterable of a choice that opens an action is
    emitted without blocks for failures.
    """
    number = length(f, ref)
    if lanes.moves(ref):
        assert isinstance(ref, Big) and not isinstance(value, Big)
        lanes.insert(f, ref, at, access.packed(f, item_type(ref), value))
    else:
        if isinstance(ref, Bits):
            _shift_word(f, ref, at, 1)
        else:
            _move_up(f, ref, at, number)
        access.store(f, access.item(f, ref, at), value)
    access.store(f, access.length(f, ref), f.b.add(number, 1))


def remove(f: Context, ref: Ref, at: Operand, before: Ref | None = None) -> None:
    """Take out the item at a place, which is less than the length.  before: the sequence in an equal state, where it is
    read; to read what was just copied takes longer.
    """
    before = ref if before is None else before
    number = length(f, before)
    if isinstance(ref, Bits):
        _shift_word(f, ref, at, -1)
    else:
        _move_down(f, ref, at, number, before)
    access.store(f, access.length(f, ref), f.b.sub(number, 1))


def _shift_word(f: Context, ref: Bits, at: Operand, direction: int) -> None:
    """Move the items from place `at` on by one place: open a gap there (1) or close it (-1)."""
    b, width = f.b, bits(item_type(ref))
    if not width:
        return
    word = access.raw(f, ref)
    rest = b.sub(capacity(ref) * width, b.mul(at, width))
    below = b.sub(b.shl(1, rest), 1)
    kept = b.bit_and(word, b.invert(below))
    moved = b.bit_and(word, below)
    if direction > 0:
        moved = b.lshr(moved, width)
    else:
        moved = b.bit_and(b.shl(moved, width), below)
    access.put(f, ref, b.bit_or(kept, moved))


def _move_up(f: Context, ref: Big, at: Operand, number: Operand) -> None:
    """Open a gap at a place: the items from there on move up by one."""
    if words.moves(ref):
        words.open_gap(f, ref, at)
        return
    b = f.b
    counter = b.variable(number)
    for i in b.rounds(counter, lambda i: b.compare("sgt", i, at)):
        before = b.sub(i, 1)
        access.copy(f, access.item(f, ref, i), access.item(f, ref, before))
        counter.set(before)


def _move_down(f: Context, ref: Big, at: Operand, number: Operand, before: Ref) -> None:
    """Close the gap at a place: the items behind it move down by one, the last place becomes zero."""
    if lanes.moves(ref):
        assert isinstance(before, Big)
        lanes.remove(f, ref, at, before)
        return
    if words.moves(ref):
        words.close_gap(f, ref, at)
        return
    b = f.b
    last = b.sub(number, 1)
    for i in b.count(last, at):
        access.copy(f, access.item(f, ref, i), access.item(f, ref, b.add(i, 1)))
    access.clear(f, access.item(f, ref, last))


def position(f: Context, ref: Ref, smaller: Callable[[Value], Operand]) -> Operand:
    """Number of leading items for which `smaller` holds; the items are sorted accordingly."""
    b, number = f.b, length(f, ref)
    counter, end = b.variable(0), b.new_label()
    for i in b.rounds(counter, lambda i: b.compare("slt", i, number), end):
        b.require(smaller(access.load(f, access.item(f, ref, i))), end)
        counter.set(b.add(i, 1))
    return counter.get()


def equal_places(f: Context, ref: Ref, type: t.Type, value: Value) -> Operand | None:
    """A bit for each place whose item equals a value, in a word; None where items must be compared one by one.

    A sequence in one word is compared as a whole: another word has the value at each place, and items are equal where
    the two words differ in no bit.  A processor cannot predict the number of rounds of a loop over a short sequence.
    """
    b, kind = f.b, item_type(ref)
    width, places = bits(kind), capacity(ref)
    if not isinstance(ref, Bits) or isinstance(value, Big) or kind != type or not width:
        return None
    lowest = sum(1 << place * width for place in range(places))
    word = access.raw(f, ref)
    differing = b.bit_xor(b.bit_and(word, mask(places * width)), b.mul(access.packed(f, kind, value), lowest))
    joined = 1  # bits above the lowest of an item that are or-ed into it
    while joined < width:
        step = min(joined, width - joined)
        differing = b.bit_or(differing, b.lshr(differing, step))
        joined += step
    unused = b.mul(b.sub(places, b.lshr(word, places * width)), width)  # behind the end is zero, as an item may be
    held = b.bit_and(lowest, b.sub(0, b.shl(1, unused)))
    return b.bit_and(b.invert(differing), held)


def holds(f: Context, ref: Ref, type: t.Type, value: Value) -> Operand:
    """Whether an item equals a value."""
    equal = equal_places(f, ref, type, value)
    if equal is not None:
        return f.b.compare("ne", equal, 0)
    found, end = f.b.variable(0), f.b.new_label()
    for i in f.b.count(length(f, ref)):
        held = access.load(f, access.item(f, ref, i))
        with f.b.when(compare(f, "==", item_type(ref), held, type, value)):
            found.set(1)
            f.b.jump(end)
    f.b.label(end)
    return found.get()


def count(f: Context, ref: Ref, type: t.Type, value: Value) -> Operand:
    """How many items equal a value."""
    equal = equal_places(f, ref, type, value)
    if equal is not None:
        return f.b.population(equal)
    total, kind = f.b.variable(0), item_type(ref)
    for i in f.b.count(length(f, ref)):
        total.add(compare(f, "==", kind, access.load(f, access.item(f, ref, i)), type, value))
    return total.get()
