"""Loops that would go wrong: over a collection that the body changes, or over symmetric identities where the order shows.

Python fails, skips items or sees new ones when a collection changes under a loop; a change directly followed by leaving the loop is fine.  A change through
another index that may be equal counts as well.  Over symmetric identities a loop may not be left early, build a sequence, or keep the last one.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from checker.frontend import lattice
from checker.frontend.places import covers, is_place
from checker.frontend.reachable import walk
from checker.frontend.scope import Frame
from checker.ir import expressions as e
from checker.ir import statements as s
from checker.ir import types as t

CHANGES = s.SetAdd | s.SetRemove | s.SeqAppend | s.SeqRemoveAt | s.SeqInsert | s.BagAdd | s.BagRemove


def check(f: Frame, node: ast.For, walked: Sequence[e.Expression], body: tuple[s.Statement, ...]) -> None:
    """Refuse if the body changes one of the collections that the loop walks through, and goes on."""
    if any(is_place(collection) and changes_and_continues(body, collection) for collection in walked):
        over = ", ".join(map(ast.unparse, node.iter.args if isinstance(node.iter, ast.Call) else [node.iter]))
        f.refuse(node.iter, f"{over} is changed while the loop runs over it", f"Loop over a copy: for ... in list({over}).")


def check_symmetric(
    f: Frame, node: ast.For, local: e.Local, iterable: e.Expression, body: tuple[s.Statement, ...]
) -> None:
    """Refuse a body whose effect depends on the order of symmetric identities."""
    if not isinstance(iterable.type, t.Set | t.Bag) or not lattice.symmetric(iterable.type.item):
        return
    for what in _ordered(body, local):
        name = lattice.describe(iterable.type.item)
        f.refuse(
            node.iter,
            f"{name} is symmetric, and the loop {what}",
            "Use any(...), all(...), sum(...) or a set, or choose(...) one.",
        )


def _ordered(body: tuple[s.Statement, ...], local: e.Local, inner: bool = False) -> Iterator[str]:
    """What shows the order of a loop; `inner` loops may be left."""
    for statement in body:
        match statement:
            case s.Break() if not inner:
                yield "is left early"
            case s.Stop() | s.Leave():
                yield "is left early"
            case s.Return(_, value) if not isinstance(value, e.Const):
                yield "returns one of several values"
            case s.SeqAppend(_, target, _) | s.SeqInsert(_, target, _, _) if local not in walk(target):
                yield "builds a sequence"
            case s.Assign(_, target, value) if _one_of_them(target, value) and local not in walk(target):
                if not isinstance(target, e.Local) or target.name in _read_later(body, statement):
                    yield "keeps the last one"
            case s.If(_, _, then, other):
                yield from _ordered(then, local, inner)
                yield from _ordered(other, local, inner)
            case s.For(_, _, _, nested) | s.While(_, _, nested):
                yield from _ordered(nested, local, True)
            case s.Block(_, _, nested):
                yield from (what for what in _ordered(nested, local, inner) if what != "is left early")


def _one_of_them(target: e.Expression, value: e.Expression) -> bool:
    scalar = isinstance(target.type, t.Ids | t.Optional | t.Record | t.Union)
    return scalar and lattice.symmetric(value.type) and not isinstance(value, e.NoneValue)


def _read_later(body: tuple[s.Statement, ...], statement: s.Statement) -> set[str]:
    """Locals that are assigned here and not used up in the same round: all but those read in the statements that follow."""
    assert isinstance(statement, s.Assign) and isinstance(statement.target, e.Local)
    following = body[body.index(statement) + 1 :]
    read = any(isinstance(n, e.Local) and n.name == statement.target.name for n in walk(following))
    return set() if read else {statement.target.name}


def changes_and_continues(body: tuple[s.Statement, ...], place: e.Expression) -> bool:
    """Whether some statement changes the place and the loop may go on afterwards."""
    leaves = any(isinstance(x, s.Break | s.Return | s.Stop | s.Leave) for x in body)
    if leaves:
        return False
    for statement in body:
        match statement:
            case s.If(_, _, then, other):
                if changes_and_continues(then, place) or changes_and_continues(other, place):
                    return True
            case s.For(_, _, _, inner) | s.While(_, _, inner) | s.Block(_, _, inner):
                if changes_and_continues(inner, place):
                    return True
            case s.Assign(_, e.Index(_, base, _, _), _) if isinstance(base.type, t.Seq) and covers(base, place):
                return True
            case _ if isinstance(statement, CHANGES) and covers(statement.target, place):
                return True
    return False
