"""any, all, sum, min, max, sorted: functions of a generator expression or a collection that return one value."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager

from checker.frontend import (
    comparisons,
    comprehensions,
    conversions,
    expressions,
    iterating,
    kinds,
    lattice,
    operations,
)
from checker.frontend.arguments import arguments
from checker.frontend.coerce import coerce, fits, integer, length
from checker.frontend.kinds import Kind
from checker.frontend.scope import Empty, Frame, Incomplete, settled
from checker.frontend.source import line_of
from checker.ir import build
from checker.ir import expressions as e
from checker.ir import types as t
from checker.ir.facts import may_fail

GENERATORS = ast.GeneratorExp | ast.ListComp


@contextmanager
def _over(f: Frame, node: ast.expr) -> Iterator[tuple[tuple[e.Generator, ...], ast.expr]]:
    """Generators and the body's node, for a generator expression or any collection."""
    if isinstance(node, GENERATORS):
        with comprehensions.generated(f, node.generators) as generators:
            yield generators, node.elt
        return
    target = ast.copy_location(ast.Name("each", ast.Load()), node)
    with f.scope(), f.body.lazy():
        local, iterable = comprehensions.iteration(f, target, node, declare=False)
        yield (e.Generator(local, iterable),), target


def quantifier(f: Frame, node: ast.Call, op: str) -> e.Expression:
    """any(...) and all(...)."""
    (argument,) = arguments(f, node, 1, 1)
    try:
        with _over(f, argument) as (generators, body_node):
            body = expressions.test(f, body_node)
            f.record_domain(argument, generators)
            if not isinstance(argument, ast.ListComp):
                iterating.check_quantifier(f, argument, op, generators, body)
    except Empty:
        f.record_domain(argument, ())
        return build.boolean(op == "all" and not comprehensions.certainly_empty(f))
    if isinstance(body, e.Const) and bool(body.value) == (op == "all") and not may_fail(generators):
        return body
    # a list is built to its end, even if an early item decides the result
    whole = (
        [comprehensions.seq_of(f, argument)]
        if isinstance(argument, ast.ListComp) and may_fail((generators, body))
        else []
    )
    return build.after(whole, e.Quantifier(build.BOOL, op, generators, body))


def total(f: Frame, node: ast.Call) -> e.Expression:
    """sum(...)."""
    (argument,) = arguments(f, node, 1, 1)
    try:
        with _over(f, argument) as (generators, body_node):
            body = integer(f, body_node, expressions.value(f, body_node))
    except Empty:
        return build.integer(len(comprehensions.certainly_empty(f)))
    literal = _of_literal(generators, body)
    if literal is not None:
        result: e.Expression = build.integer(0)
        for item in literal:
            result = expressions.arithmetic(f, node, "+", result, integer(f, node, item))
        return result
    return _sum(f, node, generators, body)


def _of_literal(generators: tuple[e.Generator, ...], body: e.Expression) -> tuple[e.Expression, ...] | None:
    """The items of the display or constant tuple x, unchanged, for sum(x), min(x) and max(x)."""
    if (
        len(generators) == 1
        and isinstance(generators[0].iterable, e.MakeSeq)
        and not generators[0].conditions
        and body == generators[0].local
    ):
        return generators[0].iterable.items
    return None


def _sum(f: Frame, node: ast.AST, generators: tuple[e.Generator, ...], body: e.Expression) -> e.Expression:
    n = comprehensions.rounds(generators)
    assert isinstance(body.type, t.Int)
    type = t.Int(min(0, n * body.type.lo), max(0, n * body.type.hi))
    if type.lo < -build.LIMIT or type.hi > build.LIMIT:
        f.refuse(node, "the sum may not fit into 63 bits", "Bound the summands.")
    return e.Aggregate(type, "sum", generators, body, None, line_of(node))


def count_of(f: Frame, node: ast.ListComp | ast.GeneratorExp) -> e.Expression:
    """len([... for ...]): counted without building the list."""
    try:
        with comprehensions.generated(f, node.generators) as generators:
            body = expressions.value(f, node.elt)
    except Empty:
        return build.integer(len(comprehensions.certainly_empty(f)))
    return length(comprehensions.seq_of(f, node)) if may_fail(body) else _sum(f, node, generators, build.integer(1))


