"""The values of a domain that a condition selects, and the least member of a set: found without branches where the set
or the sequence is one word."""

from __future__ import annotations

import pytest

from checker.ir import expressions as e
from checker.ir import statements as s
from checker.ir import types as t
from checker.ir.model import Model, StateVariable
from tests.backends.agreement import compare
from tests.backends.native_models import BOOL, action, const, has, local, put, var

SMALL, PAIR = t.Int(2, 5), t.Record("Pair", (("a", BOOL), ("b", t.Int(-1, 1))))
KINDS = [SMALL, t.Optional(t.Ids("Process", ("p", "q", "r"))), PAIR]


def selected(kind: t.Type, room: int, fails: bool) -> Model:
    """Members are added; the least is taken, which is an error of the empty set; members are listed in order.  fails:
    the condition of the list is an error for some members."""
    members, listed, least = var(t.Set(kind), "members"), var(t.Seq(kind, room), "listed"), var(kind, "least")
    x, y = local(kind, "x"), local(kind, "y")
    condition: e.Expression = has(members, y)
    if fails:
        found = e.Aggregate(kind, "min", (e.Generator(y, members, ()),), y, None, 7)
        condition = e.And(BOOL, (condition, has(members, found), e.Compare(BOOL, "==", y, found)))
    return Model(
        "selected",
        tuple(StateVariable(v.name, v.type) for v in (members, listed, least)),
        (),
        action("initial", {}, s.Choose(1, x, domain_of(kind)), put(least, x)),
        (
            action("add", {"x": kind}, s.SetAdd(1, members, x)),
            action("take", {}, put(least, e.Aggregate(kind, "min", (e.Generator(y, members, ()),), y, None, 5))),
            action("least", {}, put(least, e.Aggregate(kind, "min", (e.Generator(y, members, ()),), y, x_of(kind), 6))),
            action(
                "list", {}, put(listed, e.SeqOf(listed.type, (e.Generator(y, domain_of(kind), (condition,)),), y, 9))
            ),
        ),
        (),
    )


def domain_of(kind: t.Type) -> e.Domain:
    return e.Domain(t.Set(kind))


def x_of(kind: t.Type) -> e.Expression:
    """Some value of a type."""
    match kind:
        case t.Int(low, _):
            return const(kind, low)
        case t.Record(_, fields):
            return e.MakeRecord(kind, tuple(x_of(part) for _, part in fields))
        case t.Optional():
            return e.NoneValue(kind)
    return const(kind, 0)


@pytest.mark.parametrize(
    "kind", [pytest.param(k, marks=pytest.mark.thorough if i else ()) for i, k in enumerate(KINDS)]
)
@pytest.mark.parametrize("room,fails", [(6, False), pytest.param(2, False, marks=pytest.mark.thorough), (6, True)])
def test_values_are_selected_in_order(kind: t.Type, room: int, fails: bool) -> None:
    """The same values, and the same errors: of no member, and of a sequence without room."""
    assert compare(selected(kind, room, fails), 40) == 40
