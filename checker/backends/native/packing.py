"""Small values as bits of one word, in an order-preserving form.

A type whose values fit 64 bits is an *atom*: its value is one unsigned number, its parts are bit fields. The most
significant part stands highest, so that the numeric order of the packed words is the canonical order of the values
(`ir.values.key`), and equal values have equal words. Parts that hold nothing (the item of none, fields of other
variants, places behind the end of a sequence) are zero.

    Bool, Enum, Ids  the ordinal              Int       value - lo
    Optional         flag, item               Record    fields, first one highest
    Union            variant number, its fields, padding
    Map              values, first key highest
    Set              bit i = the i-th value of the item type
    Seq, Bag         length, items, first one highest; bags are sorted
"""

from __future__ import annotations

from functools import cache

from checker.ir import types as t
from checker.ir.domain import size

WORD = 64


@cache
def bits(type: t.Type) -> int:
    """Number of bits of the packed form (of any type, also of types too large to be atoms)."""
    match type:
        case t.Optional(item):
            return 1 + bits(item)
        case t.Record(_, fields):
            return sum(bits(f) for _, f in fields)
        case t.Union():
            return tag_bits(type) + payload_bits(type)
        case t.Map(key, value):
            return count(key) * bits(value)
        case t.Set(item):
            return count(item)
        case t.Seq(item, capacity) | t.Bag(item, capacity, _):
            return capacity.bit_length() + capacity * bits(item)
        case _:
            return (count(type) - 1).bit_length()


def is_atom(type: t.Type) -> bool:
    """Whether a value of the type is one packed word."""
    return bits(type) <= WORD


def is_scalar(type: t.Type) -> bool:
    """Whether the type is Bool, Int, Enum or Ids."""
    return isinstance(type, t.Bool | t.Int | t.Enum | t.Ids)


@cache
def count(type: t.Type) -> int:
    """Number of values of an enumerable type."""
    result = size(type)
    if result is None:
        raise TypeError(f"the values of {type} cannot be enumerated")
    return max(result, 1)


def low(type: t.Type) -> int:
    """The value whose packed form is 0."""
    return type.lo if isinstance(type, t.Int) else 0


def tag_bits(type: t.Union) -> int:
    """Bits of the variant number."""
    return (len(type.variants) - 1).bit_length()


@cache
def payload_bits(type: t.Union) -> int:
    """Bits of the largest variant."""
    return max(bits(v) for v in type.variants)


@cache
def field_shift(type: t.Record, number: int) -> int:
    """Place of the lowest bit of a record's field."""
    return sum(bits(f) for _, f in type.fields[number + 1 :])


def variant_shift(type: t.Union, variant: int, number: int) -> int:
    """Place of the lowest bit of a field of a variant."""
    record = type.variants[variant]
    return payload_bits(type) - bits(record) + field_shift(record, number)


def dense(type: t.Type) -> bool:
    """Whether the packed form of every value is its place in the canonical order."""
    match type:
        case t.Optional(item):
            return bits(item) == 0
        case t.Record(_, fields):
            powers = all(count(f) == 1 << bits(f) for _, f in fields[1:])
            return powers and all(dense(f) for _, f in fields)
        case t.Map(key, value):
            return dense(value) and (count(value) == 1 << bits(value) or count(key) == 1)
        case t.Union():
            return False
        case _:
            return True
