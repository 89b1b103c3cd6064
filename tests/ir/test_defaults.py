"""What a node or a type leaves out means nothing special, and what cannot be enumerated is refused, not numbered."""

from __future__ import annotations

import attrs
import pytest

from checker.backends.native.packing import count
from checker.ir import expressions, statements
from checker.ir import types as t
from checker.ir.expressions import Expression
from checker.ir.values import index

PLACED = [
    c
    for c in vars(expressions).values()
    if isinstance(c, type) and issubclass(c, Expression) and attrs.has(c) and "line" in attrs.fields_dict(c)
]


@pytest.mark.parametrize("node", PLACED, ids=[c.__name__ for c in PLACED])
def test_a_node_that_no_line_of_the_model_wrote_has_no_line(node: type[Expression]) -> None:
    """0: a message about it names no line, and two such nodes are equal."""
    assert attrs.fields_dict(node)["line"].default in (0, attrs.NOTHING)


def test_what_is_not_written_is_not_there() -> None:
    """Identities are told apart, one copy is removed, and a step that stops early is no crash."""
    n = expressions.Local(t.Int(0, 3), "n")
    assert not t.Ids("P", ("p1", "p2")).symmetric
    assert not statements.BagRemove(1, n, n, True).every
    assert not statements.Stop(1).crash


@pytest.mark.parametrize("type", [t.Seq(t.Int(0, 1), 2), t.Bag(t.Int(0, 1), 2)], ids=["Seq", "Bag"])
def test_values_of_a_type_without_an_enumeration_have_no_place(type: t.Type) -> None:
    """Neither a place nor a number of them is made up."""
    with pytest.raises(TypeError, match="cannot be enumerated"):
        index(type, ())
    with pytest.raises(TypeError, match="cannot be enumerated"):
        count(type)
