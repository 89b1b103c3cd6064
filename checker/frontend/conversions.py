"""list, tuple, set and frozenset of anything that can be iterated."""

from __future__ import annotations

import ast

from checker.frontend import comprehensions, expressions, kinds, lattice, operations
from checker.frontend import meaning as m
from checker.frontend.aliases import part
from checker.frontend.arguments import arguments
from checker.frontend.coerce import set_type
from checker.frontend.kinds import Kind
from checker.frontend.scope import Frame
from checker.frontend.source import line_of
from checker.ir import build
from checker.ir import expressions as e
from checker.ir import types as t


def as_list(f: Frame, node: ast.Call, kind: Kind) -> e.Expression:
    """The argument of list(x) or tuple(x) as a sequence of its own."""
    items = arguments(f, node, 0, 1)
    if not items:
        return e.MakeSeq(kinds.as_kind(t.Seq(lattice.NOTHING, 0), kind), ())
    made = as_sequence(f, items[0], f"{kind.value}(c)")
    return build.copy(made, kinds.as_kind(made.type, kind))


def as_sequence(f: Frame, node: ast.expr, operation: str) -> e.Expression:
    """Any iterable that has the operation as a sequence: sets in canonical order, of bags each distinct item once."""
    if isinstance(node, ast.ListComp | ast.GeneratorExp):
        if isinstance(node, ast.GeneratorExp) and operation == "reversed(c)":
            f.refuse(node, "a generator has no end to begin at", "Write reversed([...]).")
        return comprehensions.seq_of(f, node)
    source = expressions.meaning(f, node)
    if isinstance(source, m.TypeName):
        operations.require(f, node, operation, kinds.as_kind(t.Set(lattice.NOTHING), Kind.TYPE))
    elif isinstance(source, m.Between):
        operations.require(f, node, operation, t.Bag(lattice.NOTHING, 0))
    elif isinstance(source, e.Expression):
        operations.require(f, node, operation, source.type)
    if isinstance(source, m.Enumerated) and operation == "reversed(c)":
        f.refuse(node, f"{source.kind}(...) has no end to begin at", f"Write reversed(list({ast.unparse(node)})).")
    if isinstance(source, m.Enumerated | m.Stepped):
        local, iterable, body = _of_places(f, node)
        return e.SeqOf(
            t.Seq(body.type, lattice.count(iterable.type)), (e.Generator(local, iterable),), body, line_of(node)
        )
    items = comprehensions.as_iterable(f, node, source)
    if isinstance(items, e.Range):
        local = f.nameless(node, "range", t.parts(items.type)[0], "i")
        return e.SeqOf(items.type, (e.Generator(local, items),), local, line_of(node))
    if isinstance(items.type, t.Seq):
        return items
    comprehensions.no_order(f, node, items.type, "Keep them in a set.")
    comprehensions.python_order(f, node, items)
    assert isinstance(items.type, t.Set | t.Bag)
    if isinstance(items.type, t.Bag):
        return distinct(f, node, items)
    return e.Sorted(t.Seq(items.type.item, lattice.count(items.type)), items)


def distinct(f: Frame, node: ast.AST, bag: e.Expression) -> e.Expression:
    """The distinct items of a bag in canonical order, as iterating gives them."""
    assert isinstance(bag.type, t.Bag)
    local = f.nameless(node, "distinct", bag.type.item, "item")
    return e.SeqOf(t.Seq(bag.type.item, lattice.count(bag.type)), (e.Generator(local, bag),), local, line_of(node))


def _of_places(f: Frame, node: ast.expr) -> tuple[e.Local, e.Expression, e.Expression]:
    target = ast.copy_location(ast.Name("item", ast.Store()), node)
    with f.scope():
        local, iterable = comprehensions.iteration(f, target, node, declare=False)
        return local, iterable, expressions.value(f, target)


def as_set(f: Frame, node: ast.Call, kind: Kind, expected: t.Type | None = None) -> e.Expression:
    """The argument of a call such as set(x) as a set of its own."""
    given = arguments(f, node, 0, 1)
    if not given:
        return e.MakeSet(kinds.as_kind(expected if isinstance(expected, t.Set) else t.Set(lattice.NOTHING), kind), ())
    if isinstance(given[0], ast.ListComp | ast.GeneratorExp | ast.SetComp):
        return comprehensions.set_of(f, given[0], kind)
    return set_of(f, node, given[0], comprehensions.as_iterable(f, given[0], expressions.meaning(f, given[0])), kind)


def set_of(f: Frame, node: ast.Call, given: ast.expr, items: e.Expression, kind: Kind) -> e.Expression:
    """An iterable as a set of its own.  given: its text."""
    operations.require(f, node, "set(c)", items.type)
    if isinstance(items.type, t.Set):
        return build.copy(items, kinds.as_kind(items.type, kind))
    assert isinstance(items.type, t.Seq | t.Bag)
    if isinstance(items.type.item, lattice.Nothing):
        return build.after(
            [items], e.MakeSet(kinds.as_kind(t.Set(lattice.NOTHING), kind), comprehensions.certainly_empty(f))
        )
    local = f.nameless(node, "item", items.type.item)
    f.body.own(local.name, part(f.body.owners_of(items)))
    operations.require_hashable(f, given, local)
    type = set_type(f, node, items.type.item, kind)
    if isinstance(items, e.MakeSeq):
        return e.MakeSet(type, items.items)
    return e.SetOf(type, (e.Generator(local, items),), local)