def extreme(f: Frame, node: ast.Call, op: str) -> e.Expression:
    """min(...) and max(...), over arguments or over a collection."""
    given = arguments(f, node, 1, 99, ("key", "default"))
    keywords = {k.arg: k.value for k in node.keywords}
    if len(given) > 1:
        return _of_arguments(f, node, op, given)
    if "key" in keywords:
        return _by_key(f, node, op, given[0], keywords)
    try:
        with _over(f, given[0]) as (generators, body_node):
            item = expressions.value(f, body_node)
            body = expressions.inside(item, line_of(node))
    except Empty:
        if "default" not in keywords:
            # Raise Incomplete although this fails in any case: Empty would make an enclosing comprehension empty
            raise Incomplete from None
        comprehensions.certainly_empty(f)
        return expressions.value(f, keywords["default"])
    if isinstance(body.type, t.Bool):
        body = integer(f, node, body)
    settled(body.type)
    literal = _of_literal(generators, body)
    if literal and not keywords and comparisons.holds_optional(body.type):
        return _fold(f, node, op, list(literal))
    comparisons.ordered(f, node, body.type)
    default = expressions.value(f, keywords["default"]) if "default" in keywords else None
    # Python evaluates the default in any case, because it is an argument
    before = [default] if default is not None and may_fail(default) else []
    if before:
        before.insert(
            0, comprehensions.seq_of(f, given[0]) if isinstance(given[0], ast.ListComp) else generators[0].iterable
        )
    if literal and isinstance(body.type, t.Int):
        return build.after(before, _fold(f, node, op, list(literal)))
    if default is not None:
        body, default = expressions.same(f, node, body, default)
    result: e.Expression = e.Aggregate(body.type, op, generators, body, default, line_of(node))
    if isinstance(item.type, t.Optional) and not _several(generators):
        result = _unless_alone(f, node, generators, item, result)
    return build.after(before, result)


def _several(generators: tuple[e.Generator, ...]) -> bool:
    """Whether a collection certainly has two or more items."""
    every = all(isinstance(g.iterable, e.Domain) and not g.conditions for g in generators)
    return every and comprehensions.rounds(generators) > 1


def _unless_alone(
    f: Frame, node: ast.AST, generators: tuple[e.Generator, ...], item: e.Expression, result: e.Expression
) -> e.Expression:
    """The result.  A single item is not compared, so it is the result without a check, and may be None."""
    items = e.SeqOf(
        t.Seq(item.type, min(comprehensions.rounds(generators), lattice.LONGEST)), generators, item, line_of(node)
    )
    alone = build.compare("==", length(items), build.integer(1))
    return build.if_else(alone, *expressions.same(f, node, build.index(items, build.integer(0), line_of(node)), result))


def _of_arguments(f: Frame, node: ast.Call, op: str, given: list[ast.expr]) -> e.Expression:
    if node.keywords:
        remedy = f"Write {op}([...], {node.keywords[0].arg}=...)."
        f.refuse(node, f"{op} of several arguments takes no {node.keywords[0].arg}=", remedy)
    return _fold(f, node, op, [expressions.value(f, g) for g in given])


def _fold(f: Frame, node: ast.AST, op: str, items: list[e.Expression]) -> e.Expression:
    items = [expressions.inside(i, line_of(node) or f.source.node.lineno) for i in items]
    result = items[0]
    for item in items[1:]:
        if isinstance(result.type, t.Record) or isinstance(result.type, t.Ids):
            symbol = "<=" if op == "min" else ">="
            first = comparisons.field_by_field(f, node, symbol, result, item)
            result, item = expressions.same(f, node, result, item)
            if first is None:
                comparisons.ordered(f, node, result.type)
                first = build.compare(symbol, result, item)
            result = build.if_else(first, result, item)
        else:
            result = expressions.arithmetic(f, node, op, result, item)
    return result


