"""Where compiled code keeps values: wide ones in slots of the state, locals in memory or as names."""

from __future__ import annotations

import pytest

from checker.backends.native import codec
from checker.backends.native.analysis import stored_locals
from checker.backends.native.layout import temporary_layout
from checker.backends.native.packing import is_atom
from checker.ir import expressions as e
from checker.ir import statements as s
from checker.ir import types as t
from checker.ir.values import Raw

WIDE = t.Set(t.Int(0, 99))
"""100 bits: no word holds it."""
SOME = (3, 64, 99)
UNION = t.Union(
    "U", (t.Record("A", (("x", WIDE), ("n", t.Int(0, 9)))), t.Record("B", (("n", t.Int(-3, 900)),)), t.Record("C", ()))
)
VALUES: dict[str, tuple[t.Type, list[Raw]]] = {
    "set": (WIDE, [frozenset(), frozenset(SOME)]),
    "map": (t.Map(t.Int(0, 2), WIDE), [(frozenset(), frozenset(SOME), frozenset({0}))]),
    "optional": (t.Optional(WIDE), [None, frozenset(), frozenset(SOME)]),
    "record": (t.Record("R", (("a", WIDE), ("b", t.Bool()))), [(frozenset(SOME), 1), (frozenset(), 0)]),
    "sequence": (t.Seq(WIDE, 3), [(), (frozenset(SOME), frozenset())]),
    "union": (UNION, [(0, (frozenset(SOME), 7)), (1, (-3,)), (1, (900,)), (2, ())]),
}


@pytest.mark.parametrize("kind", VALUES)
def test_wide_values_come_back(kind: str) -> None:
    """What is written into the slots of a wide type is what is read there."""
    type, raws = VALUES[kind]
    assert not is_atom(type)
    layout = temporary_layout(type)
    for raw in raws:
        words = [0] * layout.words
        codec.write(words, type, layout.nodes[""], 0, raw)
        assert codec.reader(type, layout.nodes[""])(words, 0) == raw


def test_a_local_that_a_loop_binds_and_its_body_assigns_is_stored() -> None:
    """So is one that is assigned twice; one that is assigned once and read behind it is a name for its value."""
    x, y, z = (e.Local(t.Int(0, 3), name) for name in "xyz")
    one = e.Const(t.Int(0, 3), 1)
    loop = s.For(1, x, e.Domain(t.Set(t.Int(0, 3))), (s.Assign(1, x, one), s.Assign(1, y, x)))
    assert stored_locals((loop,), frozenset()) == {"x"}
    assert stored_locals((s.Assign(1, z, one), s.Assign(2, z, one)), frozenset()) == {"z"}
    assert stored_locals((s.Assign(1, z, one), s.Assign(2, y, z)), frozenset()) == set()
