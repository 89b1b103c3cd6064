"""Items of networks and sequences that are arrays of whole bytes: a gap is opened or closed in all places at once, in
arrays that are too long item by item."""

from __future__ import annotations

import pytest
from attrs import evolve

from checker.backends.native.layout import AtomNode, SequenceNode, state_layout
from checker.ir import expressions as e
from checker.ir import statements as s
from checker.ir import types as t
from checker.ir.model import Model, StateVariable
from tests.backends.agreement import compare
from tests.backends.native_models import BOOL, action, const, local, put, var

BYTES, PAIRS, LONG = t.Int(1, 100), t.Int(-5, 5_000), t.Int(0, 100_000)
SIZES = [(PAIRS, 9), (BYTES, 13), (PAIRS, 32), (LONG, 4), (LONG, 16), (BYTES, 70)]
"""Items and capacity: vectors of 4, 2, 8, 2 and 8 words; the last array is longer."""


def shuffled(kind: t.Seq | t.Bag) -> Model:
    """Three runs begin with a network, empty, half full and full.  Messages are sent, and received before and after
    another variable and the network itself are written."""
    held, last = var(kind, "held"), var(kind.item, "last")
    item, number = kind.item, t.Int(0, kind.capacity)
    assert isinstance(item, t.Int) and isinstance(kind, t.Bag)
    some = [item.lo, item.hi, (item.lo + item.hi) // 2, item.lo + 1, item.hi - 1]
    x, message, which = local(item, "x"), local(item, "message"), local(t.Int(0, 2), "which")
    room = s.Require(1, e.Compare(BOOL, "<", e.Length(number, held), const(number, kind.capacity)))
    choose, take, other = s.Choose(1, message, held), s.BagRemove(2, held, message, True), const(item, some[2])
    begin = [
        s.If(1, e.Compare(BOOL, ">", which, const(t.Int(0, 2), size)), (s.BagAdd(1, held, const(item, value)),))
        for size, value in enumerate([some[i % 5] + (i % 2) * (i % 5 == 2) for i in range(kind.capacity // 2)] * 2)
        for size in [0 if size < kind.capacity // 2 else 1]
    ]
    return Model(
        "shuffled",
        (StateVariable("held", kind), StateVariable("last", item), StateVariable("more", BOOL)),
        (),
        action("initial", {}, s.Choose(1, which, e.Domain(t.Set(which.type))), put(last, const(item, item.lo)), *begin),
        (
            action("receive", {}, choose, take, put(last, message)),
            action("receive_late", {}, choose, put(last, message), put(var(BOOL, "more"), const(BOOL, 1)), take),
            action("send", {}, room, s.BagAdd(1, held, other)),
            action("answer", {}, choose, take, s.BagAdd(1, held, last), s.BagAdd(1, held, other)),
            action("pass_on", {}, room, s.BagAdd(1, held, other), choose, take),
            action("forget", {}, s.Choose(1, x, held), s.BagAdd(1, held, other), s.BagRemove(2, held, x, False)),
        ),
        (),
    )


@pytest.mark.parametrize(
    "item,capacity", [pytest.param(*size, marks=pytest.mark.thorough if i else ()) for i, size in enumerate(SIZES)]
)
def test_messages_are_taken_and_added_in_all_places(item: t.Int, capacity: int) -> None:
    """The same successors in the same order as the evaluator's, also where the network was written before."""
    model = shuffled(t.Bag(item, capacity, "held"))
    model = evolve(model, kept=tuple(state_layout(evolve(model, kept=(0,))).used))
    node = state_layout(model).nodes["held"]
    assert isinstance(node, SequenceNode) and isinstance(node.item, AtomNode) and node.item.slot.lanes
    assert compare(model, 24) == 24