def _by_key(f: Frame, node: ast.Call, op: str, items: ast.expr, keywords: dict[str | None, ast.expr]) -> e.Expression:
    """min(x, key=...): the first of the sorted items; of equals the first in the order of iteration, as in Python."""
    ordered = _sorted(f, node, items, keywords["key"], op == "max")
    first = build.index(ordered, build.integer(0), line_of(node))
    if "default" not in keywords:
        return first
    some = build.compare(">", length(ordered), build.integer(0))
    default = expressions.value(f, keywords["default"])
    then, other = expressions.same(f, node, first, default)
    return build.after([ordered, default] if may_fail(default) else [], build.if_else(some, then, other))


def in_order(f: Frame, node: ast.Call) -> e.Expression:
    """sorted(x, key=..., reverse=...)."""
    (items,) = arguments(f, node, 1, 1, ("key", "reverse"))
    keywords = {k.arg: k.value for k in node.keywords}
    reverse = False
    if "reverse" in keywords:
        value = expressions.value(f, keywords["reverse"])
        if not isinstance(value, e.Const):
            f.refuse(node, "reverse= must be a constant", "Write True or False.")
        reverse = bool(value.value)
    return _sorted(f, node, items, keywords.get("key"), reverse)


def _sorted(f: Frame, node: ast.Call, items: ast.expr, key: ast.expr | None, reverse: bool) -> e.Expression:
    if isinstance(items, ast.ListComp | ast.GeneratorExp):
        value = comprehensions.seq_of(f, items, ordered=isinstance(items, ast.ListComp) or key is not None)
    else:
        value = comprehensions.as_iterable(f, items, expressions.meaning(f, items))
        operations.require(f, items, "sorted(c)", value.type)
    if isinstance(value, e.Range):
        value = conversions.as_sequence(f, items, "sorted(c)")
    if isinstance(value.type, t.Bag):
        value = conversions.distinct(f, items, value)
    assert isinstance(value.type, t.Set | t.Seq | t.Bag)
    item = value.type.item
    if isinstance(item, lattice.Nothing):
        return e.MakeSeq(kinds.as_kind(t.Seq(item, 0), Kind.LIST), comprehensions.certainly_empty(f))
    type = kinds.as_kind(t.Seq(item, lattice.count(value.type)), Kind.LIST)
    if key is None:
        comparisons.ordered(f, node, item)
        return e.Sorted(type, value, None, None, reverse)
    comprehensions.no_order(f, node, value.type, "Sorting them would show an order.")
    if not isinstance(key, ast.Lambda) or len(key.args.args) != 1:
        f.refuse(key, "key= must be a lambda of one item", "key=lambda x: ...")
    name = key.args.args[0].arg
    target = ast.copy_location(ast.Name(name, ast.Store()), key)
    with f.scope(), f.body.lazy():
        local = f.bind_item(target, name, item, declare=False)
        comprehensions.bind(f, target, local)
        by = expressions.value(f, key.body)
    if comprehensions.unordered(value.type) and not _tells_apart(by, local):
        remedy = "Let the key end in the item, key=lambda x: (..., x), or sort first: sorted(...)."
        f.refuse(items, f"{ast.unparse(items)} is a set made here, and its items may have equal keys", remedy)
    comparisons.ordered(f, key, by.type)
    return e.Sorted(type, value, local, by, reverse)


def _tells_apart(key: e.Expression, item: e.Local) -> bool:
    """Whether different items certainly have different keys."""
    match key:
        case e.Ordinal(_, inner):
            return _tells_apart(inner, item)
        case e.MakeRecord(_, parts):
            return any(_tells_apart(part, item) for part in parts)
    return key == item


def first_place(
    f: Frame, node: ast.Call, sequence: e.Expression, item: e.Expression, absent: str = "no such item"
) -> e.Expression:
    """seq.index(item): the least place; a missing item is the error `absent`."""
    assert isinstance(sequence.type, t.Seq)
    operations.require_comparable(f, node, item.type, sequence.type.item)
    number = t.Int(0, max(0, sequence.type.capacity - 1))
    local = f.nameless(node, "place", number)
    here = build.index(sequence, local, line_of(node))
    same = build.conjunction(
        [fits(item, sequence.type.item), build.compare("==", here, coerce(f, node, item, sequence.type.item))]
    )
    places = e.Range(t.Seq(number, sequence.type.capacity), build.integer(0), length(sequence))
    return build.after(
        [item], e.Aggregate(number, "min", (e.Generator(local, places, (same,)),), local, None, line_of(node), absent)
    )
