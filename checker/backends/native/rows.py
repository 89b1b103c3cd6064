"""Rows of stored states without the bits that no run is expected to set.

The layout of a state has room for every value of its types; runs set only some of these bits. A model may declare which
(`Model.kept`): a mask for each word of the layout. Its states are then *worked on* as they are laid out and *stored* as
rows of fewer words, in which the kept bits of all words stand next to each other. Kernels unpack a row before they
expand or check it, and pack each successor; a successor with another bit is no error of the model, but ends the search
(`checker.ir.fitted.ROOM`).

Packing a word is one instruction where the processor gathers bits by a mask; elsewhere it is a shift and a mask for
each run of adjacent kept bits.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from checker.assembly import MASK, Assembly, Operand, mask, signed
from checker.backends.native.packing import WORD
from checker.frozen import frozen

Kept = tuple[int, ...]
"""For each word of a layout, the bits that stored states have."""


@frozen
class Piece:
    """Bits of a word that stand next to each other in a row: `mask` in the word, from bit `shift` of word `place` of
    the row on."""

    word: int
    mask: int
    place: int
    shift: int


def row_words(kept: Kept) -> int:
    """Words of a row."""
    return max(1, -(-sum(mask.bit_count() for mask in kept) // WORD))


@cache
def pieces(kept: Kept) -> tuple[Piece, ...]:
    """The bits of a row, from its first word's lowest bit on."""
    return tuple(_pieces(kept))


def _pieces(kept: Kept) -> Iterator[Piece]:
    used = 0
    for word, rest in enumerate(kept):
        while rest:
            place, shift = divmod(used, WORD)
            part = _lowest(rest, WORD - shift)
            yield Piece(word, part, place, shift)
            used += part.bit_count()
            rest ^= part


def _lowest(mask: int, most: int) -> int:
    """At most this many of the lowest bits of a mask."""
    part = 0
    for _ in range(min(most, mask.bit_count())):
        part |= (mask ^ part) & -(mask ^ part)
    return part


def runs_of(bits: int) -> Iterator[tuple[int, int, int]]:
    """The runs of adjacent bits of a 64-bit constant: the lowest bit, the number of bits, and how many are in the runs
    before."""
    rest, before = bits & MASK, 0
    while rest:
        low = (rest & -rest).bit_length() - 1
        width = (~(rest >> low) & (rest >> low) + 1).bit_length() - 1
        yield low, width, before
        rest &= ~(((1 << width) - 1) << low)
        before += width


# -- in Python


def packed(words: Sequence[int], kept: Kept) -> list[int]:
    """The row of a state.  ValueError if the state has other bits."""
    if any(word & ~mask for word, mask in zip(words, kept)):
        raise ValueError("the state has bits for which rows have no room")
    row = [0] * row_words(kept)
    for piece in pieces(kept):
        for low, width, before in runs_of(piece.mask):
            row[piece.place] |= (words[piece.word] >> low & (1 << width) - 1) << piece.shift + before
    return row


def unpacked(row: Sequence[int], kept: Kept) -> list[int]:
    """The state of a row."""
    words = [0] * len(kept)
    for piece in pieces(kept):
        for low, width, before in runs_of(piece.mask):
            words[piece.word] |= (row[piece.place] >> piece.shift + before & (1 << width) - 1) << low
    return words


# -- in compiled code


def gather(b: Assembly, a: Operand, bits: int, instruction: bool) -> Operand:
    """The bits of a that a constant has, next to each other.  instruction: the processor has one for it."""
    if instruction and not isinstance(a, int):
        return b.register(f"call i64 @llvm.x86.bmi.pext.64(i64 {a}, i64 {signed(bits)})")
    return _moved(b, a, runs_of(bits))


def scatter(b: Assembly, a: Operand, bits: int, instruction: bool) -> Operand:
    """The lowest bits of a at the places of the bits that a constant has: the inverse of `gather`."""
    if instruction and not isinstance(a, int):
        return b.register(f"call i64 @llvm.x86.bmi.pdep.64(i64 {a}, i64 {signed(bits)})")
    return _moved(b, a, ((before, width, low) for low, width, before in runs_of(bits)))


def _moved(b: Assembly, a: Operand, parts: Iterable[tuple[int, int, int]]) -> Operand:
    """Parts of a at other places.  parts: where each begins, its width in bits, and where it begins in the result."""
    result: Operand = 0
    for start, width, place in parts:
        result = b.bit_or(result, b.shl(b.bit_and(b.lshr(a, start), mask(width)), place))
    return result


def emit_pack(kept: Kept, used: Sequence[int], gathers: bool) -> str:
    """pack(state, row) -> the bits of the state for which rows have no room; the row is written if there are none.
    used: the bits of values in each word; others are zero."""
    b = Assembly("pack", "i64", [("ptr noalias readonly", "%state"), ("ptr noalias", "%row")])
    b.inline = "alwaysinline"
    held = [b.load("%state", word) for word in range(len(kept))]
    rest: Operand = 0
    for word, stored, possible in zip(held, kept, used):
        rest = b.bit_or(rest, b.bit_and(word, signed(possible & ~stored)))
    with b.when(b.compare("ne", rest, 0)):
        b.give(f"i64 {rest}")
    for place in range(row_words(kept)):
        whole: Operand = 0
        for piece in pieces(kept):
            if piece.place == place:
                part = gather(b, held[piece.word], piece.mask, gathers)
                whole = b.bit_or(whole, b.shl(part, piece.shift))
        b.store(whole, "%row", place)
    b.give("i64 0")
    return b.text()


def emit_unpack(kept: Kept, gathers: bool) -> str:
    """unpack(row, state): write the state of a row."""
    b = Assembly("unpack", "void", [("ptr noalias readonly", "%row"), ("ptr noalias", "%state")])
    b.inline = "alwaysinline"
    held = [b.load("%row", place) for place in range(row_words(kept))]
    for word in range(len(kept)):
        whole: Operand = 0
        for piece in pieces(kept):
            if piece.word == word:
                part = scatter(b, b.lshr(held[piece.place], piece.shift), piece.mask, gathers)
                whole = b.bit_or(whole, part)
        b.store(whole, "%state", word)
    b.give("void")
    return b.text()
