"""A loop over a collection that its own body changes: Python fails or skips items, so it is refused where it shows.

A change directly followed by leaving the loop is fine.  Where it stops: changes through another index that may be equal are not seen.
"""

from __future__ import annotations

import ast

from checker.frontend.scope import Frame, chain, is_place
from checker.ir import expressions as e
from checker.ir import statements as s

CHANGES = s.SetAdd | s.SetRemove | s.SeqAppend | s.SeqRemoveAt | s.SeqInsert | s.BagAdd | s.BagRemove


def check(f: Frame, node: ast.For, iterable: e.Expression, body: tuple[s.Statement, ...]) -> None:
    """Refuse if the body changes the iterable and goes on."""
    if (
        is_place(iterable)
        and not isinstance(node.iter, ast.Call)
        and changes_and_continues(body, chain(iterable))
    ):
        f.refuse(
            node.iter,
            f"{ast.unparse(node.iter)} is changed while the loop runs over it",
            f"Loop over a copy: for ... in list({ast.unparse(node.iter)}).",
        )


def changes_and_continues(body: tuple[s.Statement, ...], place: list[object]) -> bool:
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
            case _ if isinstance(statement, CHANGES) and chain(statement.target) == place:
                return True
    return False
