"""Equality and the canonical order of values.

Equal types with packed forms compare as numbers. Values of like types (other bounds or capacities) are converted to a
common type first. Large values are compared part by part.
"""

from __future__ import annotations

from checker.assembly import Operand, Variable
from checker.backends.native import access
from checker.backends.native.context import Big, Bits, Context, Ref, Value
from checker.backends.native.convert import convert
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
    result, end = f.b.variable(0), f.b.new_label()
    _descend(f, left, right, result, end)
    f.b.jump(end)
    f.b.label(end)
    return result.get()


def _descend(f: Context, left: Ref, right: Ref, result: Variable, end: str) -> None:
    """Continue after this part if the parts are equal; otherwise store the order and jump to `end`."""
    if isinstance(left, Bits) or isinstance(right, Bits):
        assert isinstance(left, Bits) and isinstance(right, Bits)
        b, x, y = f.b, access.raw(f, left), access.raw(f, right)
        with b.when(b.compare("ne", x, y)):
            result.set(b.select(b.compare("ult", x, y), -1, 1))
            b.jump(end)
        return
    for part in access.parts(f, left):
        _descend(f, part(left), part(right), result, end)
    if isinstance(left.type, t.Union):
        for fields in access.each_variant(f, left.type, access.raw(f, access.tag(f, left))):
            for part in fields:
                _descend(f, part(left), part(right), result, end)
