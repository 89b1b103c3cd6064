"""Sets by the places of their members: bit masks of one word, or arrays of masks.

Members are given as places in the canonical order of the item type (`domain.place`).
"""

from __future__ import annotations

from collections.abc import Callable

from checker.backends.native import access
from checker.backends.native.assembly import Operand
from checker.backends.native.context import Big, Bits, Context, Ref
from checker.backends.native.layout import SetNode
from checker.backends.native.packing import count
from checker.ir import types as t


def _locate(f: Context, ref: Ref, member: Operand) -> tuple[Bits, Operand]:
    """The mask that holds a member, and its bit."""
    if isinstance(ref, Bits):
        return ref, member
    assert isinstance(ref.node, SetNode)
    width = ref.node.slot.width
    mask, _ = access.chunk(f, ref, f.b.udiv(member, width))
    return mask, f.b.urem(member, width)


def contains(f: Context, ref: Ref, member: Operand) -> Operand:
    """Whether the member is in the set."""
    mask, bit = _locate(f, ref, member)
    return f.b.bit_and(f.b.lshr(access.raw(f, mask), bit), 1)


def insert(f: Context, ref: Ref, member: Operand, present: Operand = 1) -> None:
    """Put the member in (if `present`)."""
    mask, bit = _locate(f, ref, member)
    access.put(f, mask, f.b.bit_or(access.raw(f, mask), f.b.shl(present, bit)))


def remove(f: Context, ref: Ref, member: Operand) -> None:
    """Take the member out."""
    mask, bit = _locate(f, ref, member)
    access.put(f, mask, f.b.bit_and(access.raw(f, mask), f.b.invert(f.b.shl(1, bit))))


def masks(f: Context, ref: Ref) -> list[Bits]:
    """All masks of the set."""
    if isinstance(ref, Bits):
        return [ref]
    assert isinstance(ref.node, SetNode)
    return [access.chunk(f, ref, i)[0] for i in range(ref.node.chunks)]


def each(f: Context, ref: Ref, body: Callable[[Operand], None], unroll: int = 0) -> None:
    """Emit `body` for every member in canonical order.

    The set is read once, before the first round. `unroll`: sets of so many possible members or fewer are written out.
    """
    assert isinstance(ref.type, t.Set)
    if isinstance(ref, Bits):
        if count(ref.type.item) <= unroll:
            _each_unrolled(f, access.raw(f, ref), count(ref.type.item), body)
        else:
            _each_bit(f, access.raw(f, ref), 0, body)
        return
    assert isinstance(ref.node, SetNode)
    width = ref.node.slot.width

    def one(i: Operand) -> None:
        assert isinstance(ref, Big)
        _each_bit(f, access.raw(f, access.chunk(f, ref, i)[0]), f.b.mul(i, width), body)

    access.repeat(f, ref.node.chunks, one, unroll=1)


def _each_unrolled(f: Context, mask: Operand, size: int, body: Callable[[Operand], None]) -> None:
    b = f.b
    for i in range(size):
        here, after = b.new_label(), b.new_label()
        b.branch(b.bit_and(b.lshr(mask, i), 1), here, after)
        b.label(here)
        body(i)
        b.label(after)


def _each_bit(f: Context, mask: Operand, base: Operand, body: Callable[[Operand], None]) -> None:
    b = f.b
    rest = b.slot()
    head, inside, end = b.new_label(), b.new_label(), b.new_label()
    b.store(mask, rest)
    b.label(head)
    left = b.load(rest)
    b.branch(b.compare("ne", left, 0), inside, end)
    b.label(inside)
    b.store(b.bit_and(left, b.sub(left, 1)), rest)
    body(b.add(base, b.lowest(left)))
    b.jump(head)
    b.label(end)


def size(f: Context, ref: Ref) -> Operand:
    """Number of members."""
    result: Operand = 0
    for mask in masks(f, ref):
        result = f.b.add(result, f.b.population(access.raw(f, mask)))
    return result
