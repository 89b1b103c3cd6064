"""Values made from parts of which not all are constants: records and variants part by part, sets and sequences by their
possible members.

Where it stops: a number is known exactly or not at all; nothing is computed with one of several values.
"""

from __future__ import annotations

from checker.ir import expressions as e
from checker.ir import types as t
from checker.ir.footprints import shapes
from checker.ir.footprints.shapes import ANYTHING, Known, Shape


def made(node: e.Expression, parts: list[Shape]) -> Shape | None:
    """A value from its parts; None if constants determine it."""
    match node:
        case e.Field(_, base, name):
            assert isinstance(base.type, t.Record)
            return shapes.field(parts[0], base.type, name)
        case e.VariantField(_, base, variant, name):
            assert isinstance(base.type, t.Union)
            return shapes.variant_field(parts[0], base.type, variant, name)
        case e.IsVariant(_, base, variant):
            assert isinstance(base.type, t.Union)
            return shapes.is_variant(parts[0], base.type, variant)
        case e.IsNone():
            return shapes.is_none(parts[0])
        case e.Unwrap():
            return shapes.unwrap(parts[0])
        case e.Some():
            return shapes.present(parts[0])
        case e.MakeRecord():
            return shapes.record(tuple(parts))
        case e.MakeVariant(type, variant, _):
            return shapes.case(t.variant_number(type, variant), tuple(parts))
    return None if all(isinstance(p, Known) for p in parts) else _partly(node, parts)


def _partly(node: e.Expression, parts: list[Shape]) -> Shape:
    """A value some of whose parts are not constants."""
    match node:
        case e.Narrow():
            return parts[0]
        case e.SetOperation(_, operator, left, right):
            found = [shapes.contents(x, kind.type) for x, kind in zip(parts, (left, right))]
            if operator == "&" and None in found and found != [None, None]:
                return shapes.within(found[1] if found[0] is None else found[0])  # type: ignore[arg-type]
            if operator == "-" and found[0] is not None:
                return shapes.within(found[0])
            if found[0] is not None and found[1] is not None:
                return shapes.within(found[0] & found[1] if operator == "&" else found[0] | found[1])
        case e.Index(_, base) | e.Slice(_, base) if isinstance(base.type, t.Seq):
            if (inside := shapes.contents(parts[0], base.type)) is not None:
                if isinstance(node, e.Slice):
                    return shapes.within(inside)
                return shapes.one_of(inside) if inside else ANYTHING
        case e.Length(_, value) if shapes.contents(parts[0], value.type) == frozenset():
            return Known(0)
        case e.Contains(_, container):
            inside, wanted = shapes.contents(parts[0], container.type), shapes.options(parts[1])
            if inside is not None and wanted is not None and inside.isdisjoint(wanted):
                return shapes.FALSE
    return ANYTHING
