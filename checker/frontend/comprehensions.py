"""Comprehensions, generator expressions, and their iterables: types, ranges, collections, enumerate.

The order of iteration is canonical.  The order of symmetric identities must have no effect: building a sequence from
them is refused.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager

from checker.frontend import displays, expressions, kinds, lattice, lowering, messages, operations
from checker.frontend import meaning as m
from checker.frontend.aliases import part
from checker.frontend.bindings import Known, Stored
from checker.frontend.captures import stable
from checker.frontend.coerce import coerce, length, present, sequence, set_type, temporary
from checker.frontend.kinds import Kind
from checker.frontend.scope import Empty, Frame, Incomplete, settled
from checker.frontend.source import line_of
from checker.ir import build
from checker.ir import expressions as e
from checker.ir import types as t
from checker.ir.facts import may_fail
from checker.wording import counted


@lowering.expression(ast.ListComp, ast.SetComp, ast.DictComp)
def collection(f: Frame, node: ast.ListComp | ast.SetComp | ast.DictComp, expected: t.Type | None) -> e.Expression:
    """A comprehension as a value."""
    if isinstance(node, ast.DictComp):
        return _map_comprehension(f, node, expected)
    if isinstance(node, ast.SetComp):
        return set_of(f, node)
    return seq_of(f, node)


def set_of(f: Frame, node: ast.SetComp | ast.GeneratorExp | ast.ListComp, kind: Kind = Kind.MADE) -> e.Expression:
    """{... for ...}"""
    try:
        with generated(f, node.generators) as generators:
            body = expressions.value(f, node.elt)
    except Empty:
        return e.MakeSet(kinds.as_kind(t.Set(lattice.NOTHING), kind), certainly_empty(f))
    if lattice.unknown(body.type):
        raise Incomplete
    operations.require_hashable(f, node.elt, body)
    type = set_type(f, node, body.type, kind)
    if (
        len(generators) == 1
        and body == generators[0].local
        and not generators[0].conditions
        and isinstance(generators[0].iterable.type, t.Set)
    ):
        return build.copy(generators[0].iterable, type)
    return e.SetOf(type, generators, body)


def seq_of(f: Frame, node: ast.ListComp | ast.GeneratorExp | ast.SetComp, ordered: bool = True) -> e.Expression:
    """[... for ...]; ordered: the order of the items has an effect."""
    try:
        with generated(f, node.generators) as generators:
            body = expressions.value(f, node.elt)
    except Empty:
        return e.MakeSeq(kinds.as_kind(t.Seq(lattice.NOTHING, 0), Kind.LIST), certainly_empty(f))
    for g in generators:
        no_order(f, node, g.iterable.type, "A sequence built from them would show an order; build a set.")
    for c, g in zip(node.generators, generators):
        if ordered:
            python_order(f, c.iter, g.iterable)
    if rounds(generators) > lattice.LONGEST:
        f.limit(node, f"A list has at most {lattice.LONGEST} items: count with sum(...), or ask with any(...).")
    made = kinds.as_kind(t.Seq(body.type, min(rounds(generators), lattice.LONGEST)), Kind.LIST)
    return e.SeqOf(made, generators, body, line_of(node))


def certainly_empty(f: Frame) -> tuple[e.Expression, ...]:
    """Whether there are no items, once no type grows any more; before, this is unknown."""
    if not f.body.certain:
        f.body.doubted = True
        raise Incomplete
    return ()


def rounds(generators: tuple[e.Generator, ...]) -> int:
    """The largest number of items."""
    product = 1
    for g in generators:
        product *= count(g.iterable)
    return product


def count(iterable: e.Expression) -> int:
    """The most items of an iterable."""
    if isinstance(iterable, e.Concat):
        return count(iterable.left) + count(iterable.right)
    return lattice.count(iterable.type)


def no_order(f: Frame, node: ast.AST, type: t.Type, remedy: str) -> None:
    """Refuse an iteration over a set or bag of symmetric identities if the order of the items has an effect."""
    if isinstance(type, t.Set | t.Bag) and lattice.symmetric(type.item):
        f.refuse(node, f"{type.item} is symmetric: its values come in no order", remedy)


def python_order(f: Frame, node: ast.AST, iterable: e.Expression) -> None:
    """Refuse an iteration whose order matters over a set made in the method: Python's own sets have no order.

    Sets of the state, and the results of their operators, are iterated in canonical order; so are small sets of at most
    eight identities or small numbers, because Python keeps them in order.
    """
    if unordered(iterable.type):
        remedy = "Loop over sorted(...) of it, or over its type with a condition: for x in self.T: if x in ..."
        f.refuse(node, f"{ast.unparse(node)} is a set made here, which Python walks in no particular order", remedy)


def unordered(type: t.Type) -> bool:
    """Whether Python iterates a set in an unknown order."""
    if not isinstance(type, t.Set) or not kinds.of(type) & kinds.UNORDERED:
        return False
    item = type.item
    return not (
        isinstance(item, t.Bool)
        or isinstance(item, t.Ids)
        and len(item.members) <= 8
        or isinstance(item, t.Int)
        and 0 <= item.lo
        and item.hi < 8
    )


@contextmanager
def generated(f: Frame, comprehensions: list[ast.comprehension]) -> Iterator[tuple[e.Generator, ...]]:
    """The generators; inside the context their targets are bound."""
    result: list[e.Generator] = []
    with f.scope(), f.body.lazy():
        for c in comprehensions:
            try:
                local, iterable = iteration(f, c.target, c.iter, declare=False)
            except Empty:
                if may_fail(tuple(result)):
                    remedy = "Leave out the loops behind it, or put this one first."
                    f.refuse(c.iter, f"{ast.unparse(c.iter)} is always empty, behind what may fail", remedy)
                raise
            conditions = [expressions.test(f, i) for i in c.ifs]
            result.append(
                e.Generator(local, build.without_copy(iterable), tuple(x for x in conditions if x != build.TRUE))
            )
        generators = tuple(result)
        yield generators


def iteration(f: Frame, target: ast.expr, iterable: ast.expr, declare: bool = True) -> tuple[e.Local, e.Expression]:
    """Bind a loop's target; return the local for the items, and the iterable."""
    source = expressions.meaning(f, iterable)
    if isinstance(source, m.Enumerated):
        return _enumerated(f, target, source, declare)
    if isinstance(source, m.Stepped):
        return _stepped(f, target, source, declare)
    source = displays.rows(f, iterable, source, len(target.elts)) if isinstance(target, ast.Tuple) else source
    items = as_iterable(f, iterable, source)
    type = items.type.item if isinstance(items.type, t.Set | t.Seq | t.Bag) else lattice.NOTHING
    if isinstance(type, lattice.Nothing):
        _only_empty(f, iterable, items)
        raise Empty
    local = f.bind_item(target, target.id if isinstance(target, ast.Name) else "item", type, declare)
    f.body.own(local.name, part(f.body.owners_of(items)))
    bind(f, target, local)
    return local, items


