"""How many items of a sequence equal a value, and whether one does: found in all places at once where the sequence is
one word, item by item where it is not."""

from __future__ import annotations

import pytest

from checker.backends.native.packing import is_atom
from checker.ir import expressions as e
from checker.ir import statements as s
from checker.ir import types as t
from checker.ir.model import Model, StateVariable
from tests.backends.agreement import compare
from tests.backends.native_models import BOOL, action, const, eq, has, local, put, var

BIT, ONE, THREE = t.Bool(), t.Int(2, 2), t.Int(-1, 1)
PAIR = t.Record("Pair", (("a", BIT), ("b", THREE)))

SEQUENCES = [
    t.Seq(BIT, 5),
    t.Seq(ONE, 3),
    t.Seq(THREE, 4),
    t.Seq(t.Int(0, 4), 3),
    t.Seq(t.Optional(BIT), 3),
    t.Seq(PAIR, 2),
    t.Seq(THREE, 40),
    t.Bag(THREE, 4),
]


def counted(kind: t.Seq | t.Bag) -> Model:
    """Items are appended, up to five, and looked for.  In the state stand the items with what was found of one: whether
    it is there, and how often, by `count` and by a sum that is one; also of a value that no item can have."""
    held, found, one, sum = var(kind, "held"), var(BOOL, "found"), var(t.Int(0, 40), "one"), var(t.Int(0, 40), "sum")
    x, y, number = local(kind.item, "x"), local(kind.item, "y"), t.Int(0, kind.capacity)
    ones = e.Aggregate(number, "sum", (e.Generator(y, held, (eq(y, x),)),), const(t.Int(1, 1), 1))
    other = e.Aggregate(number, "sum", (e.Generator(y, held, (eq(x, y),)),), const(t.Int(1, 1), 1))
    never = e.Aggregate(number, "sum", (e.Generator(y, held, (eq(y, y),)),), const(t.Int(1, 1), 1))
    room = s.Require(1, e.Compare(BOOL, "<", e.Length(number, held), const(number, min(5, kind.capacity))))
    more = s.SeqAppend(1, held, x) if isinstance(kind, t.Seq) else s.BagAdd(1, held, x)
    parameter = {"x": kind.item}
    item = kind.item
    wide = t.Int(item.lo - 3, item.hi + 3) if isinstance(item, t.Int) else item
    far = local(wide, "x")
    return Model(
        "counted",
        tuple(StateVariable(v.name, v.type) for v in (held, found, one, sum)),
        (),
        action("initial", {}, put(found, const(BOOL, 0)), *(put(v, const(t.Int(0, 0), 0)) for v in (one, sum))),
        (
            action("append", parameter, room, more),
            action("look", parameter, put(found, has(held, x)), put(one, e.Count(number, held, x)), put(sum, ones)),
            action("look_round", parameter, put(one, other), put(sum, never)),
            action("look_far", {"x": wide}, put(found, has(held, far)), put(one, e.Count(number, held, far))),
        ),
        (),
    )


@pytest.mark.parametrize("kind", SEQUENCES, ids=str)
def test_equal_items_are_counted_as_in_the_interpreter(kind: t.Seq | t.Bag) -> None:
    """For values that are zero, behind the end too, and at both ends of the type."""
    assert compare(counted(kind), most=150) >= 10
    assert is_atom(kind) == (kind.capacity < 40)
