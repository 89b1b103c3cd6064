"""Facts about nodes: what may fail, what is read, written and called."""

from __future__ import annotations

import pytest

from checker.ir import expressions as e
from checker.ir import model as m
from checker.ir import statements as s
from checker.ir import types as t
from checker.ir.facts import call_closure, callees, may_fail, reads, variables_read, writes_state, written

BOOL, NUMBER = t.Bool(), t.Int(0, 9)
PROCESS, COLOR = t.Ids("P", ("a", "b")), t.Enum("Color", ("red", "green"))
INDEX, N = e.Local(t.Int(0, 1), "i"), e.Local(NUMBER, "n")
ENTRIES, ITEMS = e.Variable(t.Map(PROCESS, NUMBER), "m"), e.Variable(t.Seq(NUMBER, 3), "q")
P = e.Local(PROCESS, "p")
GENERATORS = (e.Generator(N, e.Domain(t.Set(NUMBER))),)


@pytest.mark.parametrize(
    ("node", "fails"),
    [
        (e.Index(NUMBER, ENTRIES, P), False),
        (e.Index(NUMBER, ITEMS, INDEX), True),
        (e.Narrow(NUMBER, e.Local(t.Int(2, 4), "x")), False),
        (e.Narrow(NUMBER, e.Local(t.Int(2, 10), "x")), True),
        (e.Narrow(t.Seq(NUMBER, 2), ITEMS), True),
        (e.Narrow(t.Seq(NUMBER, 4), ITEMS), False),
        (e.FromOrdinal(PROCESS, INDEX), False),
        (e.FromOrdinal(COLOR, N), True),
        (e.Arithmetic(NUMBER, "+", N, N), False),
        (e.Arithmetic(NUMBER, "//", N, e.Const(NUMBER, 2)), False),
        (e.Arithmetic(NUMBER, "%", N, e.Const(NUMBER, 0)), True),
        (e.Arithmetic(NUMBER, "%", N, N), True),
        (e.Aggregate(NUMBER, "sum", GENERATORS, N), False),
        (e.Aggregate(NUMBER, "min", GENERATORS, N), True),
        (e.Aggregate(NUMBER, "min", GENERATORS, N, N), False),
        (e.Unwrap(NUMBER, e.Local(t.Optional(NUMBER), "o")), True),
        (e.SeqOf(t.Seq(NUMBER, 3), GENERATORS, N), True),
        (e.Call(NUMBER, "f", ()), True),
        (e.SetOf(t.Set(NUMBER), (e.Generator(N, e.Domain(t.Set(NUMBER)), (e.Call(BOOL, "f", ()),)),), N), True),
    ],
)
def test_what_may_fail(node: e.Expression, fails: bool) -> None:
    """An expression may fail if it, or anything in it, has a case that is a model error."""
    assert may_fail(node) is fails
    assert may_fail(e.Not(BOOL, node)) is fails and may_fail((e.Const(BOOL, 1), node)) is fails


def test_a_statement_writes_the_root_of_its_place() -> None:
    """An entry of a map of a local is in the local; only a variable is state."""
    entry = e.Index(NUMBER, e.Local(ENTRIES.type, "x"), P)
    assert written(s.Assign(1, entry, N)) == e.Local(ENTRIES.type, "x")
    assert written(s.Return(1, N)) is None
    inner = s.If(1, e.Const(BOOL, 1), (s.SeqAppend(1, ITEMS, N),))
    assert writes_state((inner,)) and not writes_state((s.Assign(1, entry, N),))
    assert written(inner) is None


def test_a_call_may_read_any_variable_and_no_local() -> None:
    """Functions see the state, and of locals only their arguments."""
    call = e.Call(NUMBER, "f", (N,))
    assert reads(call, ITEMS) and reads(call, N) and not reads(call, INDEX)
    assert not reads(N, ITEMS)


def test_calls_are_followed_once_each() -> None:
    """Through functions that others call; in the order in which they are met; what they read counts."""

    def function(name: str, value: e.Expression) -> m.Function:
        return m.Function(name, (), (), NUMBER, (s.Return(1, value),))

    def called(name: str) -> e.Expression:
        return e.Call(NUMBER, name, ())

    both = e.Arithmetic(NUMBER, "+", called("g"), called("h"))
    last = function("h", e.Length(NUMBER, ITEMS))
    functions = {f.name: f for f in (function("f", both), function("g", called("h")), last)}
    variables = (m.StateVariable("m", ENTRIES.type), m.StateVariable("q", ITEMS.type))
    model = m.Model("x", variables, tuple(functions.values()), m.Action("", (), (), ()), (), ())
    assert callees(both, functions.__getitem__) == ("g", "h")
    assert call_closure(model, functions["f"]) == ("f", "g", "h")
    assert variables_read(model, functions["f"]) == ("q",)