def _only_empty(f: Frame, node: ast.AST, items: e.Expression) -> None:
    """Refuse an iterable that is always empty but may fail: an empty iterable is left out, so the failure would be
    lost.
    """
    if f.body.certain and may_fail(items):
        f.refuse(node, f"{ast.unparse(node)} is always empty, and may fail", "Leave it out, or give it an item.")
    f.body.for_last_round |= not f.body.certain


def walked(f: Frame, node: ast.expr) -> list[e.Expression]:
    """The collections that a loop iterates without copying; the result of a call is a collection of its own."""
    if not isinstance(node, ast.Call):
        source = expressions.meaning(f, node)
        return [source] if isinstance(source, e.Expression) else []
    if isinstance(node.func, ast.Name) and node.func.id in ("enumerate", "reversed", "zip"):
        return [
            collection
            for argument in node.args[: len(node.args) if node.func.id == "zip" else 1]
            for collection in walked(f, argument)
        ]
    return []


def as_iterable(f: Frame, node: ast.expr, source: m.Result) -> e.Expression:
    """The iterable of a loop, as an expression of the intermediate representation."""
    if isinstance(source, m.TypeName):
        return e.Domain(set_type(f, node, source.type))
    if isinstance(source, m.Between):
        return messages.bodies(f, node, source)
    items = present(expressions.as_value(f, node, source), line_of(node))
    operations.require(f, node, "for x in c", items.type)
    if isinstance(items.type, t.Map):
        return build.after([items], build.everything(items.type.key))
    if isinstance(items, e.MakeRecord):
        return sequence(f, node, list(items.fields), Kind.TUPLE)
    settled(items.type)
    if not isinstance(items.type, t.Set | t.Seq | t.Bag):
        f.refuse(node, f"{items.type} cannot be iterated", "Iterate over a type, a range or a collection.")
    return items


