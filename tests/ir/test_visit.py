"""Walking and rewriting nodes: no part of a node is left out, and what nothing changes stays the same object."""

from __future__ import annotations

from typing import Any

import attrs
import pytest

from checker.ir import expressions as e
from checker.ir import statements as s
from checker.ir import types as t
from checker.ir.visit import children, rewrite, substitute, walk, with_calls_renamed, without_lines

NUMBER, BOOL = t.Int(0, 9), t.Bool()
A, B, C = (e.Local(NUMBER, name) for name in "abc")
CLASSES = [
    c
    for module in (e, s)
    for c in vars(module).values()
    if isinstance(c, type) and attrs.has(c) and c not in (e.Expression, s.Statement)
]


def made(cls: Any) -> tuple[Any, list[Any]]:
    """A node of a class with a local of its own in every place for a node, and these locals."""
    parts: list[Any] = []

    def part(kind: str) -> Any:
        local = e.Local(BOOL, str(len(parts)))
        statement = s.Return(1, local)
        parts.append(statement if "Statement" in kind else e.Generator(local, local) if "Generator" in kind else local)
        return parts[-1]

    def value(kind: str) -> Any:
        if kind in ("int", "bool", "str", "Type"):
            return {"int": 1, "bool": False, "str": "x", "Type": BOOL}[kind]
        if kind.startswith("tuple[str"):
            return ("x",) * kind.count("str")
        return (part(kind), part(kind)) if kind.startswith("tuple") else part(kind)

    return cls(*(value(str(a.type)) for a in attrs.fields(cls))), parts


@pytest.mark.parametrize("cls", CLASSES, ids=lambda c: c.__name__)
def test_every_part_of_a_node_is_walked_and_can_be_changed(cls: Any) -> None:
    """For each class: a node in each of its fields is among the children, in order, and a rewriting reaches it."""
    node, parts = made(cls)
    assert list(children(node)) == parts
    assert [id(x) for x in walk(node)][0] == id(node) and {id(p) for p in parts} <= {id(x) for x in walk(node)}
    renamed = rewrite(node, lambda x: attrs.evolve(x, name="new") if isinstance(x, e.Local) else x)
    found = {x.name for x in walk(renamed) if isinstance(x, e.Local)}
    assert found == ({"new"} if parts or cls is e.Local else set())


@pytest.mark.parametrize("cls", CLASSES, ids=lambda c: c.__name__)
def test_a_rewriting_that_changes_nothing_gives_the_same_object(cls: Any) -> None:
    """So a rewritten body shares what it did not change."""
    node, _ = made(cls)
    assert rewrite(node, lambda x: x) is node


def test_outer_nodes_come_first_and_parts_in_the_order_of_the_text() -> None:
    """Backwards, later parts come first, and outer ones still before inner ones."""
    inner = e.Arithmetic(NUMBER, "+", A, B)
    outer = e.Arithmetic(NUMBER, "+", inner, C)
    assert list(walk((outer, C))) == [outer, inner, A, B, C, C]
    assert list(walk((outer, C), backwards=True)) == [C, outer, C, inner, B, A]


def test_the_outermost_expression_is_replaced_and_what_replaces_it_is_left_alone() -> None:
    """A replacement that holds what is replaced does not go round in circles."""
    doubled = e.Arithmetic(NUMBER, "+", A, A)
    body = (s.Assign(1, B, doubled), s.Assign(2, C, A))
    assert substitute(body, {doubled: A, A: doubled}) == (s.Assign(1, B, A), s.Assign(2, C, doubled))


def test_lines_of_one_kind_are_forgotten() -> None:
    """Statements keep theirs if only those of expressions are left out."""
    some = e.Unwrap(NUMBER, e.Local(t.Optional(NUMBER), "x"), 7)
    body = (s.Assign(3, A, some),)
    assert without_lines(body) == (s.Assign(0, A, attrs.evolve(some, line=0)),)
    assert without_lines(body, e.Expression) == (s.Assign(3, A, attrs.evolve(some, line=0)),)


def test_calls_inside_arguments_get_their_new_names_too() -> None:
    """f(f(a)) becomes g(g(a))."""
    call = e.Call(NUMBER, "f", (e.Call(NUMBER, "f", (A,)),))
    assert with_calls_renamed(call, lambda _: "g") == e.Call(NUMBER, "g", (e.Call(NUMBER, "g", (A,)),))
