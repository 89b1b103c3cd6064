"""Loops that are refused: over a collection that the body changes, or over symmetric identities where the order
matters.

Python fails, skips items or sees new ones when a collection changes under a loop; a change directly followed by leaving
the loop is accepted.  A change through another index that may be equal counts as well.  Over symmetric identities a
loop may not be left early, except with one constant value, and its iterations must commute (`commutativity`).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from attrs import evolve

from checker.frontend import comprehensions, failing, lattice
from checker.frontend.aliases import CHANGES
from checker.frontend.commutativity import Rounds
from checker.frontend.failing import Failing
from checker.frontend.places import covers, is_place
from checker.frontend.scope import Frame
from checker.ir import expressions as e
from checker.ir import statements as s
from checker.ir import types as t
from checker.ir.visit import bodies, walk, without_lines


def check(f: Frame, node: ast.For, walked: Sequence[e.Expression], body: tuple[s.Statement, ...]) -> None:
    """Refuse a body that changes one of the iterated collections and continues."""
    if any(is_place(collection) and changes_and_continues(body, collection) for collection in walked):
        given = node.iter.args if isinstance(node.iter, ast.Call) else [node.iter]
        zipped = isinstance(node.iter, ast.Call) and ast.unparse(node.iter.func) == "zip"
        copies = ", ".join(
            f"list({ast.unparse(a)})" if zipped or not i else ast.unparse(a) for i, a in enumerate(given)
        )
        copy = f"{ast.unparse(node.iter.func)}({copies})" if isinstance(node.iter, ast.Call) else copies
        remedy = f"Loop over a copy: for ... in {copy}."
        f.refuse(node.iter, f"{', '.join(map(ast.unparse, given))} is changed while the loop runs over it", remedy)


def check_symmetric(
    f: Frame, node: ast.For | ast.Call, local: e.Local, iterable: e.Expression, body: tuple[s.Statement, ...]
) -> None:
    """Refuse a body whose effect depends on the order of symmetric identities; `node` is a loop, or a multicast to each
    of them."""
    if not isinstance(iterable.type, t.Set | t.Bag) or not lattice.symmetric(iterable.type.item) or not f.body.last():
        return
    rounds = Rounds(local, without_lines(body, e.Expression), f.body.entered.get(node, f.body.valued()), f.program.made)
    fails, over = Failing(f.program.made), node.iter if isinstance(node, ast.For) else node
    if failing.ends(rounds.body) and fails.statements(rounds.body):
        f.refuse(
            over,
            f"{iterable.type.item} is symmetric, and the loop may fail for one member, or "
            f"be ended by another before that: {fails.what[0]}",
            "Test first what could fail (x is not None, len(s) > 0), or let a loop of its own before this "
            "one ask what ends it.",
        )
    for what in (*_leaves(body), *rounds.shows()):
        remedy = (
            "Use any(...), all(...), sum(...), max(...) or a set, or choose(...) one. A loop may change what belongs "
            "to its own member, and add up."
        )
        f.refuse(over, f"{iterable.type.item} is symmetric, and the loop {what}", remedy)


def check_quantifier(
    f: Frame, node: ast.expr, op: str, generators: tuple[e.Generator, ...], body: e.Expression
) -> None:
    """Refuse any(...) and all(...) over symmetric identities, or over a set made in the method, if the evaluation of a
    member may fail: an earlier member that decides the result would hide the failure.
    """
    over = [
        f"{g.iterable.type.item} is symmetric"
        if lattice.symmetric(g.iterable.type.item)
        else "a set made here has no order"
        for g in generators
        if isinstance(g.iterable.type, t.Set | t.Bag)
        and (lattice.symmetric(g.iterable.type.item) or comprehensions.unordered(g.iterable.type))
    ]
    if not over or not f.body.last():
        return
    # the iterable of the first generator is evaluated before any member
    rest = tuple(
        evolve(g, iterable=g.iterable if number else e.Domain(g.iterable.type)) for number, g in enumerate(generators)
    )
    fails = Failing(f.program.made)
    if fails.expression(without_lines(e.Quantifier(t.Bool(), op, rest, body))):
        instead = "True in {...}" if op == "any" else "False not in {...}"
        f.refuse(
            node,
            f"{over[0]}, and {op}(...) may fail for one member, or be decided by another before that: {fails.what[0]}",
            f"Test first what could fail (x is not None, len(s) > 0), or look at all of them: {instead}.",
        )


def _leaves(body: tuple[s.Statement, ...]) -> Iterator[str]:
    """Whether the loop may end before its last item, other than with one constant value."""
    returned = {x.value for x in walk(without_lines(body, e.Expression)) if isinstance(x, s.Return)}
    if len(returned) > 1 or any(isinstance(x, e.Local | e.Variable | e.Call) for x in walk(tuple(returned))):
        yield "returns one of several values"
    inside = {x.label for x in walk(body) if isinstance(x, s.Block)}
    left = any(isinstance(x, s.Stop) or isinstance(x, s.Leave) and x.label not in inside for x in walk(body))
    # the break of an inner loop leaves that one
    if left or any(isinstance(x, s.Break) for x in walk(body, whole=s.For | s.While | e.Expression)):
        yield "is left early"


def changes_and_continues(body: tuple[s.Statement, ...], place: e.Expression) -> bool:
    """Whether some statement changes the place and the loop may go on afterwards."""
    if any(isinstance(x, s.Break | s.Return | s.Stop | s.Leave) for x in body):
        return False
    for statement in body:
        match statement:
            case s.Assign(_, e.Index(_, base)) if isinstance(base.type, t.Seq) and covers(base, place):
                return True
            case _ if isinstance(statement, CHANGES) and covers(statement.target, place):
                return True
        if any(changes_and_continues(inner, place) for inner in bodies(statement)):
            return True
    return False