def bind(f: Frame, target: ast.expr, value: e.Expression) -> None:
    """Bind the names of a target to (parts of) a value that does not change."""
    match target:
        case ast.Name():
            f.names[target.id] = Stored(value.name) if isinstance(value, e.Local) else Known(value)
        case ast.Tuple() | ast.List():
            for part, item in zip(target.elts, unpacked(f, target, value)):
                bind(f, part, item)
        case _:
            f.refuse(target, "a loop binds names only", "Use a name, and assign in the body.")


def unpacked(f: Frame, target: ast.Tuple | ast.List, value: e.Expression) -> list[e.Expression]:
    """The parts of a record or tuple, as many as the target has."""
    if any(isinstance(part, ast.Starred) for part in target.elts):
        f.refuse(target, "* in a target", "Name every part.")
    value = present(value, line_of(target))
    settled(value.type)
    if isinstance(value, e.MakeSeq) and len(value.items) == len(target.elts):
        return list(value.items)
    if not isinstance(value.type, t.Record) or len(value.type.fields) != len(target.elts):
        remedy = "Unpack tuples and records with one name for each field."
        f.refuse(target, f"{value.type} is not {counted(len(target.elts), 'value')}", remedy)
    return list(build.parts(value))


def _enumerated(f: Frame, target: ast.expr, source: m.Enumerated, declare: bool) -> tuple[e.Local, e.Expression]:
    for s in source.sequences:
        assert isinstance(s.type, t.Seq)
        if isinstance(s.type.item, lattice.Nothing):
            _only_empty(f, target, lattice.make_tuple(source.sequences))
            raise Empty
    sequences = [once(f, target, s, f"over{n}", declare) for n, s in enumerate(source.sequences)]
    most = min(lattice.count(s.type) for s in sequences)
    stop = length(sequences[0])
    for s in sequences[1:]:
        stop = build.arithmetic("min", stop, length(s), line_of(target))
    number = t.Int(0, max(most - 1, 0))
    local = f.bind_item(target, "place", number, declare)
    place: e.Expression = local
    if source.kind == "reversed":
        last = build.arithmetic("-", stop, build.integer(1), line_of(target))
        place = build.arithmetic("-", last, local, line_of(target))
    items = [build.index(s, place, line_of(target)) for s in sequences]
    if source.kind == "enumerate":
        number_from = build.arithmetic("+", local, build.integer(source.start), line_of(target))
        bind(f, target, lattice.make_tuple([number_from, *items]))
    else:
        bind(f, target, items[0] if source.kind == "reversed" else lattice.make_tuple(items))
    return local, e.Range(t.Seq(number, most), build.integer(0), stop)


