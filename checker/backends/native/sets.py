"""Sets by the places of their members: bit masks of one word, or arrays of masks.

Members are given as places in the canonical order of the item type (`domain.place`).
"""

from __future__ import annotations

from collections.abc import Iterator

from checker.assembly import Operand
from checker.backends.native import access
from checker.backends.native.context import Bits, Context, Ref
from checker.backends.native.layout import SetNode
from checker.backends.native.packing import count
from checker.ir import types as t


def _locate(f: Context, ref: Ref, member: Operand) -> tuple[Bits, Operand]:
    """The mask that holds a member, and its bit."""
    if isinstance(ref, Bits):
        return ref, member
    assert isinstance(ref.node, SetNode)
    width = ref.node.width
    return access.chunk(f, ref, f.b.udiv(member, width)), f.b.urem(member, width)


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
    return [access.chunk(f, ref, i) for i in range(ref.node.chunks)]


def each(f: Context, ref: Ref, unroll: int = 0) -> Iterator[Operand]:
    """Every member in canonical order, for a Python loop that emits the body.

    The set is read once, before the first round. `unroll`: sets of at most this many possible members are unrolled.
    """
    assert isinstance(ref.type, t.Set)
    if isinstance(ref, Bits):
        mask, size = access.raw(f, ref), count(ref.type.item)
        if size > unroll:
            yield from each_bit(f, mask, 0)
            return
        for member in range(size):
            with f.b.when(f.b.bit_and(f.b.lshr(mask, member), 1)):
                yield member
        return
    assert isinstance(ref.node, SetNode)
    width = ref.node.width
    for i in f.b.repeat(ref.node.chunks, unroll=1):
        yield from each_bit(f, access.raw(f, access.chunk(f, ref, i)), f.b.mul(i, width))


def each_bit(f: Context, mask: Operand, base: Operand) -> Iterator[Operand]:
    """The number of each set bit plus `base`, the lowest first, for a Python loop that emits the body."""
    b = f.b
    rest = b.variable(mask)
    for left in b.rounds(rest, lambda left: b.compare("ne", left, 0)):
        rest.set(b.bit_and(left, b.sub(left, 1)))
        yield b.add(base, b.lowest(left))


def size(f: Context, ref: Ref) -> Operand:
    """Number of members."""
    result: Operand = 0
    for part in masks(f, ref):
        result = f.b.add(result, f.b.population(access.raw(f, part)))
    return result
