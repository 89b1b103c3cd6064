"""Operations that are moved before their statement: `choose(...)` and `.pop(...)`, which may occur inside an expression
that is certainly evaluated exactly once.

Python evaluates from left to right.  Expressions before the operation in the statement must therefore keep their value:
they may not read the sequence that is popped, and if they may fail, they are evaluated before the operation.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from checker.frontend import comprehensions, expressions, lattice, operations
from checker.frontend import meaning as m
from checker.frontend.aliases import part
from checker.frontend.captures import loaded
from checker.frontend.coerce import temporary
from checker.frontend.places import chain, entries_only, keys
from checker.frontend.scope import Ended, Frame
from checker.ir import build
from checker.ir import expressions as e
from checker.ir import statements as s
from checker.ir import types as t
from checker.ir.facts import callees, may_fail
from checker.ir.visit import walk

LOOPS = ast.GeneratorExp | ast.ListComp | ast.SetComp | ast.DictComp | ast.comprehension | ast.For
FIRST = LOOPS | ast.IfExp | ast.Assign | ast.AnnAssign
"""Nodes in which an operation is either in the part that Python evaluates first (an iterable, a test), or in the target
of an assignment, whose value has been lowered before.
"""


def choose(f: Frame, node: ast.Call, given: ast.expr) -> e.Expression:
    """x = choose(given): a successor for each item."""
    move(f, node, "choose(...)")
    iterable = comprehensions.as_iterable(f, given, expressions.meaning(f, given))
    assert isinstance(iterable.type, t.Set | t.Seq | t.Bag)
    operations.require(f, given, "choose(c)", iterable.type)
    if isinstance(iterable.type.item, lattice.Nothing):
        comprehensions.certainly_empty(f)
        f.record_domain(node, ())
        f.emit(s.Require(node.lineno, build.FALSE))
        raise Ended
    local = f.bind_item(node, "chosen", iterable.type.item)
    f.body.own(local.name, part(f.body.owners_of(iterable)))
    f.record_domain(node, (e.Generator(local, iterable),))
    f.emit(s.Choose(node.lineno, local, iterable))
    return local


def move(f: Frame, node: ast.Call, what: str, changed: e.Expression | None = None) -> None:
    """Prepare the move of an operation before its statement: preceding expressions that may fail are evaluated first.
    changed: the sequence that the operation changes.

    Raises Refused if the operation may not be moved.
    """
    if f.body.pure:
        remedy = "Rules and functions change nothing and decide nothing; do it in the action."
        f.refuse(node, f"{what} in a rule or function", remedy)
    if not f.body.hoisting:
        remedy = "Give it a name first, x = ... on a line of its own, or write an `if` statement."
        f.refuse(node, f"{what} where it may be evaluated never or several times", remedy)
    for earlier in _before(f, node):
        # operations in these expressions were moved when the expressions themselves were lowered
        with f.body.collect():
            meaning = expressions.meaning(f, earlier)
        used = list(_used(meaning))
        if changed is not None and _reads(f, used, chain(changed)[0]):
            assert isinstance(node.func, ast.Attribute)
            remedy = "Give what is popped a name first."
            f.refuse(node, f"{ast.unparse(node.func.value)} is read and popped in one statement", remedy)
        for number, value in enumerate(used):
            if may_fail(value):
                temporary(f, earlier, value, f"first{number}")


def _before(f: Frame, node: ast.AST) -> list[ast.expr]:
    """The expressions that Python evaluates before a node in its statement, in that order: the siblings of a part are
    evaluated before the part itself, so the outermost come first.
    """
    found: list[ast.expr] = []
    at = node
    while not isinstance(at, ast.stmt):
        parent = f.source.parents[at]
        beside: list[ast.expr] = []
        if isinstance(parent, ast.AugAssign) and at is parent.value:
            beside = [loaded(parent.target)]
        elif not isinstance(parent, FIRST):
            children = [c.value if isinstance(c, ast.keyword) else c for c in ast.iter_child_nodes(parent)]
            beside = [
                c
                for c in children
                if isinstance(c, ast.expr)
                and _position(c) < _position(at)
                and not isinstance(getattr(c, "ctx", None), ast.Store)
            ]
        found = beside + found
        at = parent
    return found


def _position(node: ast.AST) -> tuple[int, int]:
    return getattr(node, "lineno", 0), getattr(node, "col_offset", 0)


def _used(meaning: e.Expression | m.Meaning) -> Iterator[e.Expression]:
    """The parts of a meaning that are already evaluated; of a mutable collection, which Python passes by reference,
    only its indices.
    """
    match meaning:
        case m.Bound(value, _):
            yield from _used(value)
        case e.Expression() if entries_only(meaning) and lattice.mutable(meaning.type):
            yield from keys(meaning)
        case e.Expression():
            yield meaning
        case m.Between(_, source, target):
            yield from (source, target)
        case m.BetweenCount(between):
            yield from _used(between)
        case m.Enumerated(_, sequences):
            yield from sequences
        case m.Stepped(start, stop):
            yield from (start, stop)


def _reads(f: Frame, used: list[e.Expression], root: tuple[object, ...]) -> bool:
    """Whether any of these expressions, or a rule that they call, reads the variable or local that is the root of a
    chain.
    """
    bodies = [*used, *(f.program.made(name).body for name in callees(used, f.program.made))]
    return any(chain(node)[0] == root for node in walk(bodies) if isinstance(node, e.Variable | e.Local))