def _stepped(f: Frame, target: ast.expr, source: m.Stepped, declare: bool) -> tuple[e.Local, e.Expression]:
    def number(op: str, a: e.Expression, b: e.Expression) -> e.Expression:
        return expressions.arithmetic(f, target, op, a, b)

    up = source.step > 0
    start = once(f, target, source.start, "start", declare)
    way = number("-", source.stop, start) if up else number("-", start, source.stop)
    size = abs(source.step)
    rounds = number(
        "//", number("+", number("max", way, build.integer(0)), build.integer(size - 1)), build.integer(size)
    )
    assert isinstance(rounds.type, t.Int)
    most = max(0, rounds.type.hi)
    local = f.bind_item(target, "round", t.Int(0, max(most - 1, 0)), declare)
    bind(f, target, number("+", start, number("*", local, build.integer(source.step))))
    return local, e.Range(t.Seq(local.type, most), build.integer(0), rounds)


def once(f: Frame, node: ast.AST, value: e.Expression, base: str, statement: bool) -> e.Expression:
    """A part of a loop's iterable; if the loop is a statement, the part is computed once, before the first round."""
    return value if not statement or stable(f.body, value) else temporary(f, node, value, base)


def settle(f: Frame, target: ast.expr) -> None:
    """At the start of a round, copy the values of the loop's target: the body may change what they were computed
    from."""
    for name in (n for n in ast.walk(target) if isinstance(n, ast.Name)):
        match f.names[name.id]:
            case Known(e.Expression() as meaning) if not stable(f.body, meaning):
                f.names[name.id] = Stored(temporary(f, name, meaning, f"{name.id}.now").name)


# Dictionaries: total maps


def _map_comprehension(f: Frame, node: ast.DictComp, expected: t.Type | None) -> e.Expression:
    remedy = "A map has a value at every key: {q: ... for q in self.Process}."
    if len(node.generators) != 1 or node.generators[0].ifs:
        f.refuse(node, "a dict that does not run over a whole type", remedy)
    with f.scope(), f.body.lazy():
        local, iterable = iteration(f, node.generators[0].target, node.generators[0].iter, declare=False)
        if expressions.value(f, node.key) != local:
            f.refuse(node.key, "the key of a dict comprehension must be the loop variable", remedy)
        key = _whole(iterable)
        if key is None or isinstance(expected, t.Map) and expected.key != key:
            f.refuse(node, "a dict that does not run over a whole type", remedy)
        body = expressions.as_value(
            f, node.value, expressions.meaning(f, node.value, expected.value if isinstance(expected, t.Map) else None)
        )
    return e.MapOf(kinds.as_kind(t.Map(key, body.type), Kind.DICT), e.Local(key, local.name), body)


def _whole(iterable: e.Expression) -> t.Type | None:
    match iterable:
        case e.Domain(t.Set(item)):
            return item
        case e.Range(_, e.Const(_, start), e.Const(_, stop)) if start < stop:
            return t.Int(start, stop - 1)
        case _:
            return None


@lowering.expression(ast.Dict)
def dictionary(f: Frame, node: ast.Dict, expected: t.Type | None) -> e.Expression:
    """A dict display: it must give every key of the map's type, as constants."""
    remedy = "A map has a value at every key: {q: ... for q in self.Process}."
    if any(k is None for k in node.keys) or not node.keys:
        f.refuse(node, "this dict is no total map", remedy)
    keys = [expressions.value(f, k) for k in node.keys if k is not None]
    type = expected.key if isinstance(expected, t.Map) else keys[0].type
    keys = [coerce(f, node, k, type) for k in keys]
    places = {k.value for k in keys if isinstance(k, e.Const)}
    if len(places) != lattice.count(t.Set(type)) or len(places) != len(node.values):
        f.refuse(node, "this dict does not give every key once", remedy)
    hint = expected.value if isinstance(expected, t.Map) else None
    items = [expressions.as_value(f, v, expressions.meaning(f, v, hint)) for v in node.values]
    items = list(sequence(f, node, items, Kind.LIST).items)  # type: ignore[attr-defined]
    local = f.nameless(node, "key", type)
    body = items[-1]
    for key, item in zip(keys[-2::-1], items[-2::-1]):
        body = e.IfElse(item.type, build.compare("==", local, key), item, body)
    return e.MapOf(kinds.as_kind(t.Map(type, body.type), Kind.DICT), local, body)
