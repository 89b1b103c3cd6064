"""Which places of a bag hold a message of one variant, found a word at a time.

Most messages of a network are for other handlers. A loop over all messages tests each, and a processor cannot predict
the results; a word with a bit for each matching place lets the loop visit those places alone. Where it stops: bags in
many words, and bags whose items are not adjacent in words, are visited item by item.
"""

from __future__ import annotations

from collections.abc import Iterator

from checker.assembly import Operand
from checker.backends.native import access, sequences, words
from checker.backends.native.context import Bits, Context, Ref
from checker.backends.native.packing import bits
from checker.frozen import frozen
from checker.ir import expressions as e
from checker.ir import statements as s
from checker.ir import types as t
from checker.ir.model import Action

MOST_PARTS = 6
"""Bags in more parts are walked through. A part has at most eight items, and so a bag in six at most 48."""


@frozen
class _Part:
    """Adjacent items in a word: the place of the first, their number, the word with the lowest of them at its end;
    falling: the first is the highest.
    """

    first: int
    number: int
    word: Operand
    falling: bool


def required(action: Action) -> e.IsVariant | None:
    """The variant that an action requires of the item of a bag that its opening choice takes, before anything else."""
    match action.body[:2]:
        case (
            s.Choose(local=local, iterable=e.Variable(type=t.Bag())),
            s.Require(condition=e.IsVariant(value=value) as condition),
        ):
            while isinstance(value, e.Field):
                value = value.base
            return condition if value == local else None
    return None


def places(f: Context, ref: Ref, wanted: e.IsVariant) -> Operand | None:
    """A bit for each place of a bag whose item holds the variant, in a word; None where items must be examined one by
    one.
    """
    kind, held = sequences.item_type(ref), words.each(f, ref)
    if held is None:
        return None
    width = words.spacing(ref)
    parts = list(_parts(f, held, width, isinstance(ref, Bits)))
    if len(parts) > MOST_PARTS:
        return None
    union = _within(f, Bits(kind, 0), wanted.value)
    assert isinstance(union.type, t.Union)
    tag = access.tag(f, union)
    number = t.variant_number(union.type, wanted.variant)
    b = f.b
    found: Operand = 0
    for part in parts:
        marks = _equal(f, part, width, tag, number)
        found = b.bit_or(found, b.shl(_gathered(f, part, width, marks), part.first))
    return b.bit_and(found, b.sub(b.shl(1, sequences.length(f, ref)), 1))


def _within(f: Context, item: Ref, value: e.Expression) -> Ref:
    """The part of an item that an expression names: a field, or a field of a field."""
    if not isinstance(value, e.Field):
        return item
    outer = _within(f, item, value.base)
    assert isinstance(outer.type, t.Record)
    return access.field(f, outer, [name for name, _ in outer.type.fields].index(value.name))


def _parts(f: Context, held: list[tuple[int, Operand]], width: int, falling: bool) -> Iterator[_Part]:
    """The words of a bag, divided into so few items that `_gathered` can separate their bits."""
    before = 0
    for number, word in held:
        for start in range(0, number, width):
            few = min(width, number - start)
            first = number - start - few if falling else start
            yield _Part(before + first, few, f.b.lshr(word, start * width), falling)
        before += number


def _equal(f: Context, part: _Part, width: int, tag: Bits, number: int) -> Operand:
    """A bit at the end of each item of a part whose tag is this number."""
    b = f.b
    differing: Operand = 0
    for bit in range(bits(tag.type)):
        column = b.lshr(part.word, b.add(tag.shift, bit))
        differing = b.bit_or(differing, b.invert(column) if number >> bit & 1 else column)
    return b.bit_and(b.invert(differing), sum(1 << place * width for place in range(part.number)))


def _gathered(f: Context, part: _Part, width: int, marks: Operand) -> Operand:
    """The bits at the ends of the items of a part, side by side in the order of places.

    The product has every bit once for each bit of the factor. No two of them meet, since there are no more items than
    an item has bits, and somewhere in it all are side by side.
    """
    b, last = f.b, part.number - 1
    step, base = (width + 1, width) if part.falling else (width - 1, width - 1)
    factor = sum(1 << place * step for place in range(part.number))
    return b.bit_and(b.lshr(b.mul(marks, factor), last * base), (1 << part.number) - 1)
