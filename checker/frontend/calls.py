"""Calls: Python builtins, constructors of records and variants, operations of collections, rules and helpers.

Calls that change something are statements (`checker.frontend.changes`); the two with a result, `choose(...)` and
`.pop()`, are moved before theirs (`checker.frontend.moved`).
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from checker.frontend import (
    aggregates,
    build,
    changes,
    comparisons,
    comprehensions,
    displays,
    expressions,
    functions,
    kinds,
    lattice,
    moved,
    networks,
    remedies,
)
from checker.frontend import meaning as m
from checker.frontend.aliases import part
from checker.frontend.coerce import coerce, condition, fits, integer, length
from checker.frontend.kinds import Kind
from checker.frontend.scope import Frame, Incomplete
from checker.frontend.source import line_of
from checker.ir import expressions as e
from checker.ir import types as t
from checker.language.domains import RecordDomain

Result = e.Expression | m.Meaning

INSTEAD = {
    "union": "Write a | b.",
    "intersection": "Write a & b.",
    "difference": "Write a - b.",
    "symmetric_difference": "Write a ^ b.",
    "issubset": "Write a <= b.",
    "issuperset": "Write a >= b.",
    "isdisjoint": "Write not a & b.",
    "copy": "Write set(...) or list(...).",
    "keys": "Iterate over the key type.",
    "values": "Write x[k] for k in the key type.",
    "items": "Write x[k] for k in the key type.",
    "get": "A map has a value at every key: write x[k].",
    "popleft": "Write .pop(0).",
    "appendleft": "Write .insert(0, x).",
    "extend": "Write +=.",
    "size": "Write len(...).",
    "empty": "Write len(...) == 0.",
    "contains": "Write `in`.",
    "put": "Write .append(x).",
    "push": "Write .append(x).",
}


def call(f: Frame, node: ast.Call, expected: t.Type | None = None) -> Result:
    """A call inside an expression."""
    if any(isinstance(a, ast.Starred) for a in node.args) or any(k.arg is None for k in node.keywords):
        f.refuse(node, "* and ** in a call", "Give each argument.")
    callee = expressions.meaning(f, node.func)
    match callee:
        case m.Builtin(name):
            return _builtin(f, node, name, expected)
        case m.TypeName(RecordDomain(), t.Record() as record):
            return _made(f, node, record, lambda fields: e.MakeRecord(record, fields))
        case m.VariantName(union, variant):
            return _made(f, node, callee.record, lambda fields: e.MakeVariant(union, variant, fields))
        case m.TypeName():
            member = isinstance(callee.type, t.Ids | t.Enum)
            remedy = (
                f"Write {ast.unparse(node.func)}[...] for a member."
                if member
                else ("Only records and variants are constructed.")
            )
            f.refuse(node, f"{lattice.describe(callee.type)} cannot be called", remedy)
        case m.Method():
            return functions.call(f, node, callee)
        case m.Bound():
            return _operation(f, node, callee, expected)
        case m.NetBound():
            return networks.expression(f, node, callee)
        case m.BetweenCount(between):
            return networks.copies(f, node, between, expressions.value(f, argument(f, node)))
        case m.Emit():
            f.refuse(node, "an event has no value", "Write it as a statement of its own.")
        case _:
            f.refuse(
                node,
                f"{ast.unparse(node.func)} cannot be called",
                "Rules, helpers, types of records, variants and Python's own functions can.",
            )


def _made(
    f: Frame, node: ast.Call, record: t.Record, make: Callable[[tuple[e.Expression, ...]], e.Expression]
) -> e.Expression:
    """A record of the values that its fields are given, which are evaluated in the order of the call."""
    values = _fields(f, node, record)
    names = [n for n, _ in record.fields]
    made = make(tuple(values[n] for n in names))
    return made if list(values) == names else build.after(values.values(), made)


def _fields(f: Frame, node: ast.Call, record: t.Record) -> dict[str, e.Expression]:
    given: dict[str, ast.expr] = {}
    names = [n for n, _ in record.fields]
    if len(node.args) > len(names):
        f.refuse(
            node,
            f"{record.name} has {len(names)} field{'s' * (len(names) != 1)}, {len(node.args)} are given",
            f"Its fields are: {', '.join(names) or 'none'}.",
        )
    given.update(zip(names, node.args))
    for keyword in node.keywords:
        if keyword.arg not in names or keyword.arg in given:
            f.refuse(
                node,
                f"{record.name} has no field {keyword.arg} to give here",
                f"Its fields are: {', '.join(names) or 'none'}.",
            )
        given[keyword.arg] = keyword.value
    missing = [n for n in names if n not in given]
    if missing:
        f.refuse(node, f"{record.name} needs a value for {', '.join(missing)}", f"Its fields are: {', '.join(names)}.")
    types = dict(record.fields)
    return {n: expressions.value(f, argument, types[n]) for n, argument in given.items()}  # in the order of the call


# Builtins


def _builtin(f: Frame, node: ast.Call, name: str, expected: t.Type | None) -> Result:
    known: dict[str, Callable[[], Result]] = {
        "len": lambda: _len(f, node),
        "any": lambda: aggregates.quantifier(f, node, "any"),
        "all": lambda: aggregates.quantifier(f, node, "all"),
        "sum": lambda: aggregates.total(f, node),
        "min": lambda: aggregates.extreme(f, node, "min"),
        "max": lambda: aggregates.extreme(f, node, "max"),
        "sorted": lambda: aggregates.in_order(f, node),
        "list": lambda: _list(f, node, Kind.LIST),
        "tuple": lambda: _list(f, node, Kind.TUPLE),
        "set": lambda: as_set(f, node, Kind.MADE, expected),
        "frozenset": lambda: as_set(f, node, Kind.FROZEN, expected),
        "range": lambda: _range(f, node),
        "enumerate": lambda: _enumerate(f, node),
        "zip": lambda: m.Enumerated("zip", tuple(as_sequence(f, a, "zip(c)") for a in arguments(f, node, 1, 9))),
        "reversed": lambda: m.Enumerated("reversed", (as_sequence(f, argument(f, node), "reversed(c)"),)),
        "abs": lambda: _abs(f, node),
        "int": lambda: integer(f, node, expressions.value(f, argument(f, node))),
        "bool": lambda: condition(f, node, expressions.value(f, argument(f, node))),
        "isinstance": lambda: _isinstance(f, node),
        "choose": lambda: moved.choose(f, node, argument(f, node)),
        "super": lambda: m.Super(),
    }
    if name == "require":
        f.refuse(node, "require(...) has no value", "Write it as a statement of its own.")
    if name not in known:
        remedy = (
            ("Write a comprehension over the key type: {k: ... for k in self.T}.")
            if name == "dict"
            else "Section 9 of docs/language.md lists the functions that methods may use."
        )
        f.refuse(node, f"{name}(...) is not in the language", remedy)
    return known[name]()


def arguments(f: Frame, node: ast.Call, least: int, most: int, keywords: tuple[str, ...] = ()) -> list[ast.expr]:
    """The positional arguments, if they are as many as there should be."""
    name = node.func.attr if isinstance(node.func, ast.Attribute) else ast.unparse(node.func)
    wrong = [k.arg for k in node.keywords if k.arg not in keywords]
    if wrong:
        f.refuse(
            node,
            f"{ast.unparse(node.func)} takes no {wrong[0]}=",
            f"Leave out {wrong[0]}=." if name != "sum" else "Write n + sum(...).",
        )
    if not least <= len(node.args) <= most:
        number = str(least) if least == most else f"{least} to {most}"
        f.refuse(
            node,
            f"{ast.unparse(node.func)} takes {number} argument{'s' * (number != '1')}, not {len(node.args)}",
            remedies.use(node),
        )
    return node.args


def argument(f: Frame, node: ast.Call) -> ast.expr:
    """The one argument."""
    return arguments(f, node, 1, 1)[0]


def _len(f: Frame, node: ast.Call) -> e.Expression:
    given = argument(f, node)
    if isinstance(given, ast.ListComp):
        return aggregates.count_of(f, given)
    thing = expressions.meaning(f, given)
    match thing:
        case m.TypeName(domain, _):
            return build.integer(len(domain))
        case m.Literal(value):
            return build.integer(len(value))
        case m.Net():
            return networks.in_flight(f, thing)
        case m.Between():
            return networks.number(f, node, thing)
        case e.Range(_, start, stop):
            return expressions.arithmetic_max(f, node, expressions.arithmetic(f, node, "-", stop, start))
        case _:
            value = expressions.as_value(f, given, thing)
    match value.type:
        case t.Set() | t.Seq() | t.Bag():
            return length(value)
        case t.Map(key, _):
            return build.after([value], build.integer(lattice.count(t.Set(key))))
        case t.Record(_, fields):
            return build.after([value], build.integer(len(fields)))
        case lattice.Nothing():
            raise Incomplete
        case type:
            f.refuse(node, f"{lattice.describe(type)} has no length", "Collections and types have one.")


def _list(f: Frame, node: ast.Call, kind: Kind) -> e.Expression:
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
        kinds.require(f, node, operation, kinds.as_kind(t.Set(lattice.NOTHING), Kind.TYPE))
    elif isinstance(source, m.Between):
        kinds.require(f, node, operation, t.Bag(lattice.NOTHING, 0))
    elif isinstance(source, e.Expression):
        kinds.require(f, node, operation, source.type)
    if isinstance(source, m.Enumerated) and operation == "reversed(c)":
        f.refuse(node, f"{source.kind}(...) has no end to begin at", f"Write reversed(list({ast.unparse(node)})).")
    if isinstance(source, m.Enumerated | m.Stepped):
        local, iterable, body = _of_places(f, node)
        return e.SeqOf(
            t.Seq(body.type, lattice.count(iterable.type)), (e.Generator(local, iterable),), body, line_of(node)
        )
    items = comprehensions.as_iterable(f, node, source)
    if isinstance(items, e.Range):
        item = items.type.item if isinstance(items.type, t.Seq) else lattice.NOTHING
        local = e.Local(item, f.body.unique(f.key(node, "range"), "i"))
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
    local = e.Local(bag.type.item, f.body.unique(f.key(node, "distinct"), "item"))
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
    """What is walked as a set of its own; given: its text."""
    kinds.require(f, node, "set(c)", items.type)
    if isinstance(items.type, t.Set):
        return build.copy(items, kinds.as_kind(items.type, kind))
    assert isinstance(items.type, t.Seq | t.Bag)
    if isinstance(items.type.item, lattice.Nothing):
        return build.after(
            [items], e.MakeSet(kinds.as_kind(t.Set(lattice.NOTHING), kind), comprehensions.certainly_empty(f))
        )
    local = e.Local(items.type.item, f.body.unique(f.key(node, "item"), "item"))
    f.body.own(local.name, part(f.body.owners_of(items)))
    kinds.require_hashable(f, given, local)
    type = displays.set_type(f, node, items.type.item, kind)
    return (
        e.MakeSet(type, items.items)
        if isinstance(items, e.MakeSeq)
        else e.SetOf(type, (e.Generator(local, items),), local)
    )


def _range(f: Frame, node: ast.Call) -> Result:
    given = arguments(f, node, 1, 3)
    if len(given) == 3:
        step = expressions.value(f, given[2])
        if not isinstance(step, e.Const) or step.value == 0:
            f.refuse(
                node, "the step of a range must be a constant other than 0", "Count up by one, and compute from it."
            )
        if step.value != 1:
            start, stop = (integer(f, a, expressions.value(f, a)) for a in given[:2])
            return m.Stepped(start, stop, step.value)
    bounds = [integer(f, a, expressions.value(f, a)) for a in given[:2]]
    start, stop = bounds if len(bounds) == 2 else [build.integer(0), bounds[0]]
    assert isinstance(start.type, t.Int) and isinstance(stop.type, t.Int)
    lo, hi = start.type.lo, max(stop.type.hi - 1, start.type.lo)
    most = max(0, stop.type.hi - start.type.lo)
    return e.Range(kinds.as_kind(t.Seq(t.Int(lo, hi), min(most, lattice.WIDE.hi)), Kind.RANGE), start, stop)


def _enumerate(f: Frame, node: ast.Call) -> m.Enumerated:
    given = arguments(f, node, 1, 2, ("start",))
    start_node = given[1] if len(given) == 2 else node.keywords[0].value if node.keywords else None
    start = build.integer(0) if start_node is None else expressions.value(f, start_node)
    if not isinstance(start, e.Const):
        f.refuse(node, "enumerate starts at a constant", "Add to the index in the body.")
    return m.Enumerated("enumerate", (as_sequence(f, given[0], "enumerate(c)"),), start.value)


def _abs(f: Frame, node: ast.Call) -> e.Expression:
    number = integer(f, node, expressions.value(f, argument(f, node)))
    return expressions.arithmetic(
        f, node, "max", number, expressions.arithmetic(f, node, "-", build.integer(0), number)
    )


def _isinstance(f: Frame, node: ast.Call) -> e.Expression:
    thing, kinds = arguments(f, node, 2, 2)
    value = expressions.value(f, thing)
    options = kinds.elts if isinstance(kinds, ast.Tuple) else [kinds]
    return build.disjunction(is_variant(f, option, value) for option in options)


def is_variant(f: Frame, node: ast.expr, value: e.Expression) -> e.Expression:
    """Whether a union's value holds the variant that a node names."""
    kind = expressions.meaning(f, node)
    if isinstance(value.type, lattice.Nothing):
        raise Incomplete
    inner = value.type.item if isinstance(value.type, t.Optional) else value.type
    if not isinstance(kind, m.VariantName) or kind.union != inner:
        f.refuse(
            node,
            f"{ast.unparse(node)} is no variant of {lattice.describe(value.type)}",
            "isinstance tests the variants of a union.",
        )
    if isinstance(value.type, t.Optional):
        there = build.negate(e.IsNone(build.BOOL, value))
        return build.conjunction([there, e.IsVariant(build.BOOL, e.Unwrap(inner, value, line_of(node)), kind.variant)])
    return e.IsVariant(build.BOOL, value, kind.variant)


