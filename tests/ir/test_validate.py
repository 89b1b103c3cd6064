"""The checks that back ends rely on: a lowered model whose types do not fit is never compiled."""

from __future__ import annotations

import pytest

from checker.ir import expressions as e
from checker.ir import model as m
from checker.ir import statements as s
from checker.ir import types as t
from checker.ir.common import like
from checker.ir.validate import Invalid, validate

BOOL, SMALL, LARGE = t.Bool(), t.Int(0, 3), t.Int(0, 9)
P = t.Ids("P", ("p1", "p2"))
N, FLAG = e.Variable(SMALL, "n"), e.Variable(BOOL, "flag")
HELD, QUEUE = e.Variable(t.Map(P, t.Set(SMALL)), "held"), e.Variable(t.Seq(SMALL, 2), "queue")
P1 = e.Const(P, 0)


def model(*body: s.Statement, locals: tuple[m.Parameter, ...] = (), functions: tuple[m.Function, ...] = ()) -> m.Model:
    """A model with one action."""
    variables = tuple(m.StateVariable(v.name, v.type) for v in (N, FLAG, HELD, QUEUE))
    initial = m.Action("initial", (), (), ())
    return m.Model("Sample", variables, functions, initial, (m.Action("go", (), locals, body),), ())


def test_a_well_typed_model_is_accepted() -> None:
    """Places, narrowing, loops and comprehensions with the types they promise."""
    local = e.Local(SMALL, "x")
    held = e.Index(t.Set(SMALL), HELD, P1)
    some = e.Quantifier(BOOL, "any", (e.Generator(local, held),), e.Compare(BOOL, ">", local, N))
    body = (
        s.Require(1, some),
        s.For(2, local, QUEUE, (s.SetAdd(3, held, local),)),
        s.Assign(4, N, e.Narrow(SMALL, e.Arithmetic(t.Int(0, 4), "+", N, e.Const(t.Int(1, 1), 1)))),
    )
    validate(model(*body, locals=(m.Parameter("x", SMALL),)))


@pytest.mark.parametrize(
    "statement",
    [
        s.Assign(1, N, e.Const(LARGE, 5)),
        s.Assign(1, N, FLAG),
        s.Assign(1, FLAG, e.Ordinal(BOOL, P1)),
        s.Require(
            1, e.Quantifier(BOOL, "any", (e.Generator(e.Local(SMALL, "x"), e.Variable(t.Set(SMALL), "missing")),), FLAG)
        ),
        s.Assign(1, N, e.Ordinal(SMALL, N)),
        s.Assign(1, e.Variable(SMALL, "n", before=True), N),
        s.Assign(1, e.Length(SMALL, QUEUE), N),
        s.Assign(1, e.Variable(SMALL, "missing"), N),
        s.Require(1, N),
        s.SetAdd(1, HELD, N),
        s.SetAdd(1, e.Index(t.Set(SMALL), HELD, N), N),
        s.SeqAppend(1, QUEUE, FLAG),
        s.Assign(1, QUEUE, e.Sorted(t.Seq(SMALL, 2), e.Index(t.Set(SMALL), HELD, P1))),
        s.SeqRemoveAt(1, QUEUE, FLAG),
        s.For(1, e.Local(SMALL, "undeclared"), QUEUE, ()),
        s.Choose(1, e.Local(SMALL, "undeclared"), N),
        s.Return(1, N),
        s.Require(1, e.Compare(BOOL, "==", N, P1)),
        s.Require(1, e.Compare(BOOL, "<", QUEUE, QUEUE)),
        s.Require(1, e.Contains(BOOL, QUEUE, P1)),
        s.Require(1, e.IsNone(BOOL, N)),
        s.Require(1, e.Call(BOOL, "nobody", ())),
        s.Assign(1, N, e.Const(SMALL, 4)),
        s.Assign(1, N, e.IfElse(SMALL, FLAG, N, e.Const(LARGE, 9))),
        s.Assign(1, QUEUE, e.MakeSeq(QUEUE.type, (N, N, N))),
    ],
    ids=str,
)
def test_a_node_whose_operands_do_not_fit_is_rejected(statement: s.Statement) -> None:
    """Each of these breaks one promise of a node's description."""
    with pytest.raises(Invalid):
        validate(model(statement))


def test_a_function_does_not_change_the_state() -> None:
    """Rules and properties are pure."""
    function = m.Function("bad", (), (), BOOL, (s.Assign(1, N, N), s.Return(2, FLAG)))
    with pytest.raises(Invalid, match="changed in a function"):
        validate(model(functions=(function,)))


def test_like_types_differ_in_bounds_and_capacities_only() -> None:
    """Int bounds, Seq and Bag capacities may differ anywhere inside."""
    assert like(t.Map(P, t.Seq(SMALL, 2)), t.Map(P, t.Seq(LARGE, 5)))
    assert not like(t.Set(SMALL), t.Set(BOOL))
    assert not like(t.Map(P, SMALL), t.Map(BOOL, SMALL))
