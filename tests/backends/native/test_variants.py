"""Handlers that begin with a choice from a bag and require a variant of what was chosen: the places of that variant are
found a word at a time where the bag is a few words of bit fields, and item by item where it is not."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from checker.assembly import Operand
from checker.backends.native import variants
from checker.backends.native.context import Context, Ref
from checker.ir import expressions as e
from checker.ir import statements as s
from checker.ir import types as t
from checker.ir.model import Model, StateVariable
from tests.backends.agreement import compare
from tests.backends.native_models import BOOL, action, const, eq, local, put, require, var

PROCESS = t.Ids("Process", ("p", "q", "r"))
PLAIN = t.Union("Plain", tuple(t.Record(name, ()) for name in "ABC"))
SMALL = t.Union("Small", (t.Record("A", (("x", BOOL),)), t.Record("B", ()), t.Record("C", (("x", t.Int(1, 4)),))))
LARGE = t.Union("Large", (t.Record("A", (("x", t.Int(0, 500)),)), t.Record("B", (("y", PROCESS),)), t.Record("C", ())))
ONLY = t.Union("Only", (t.Record("A", (("x", t.Int(0, 5)),)),))


def sent(body: t.Union) -> t.Record:
    """A message with its sender before the body and a number behind it."""
    return t.Record("Sent", (("source", PROCESS), ("body", body), ("number", t.Int(0, 2))))


MARKED = [
    t.Bag(PLAIN, 1),
    t.Bag(PLAIN, 9),
    t.Bag(SMALL, 13),
    t.Bag(SMALL, 20),
    t.Bag(LARGE, 5),
    t.Bag(LARGE, 17),
    t.Bag(ONLY, 7),
    t.Bag(sent(PLAIN), 8),
    t.Bag(sent(SMALL), 23),
    t.Bag(sent(LARGE), 12),
]
WALKED = [t.Bag(PLAIN, 40), t.Bag(SMALL, 64), t.Bag(sent(LARGE), 50)]
THOROUGH = [t.Bag(PLAIN, 1), t.Bag(SMALL, 13), t.Bag(LARGE, 5), t.Bag(sent(SMALL), 23), *WALKED[1:]]
"""Others of the same kinds stay."""


def receiving(kind: t.Bag, bags: list[list[e.Expression]]) -> Model:
    """Runs begin with one of these bags.  Each variant has a handler, which takes a message of it and notes which; one
    more takes any message, and one requires a variant of what it has not chosen."""
    net, last, number = var(kind, "net"), var(t.Int(0, 4), "last"), t.Int(0, len(bags) - 1)
    which, message = local(number, "which"), local(kind.item, "message")
    body = e.Field(kind.item.fields[1][1], message, "body") if isinstance(kind.item, t.Record) else message
    union = body.type
    assert isinstance(union, t.Union)
    choose, take = s.Choose(1, message, net), s.BagRemove(2, net, message, True)
    other = var(union, "other")
    elsewhere = require(e.IsVariant(BOOL, other, union.variants[-1].name))
    begin = [
        s.If(1, eq(which, const(number, i)), tuple(s.BagAdd(1, net, x) for x in bag)) for i, bag in enumerate(bags)
    ]
    handlers = [
        action(v.name, {}, choose, require(e.IsVariant(BOOL, body, v.name)), take, put(last, const(last.type, i)))
        for i, v in enumerate(union.variants)
    ]
    return Model(
        "receiving",
        (StateVariable("net", kind), StateVariable("last", last.type), StateVariable("other", union)),
        (),
        action(
            "initial",
            {},
            s.Choose(1, which, e.Domain(t.Set(number))),
            put(last, const(last.type, 4)),
            put(other, values(union)[-1]),
            *begin,
        ),
        (*handlers, action("any", {}, choose, take), action("elsewhere", {}, choose, elsewhere, take)),
        (),
    )


def values(kind: t.Type) -> list[e.Expression]:
    """The first and the last values of a type, and some between."""
    match kind:
        case t.Record(_, fields):
            return [e.MakeRecord(kind, chosen) for chosen in product(*(values(part) for _, part in fields))]
        case t.Union(_, of):
            each = [(v, chosen) for v in of for chosen in product(*(values(part) for _, part in v.fields))]
            return [e.MakeVariant(kind, v.name, chosen) for v, chosen in each]
        case t.Int(low, high):
            return [const(kind, x) for x in sorted({low, (low + high) // 2, high})]
    return [const(kind, x) for x in range(len(kind.members) if isinstance(kind, t.Ids) else 2)]


def filled(kind: t.Bag) -> list[list[e.Expression]]:
    """Bags of all sizes: empty, of one message, full of different ones, full of copies of few."""
    random, all_values = Random(str(kind)), values(kind.item)
    sizes = [0, 1, kind.capacity // 2, kind.capacity, kind.capacity]
    few = [random.sample(all_values, min(3, len(all_values))) for _ in range(3)]
    return [random.choices(all_values, k=n) for n in sizes] + [random.choices(x, k=kind.capacity) for x in few]


@pytest.mark.parametrize(
    "kind", [pytest.param(k, marks=pytest.mark.thorough if k in THOROUGH else ()) for k in MARKED + WALKED], ids=str
)
def test_handlers_take_the_messages_of_their_variant(kind: t.Bag, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same successors in the same order as the evaluator's, from bags of all sizes."""
    found: list[Operand | None] = []
    places = variants.places

    def noted(f: Context, ref: Ref, wanted: e.IsVariant) -> Operand | None:
        found.append(places(f, ref, wanted))
        return found[-1]

    monkeypatch.setattr(variants, "places", noted)
    assert compare(receiving(kind, filled(kind)), most=60) >= 3
    assert found and all((marked is not None) == (kind in MARKED) for marked in found)
