"""A value's place in the canonical order of its type, and back.

Map keys, set members and parameters are addressed by this place. For scalars, and for records whose radices are powers
of two, it is the packed form itself; otherwise it is computed in mixed radix. Constant operands fold to constants.
"""

from __future__ import annotations

from checker.assembly import Operand
from checker.backends.native import access
from checker.backends.native.context import Bits, Context, Ref
from checker.backends.native.packing import bits, count, dense, field_shift, payload_bits, variant_shift
from checker.ir import types as t


def place(f: Context, type: t.Type, value: Operand) -> Operand:
    """Place of an atom's value in the canonical order."""
    return _place(f, type, access.packed(f, type, value))


def at(f: Context, type: t.Type, number: Operand) -> Operand:
    """The atom at a place of the canonical order."""
    return access.unpacked(f, type, _at(f, type, number))


def _place(f: Context, type: t.Type, word: Operand) -> Operand:
    if dense(type):
        return word
    b, whole = f.b, Bits(type, 0, word=word)
    match type:
        case t.Optional(item):
            inner = _place(f, item, access.raw(f, access.atom(access.payload(f, whole))))
            return b.add(inner, access.raw(f, access.flag(f, whole)))
        case t.Record(_, fields):
            return _horner(f, [access.field(f, whole, i) for i in range(len(fields))])
        case t.Map(key, _):
            return _horner(f, [access.entry(f, whole, i) for i in range(count(key))])
        case t.Union(_, variants):
            held, before = access.raw(f, access.tag(f, whole)), 0
            result: Operand = 0
            for v, variant in enumerate(variants):
                digits = [access.variant_field(f, whole, v, i) for i in range(len(variant.fields))]
                here = b.add(_horner(f, digits), before)
                result = here if v == 0 else b.select(b.compare("eq", held, v), here, result)
                before += count(variant)
            return result
    raise TypeError(f"{type} has no places")


def _horner(f: Context, digits: list[Ref]) -> Operand:
    result: Operand = 0
    for ref in digits:
        result = f.b.add(f.b.mul(result, count(ref.type)), _place(f, ref.type, access.raw(f, access.atom(ref))))
    return result


def _at(f: Context, type: t.Type, number: Operand) -> Operand:
    if dense(type):
        return number
    b = f.b
    match type:
        case t.Optional(item):
            some = b.compare("ne", number, 0)
            inner = _at(f, item, b.select(some, b.sub(number, 1), 0))
            return b.bit_or(b.shl(some, bits(item)), inner)
        case t.Record(_, fields):
            return _digits(f, [(k, field_shift(type, i)) for i, (_, k) in enumerate(fields)], number)
        case t.Map(key, value):
            last = count(key) - 1
            return _digits(f, [(value, (last - i) * bits(value)) for i in range(last + 1)], number)
        case t.Union(_, variants):
            result: Operand = 0
            before = 0
            for v, variant in enumerate(variants):
                places = [(k, variant_shift(type, v, i)) for i, (_, k) in enumerate(variant.fields)]
                offset = b.select(b.compare("sge", number, before), b.sub(number, before), 0)
                here = b.bit_or(_digits(f, places, offset), v << payload_bits(type))
                result = here if v == 0 else b.select(b.compare("sge", number, before), here, result)
                before += count(variant)
            return result
    raise TypeError(f"{type} has no places")


def _digits(f: Context, places: list[tuple[t.Type, int]], number: Operand) -> Operand:
    """Mixed radix; the first digit is the most significant and needs no remainder."""
    b = f.b
    result: Operand = 0
    for i in range(len(places) - 1, -1, -1):
        kind, shift = places[i]
        digit = number if i == 0 else b.urem(number, count(kind))
        result = b.bit_or(result, b.shl(_at(f, kind, digit), shift))
        if i:
            number = b.udiv(number, count(kind))
    return result
