"""Equality and the canonical order of values.

Equal types with packed forms compare as numbers. Values of like types (other bounds or capacities) are converted to a
common type first. Large values are compared part by part.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from checker.backends.native import access
from checker.backends.native.assembly import Operand
from checker.backends.native.context import Big, Bits, Context, Ref, Value
from checker.backends.native.convert import convert
from checker.backends.native.layout import MapNode, OptionalNode, RecordNode, SequenceNode, SetNode, UnionNode
from checker.backends.native.packing import is_scalar
from checker.ir import types as t
from checker.ir.common import join

_SIGNED = {"<": "slt", "<=": "sle", ">": "sgt", ">=": "sge"}
_UNSIGNED = {"<": "ult", "<=": "ule", ">": "ugt", ">=": "uge"}


def compare(f: Context, operator: str, left_type: t.Type, left: Value, right_type: t.Type, right: Value) -> Operand:
    """Truth of `left operator right`."""
    if is_scalar(left_type) and is_scalar(right_type):
        assert not isinstance(left, Big) and not isinstance(right, Big)
        return f.b.compare({"==": "eq", "!=": "ne", **_SIGNED}[operator], left, right)
    if left_type != right_type:
        common = join(left_type, right_type)
        left, right = convert(f, left_type, common, left, 0), convert(f, right_type, common, right, 0)
    if not isinstance(left, Big):
        assert not isinstance(right, Big)
        return f.b.compare({"==": "eq", "!=": "ne", **_UNSIGNED}[operator], left, right)
    assert isinstance(right, Big)
    if operator in ("==", "!="):
        equal = same(f, left, right)
        return equal if operator == "==" else f.b.negate(equal)
    order = ordered(f, left, right)
    return f.b.compare({"<": "slt", "<=": "sle", ">": "sgt", ">=": "sge"}[operator], order, 0)


def same(f: Context, left: Big, right: Big) -> Operand:
    """Equality of large values of one type."""
    return f.b.compare("eq", ordered(f, left, right), 0)


def ordered(f: Context, left: Big, right: Big) -> Operand:
    """-1, 0 or 1: the order of large values of one type."""
    b = f.b
    result, end = b.slot(), b.new_label()
    b.store(0, result)
    _descend(f, left, right, result, end)
    b.jump(end)
    b.label(end)
    return b.load(result)


def _atoms(f: Context, left: Bits, right: Bits, result: str, end: str) -> None:
    b = f.b
    x, y = access.raw(f, left), access.raw(f, right)
    differ, after = b.new_label(), b.new_label()
    b.branch(b.compare("ne", x, y), differ, after)
    b.label(differ)
    b.store(b.select(b.compare("ult", x, y), -1, 1), result)
    b.jump(end)
    b.label(after)


def _descend(f: Context, left: Ref, right: Ref, result: str, end: str) -> None:
    """Go on behind this part if the parts are equal, otherwise store the order and jump to `end`."""
    if isinstance(left, Bits) or isinstance(right, Bits):
        assert isinstance(left, Bits) and isinstance(right, Bits)
        _atoms(f, left, right, result, end)
        return

    def both(part: Callable[[Context, Ref], Ref]) -> None:
        _descend(f, part(f, left), part(f, right), result, end)

    match left.node:
        case MapNode(keys, _):
            access.repeat(f, keys, lambda i: both(lambda f, r: access.entry(f, r, i)))
        case SetNode(chunks, _):
            access.repeat(f, chunks, lambda i: both(lambda f, r: _chunk(f, r, f.b.sub(chunks - 1, i))))
        case SequenceNode(_, capacity, _):
            both(access.length)
            access.repeat(f, capacity, lambda i: both(lambda f, r: access.item(f, r, i)))
        case RecordNode(fields):
            for n in range(len(fields)):
                both(partial(_field, n))
        case OptionalNode():
            both(access.flag)
            both(access.payload)
        case UnionNode():
            both(access.tag)
            _variants(f, left, right, result, end)


def _field(number: int, f: Context, ref: Ref) -> Ref:
    return access.field(f, ref, number)


def _chunk(f: Context, ref: Ref, i: Operand) -> Bits:
    assert isinstance(ref, Big)
    return access.chunk(f, ref, i)[0]


def _variants(f: Context, left: Big, right: Big, result: str, end: str) -> None:
    union, b = left.type, f.b
    assert isinstance(union, t.Union)
    held, behind = access.raw(f, access.tag(f, left)), b.new_label()
    for v, variant in enumerate(union.variants):
        here, after = b.new_label(), b.new_label()
        b.branch(b.compare("eq", held, v), here, after)
        b.label(here)
        for n in range(len(variant.fields)):
            parts = access.variant_field(f, left, v, n), access.variant_field(f, right, v, n)
            _descend(f, parts[0], parts[1], result, end)
        b.jump(behind)
        b.label(after)
    b.label(behind)
