"""Lists, tuples and sets of values at hand, and the type that their items agree on."""

from __future__ import annotations

import ast

from checker.frontend import kinds, lattice
from checker.frontend.coerce import coerce
from checker.frontend.kinds import Kind
from checker.frontend.scope import Frame
from checker.ir import expressions as e
from checker.ir import types as t
from checker.ir.domain import size


def sequence(f: Frame, node: ast.AST, items: list[e.Expression], kind: Kind) -> e.Expression:
    """The list or tuple of these values."""
    type = items_type(f, node, items, lattice.NOTHING)
    made = kinds.as_kind(t.Seq(type, len(items)), kind)
    return e.MakeSeq(made, () if isinstance(type, lattice.Nothing) else tuple(coerce(f, node, i, type) for i in items))


def items_type(f: Frame, node: ast.AST, items: list[e.Expression], item: t.Type) -> t.Type:
    """The least type of a first type and those of all items; Refused if they are unlike."""
    for i in items:
        joined = lattice.join(item, i.type)
        if joined is None:
            f.refuse(
                node,
                f"{lattice.describe(item)} and {lattice.describe(i.type)} in one collection",
                "All items are of one type.",
            )
        item = joined
    return item


def set_type(f: Frame, node: ast.AST, item: t.Type, *of: Kind) -> t.Set:
    """The type of a set of these kinds with these items; Refused if they cannot be members."""
    count = size(item)
    if count is None or count > 1 << 16:
        f.refuse(
            node,
            f"a set of {lattice.describe(item)}: too many possible members",
            "Use a list, or bound the members by a declared type Int(lo, hi).",
        )
    made = kinds.as_kind(t.Set(item), *of)
    assert isinstance(made, t.Set)
    return made