# Operations of collections


def copies(f: Frame, node: ast.AST, container: e.Expression, item: e.Expression) -> e.Expression:
    """How often an item occurs; never, if the container cannot hold it."""
    if comparisons.contains(f, node, item, container) == build.FALSE:
        return build.integer(0)
    assert isinstance(container.type, t.Seq | t.Bag)
    number = t.Int(0, lattice.count(container.type))
    counted = e.Count(number, container, coerce(f, node, item, container.type.item))
    guard = fits(item, container.type.item)
    return (
        counted
        if guard == build.TRUE
        else build.after([container, item], e.IfElse(number, guard, counted, e.Const(number, 0)))
    )


def _operation(f: Frame, node: ast.Call, bound: m.Bound, expected: t.Type | None) -> Result:
    value, name = bound.value, bound.name
    if name in ("index", "count") and isinstance(value.type, t.Seq | t.Bag):
        kinds.require(f, node, f"c.{name}(v)", value.type)
    match value.type, name:
        case t.Seq(), "pop":
            moved.move(f, node, ".pop(...)", value)
            return changes.pop(f, node, bound)
        case t.Seq() | t.Bag(), "count":
            return copies(f, node, value, expressions.value(f, argument(f, node)))
        case t.Seq(), "index":
            return aggregates.first_place(f, node, value, expressions.value(f, argument(f, node)))
    if name in changes.NAMES:
        f.refuse(node, f".{name}(...) changes a collection and has no value", "Write it as a statement of its own.")
    usual = (
        "Use the operators | & - ^ <= and `in`."
        if isinstance(value.type, t.Set)
        else ("The language lists what each collection has.")
    )
    f.refuse(node, f"{lattice.describe(value.type)} has no .{name}(...)", INSTEAD.get(name, usual))


__all__ = ["arguments", "as_sequence", "call", "coerce", "is_variant"]
