"""Calls: Python builtins, constructors of records and variants, operations of collections, rules and helpers.

Calls that change something are statements (`checker.frontend.changes`); the two with a result, `choose(...)` and
`.pop()`, are moved before theirs (`checker.frontend.moved`).
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from checker.frontend import (
    aggregates,
    changes,
    comparisons,
    conversions,
    expressions,
    functions,
    kinds,
    lattice,
    lowering,
    messages,
    moved,
    networks,
    operations,
    remedies,
)
from checker.frontend import meaning as m
from checker.frontend.arguments import argument, arguments, bound
from checker.frontend.coerce import coerce, condition, fits, integer, length
from checker.frontend.conversions import as_sequence
from checker.frontend.kinds import Kind
from checker.frontend.scope import Frame, Incomplete
from checker.ir import build
from checker.ir import expressions as e
from checker.ir import types as t
from checker.language.domains import RecordDomain


@lowering.expression(ast.Call)
def call(f: Frame, node: ast.Call, expected: t.Type | None = None) -> m.Result:
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
            remedy = "Only records and variants are constructed."
            if member:
                remedy = f"Write {ast.unparse(node.func)}[...] for a member."
            f.refuse(node, f"{callee.type} cannot be called", remedy)
        case m.Method():
            return functions.call(f, node, callee)
        case m.Bound():
            return _operation(f, node, callee, expected)
        case m.NetBound():
            return networks.expression(f, node, callee)
        case m.BetweenCount(between):
            return messages.copies(f, node, between, expressions.value(f, argument(f, node)))
        case m.Emit():
            f.refuse(node, "an event has no value", "Write it as a statement of its own.")
        case _:
            remedy = "Rules, helpers, types of records, variants and Python's own functions can."
            f.refuse(node, f"{ast.unparse(node.func)} cannot be called", remedy)


def _made(
    f: Frame, node: ast.Call, record: t.Record, make: Callable[[tuple[e.Expression, ...]], e.Expression]
) -> e.Expression:
    """A record of the values of its fields, which are evaluated in the order of the call."""
    values = _fields(f, node, record)
    names = [n for n, _ in record.fields]
    made = make(tuple(values[n] for n in names))
    return made if list(values) == names else build.after(values.values(), made)


def _fields(f: Frame, node: ast.Call, record: t.Record) -> dict[str, e.Expression]:
    types = dict(record.fields)
    too_many = f"{record.name} has {len(types)} field{'s' * (len(types) != 1)}, {len(node.args)} are given"
    remedy = f"Its fields are: {', '.join(types) or 'none'}."
    given = bound(f, node, list(types), record.name, "field", too_many, remedy)
    return {n: expressions.value(f, argument, types[n]) for n, argument in given.items()}


# Builtins


def _builtin(f: Frame, node: ast.Call, name: str, expected: t.Type | None) -> m.Result:
    known: dict[str, Callable[[], m.Result]] = {
        "len": lambda: _len(f, node),
        "any": lambda: aggregates.quantifier(f, node, "any"),
        "all": lambda: aggregates.quantifier(f, node, "all"),
        "sum": lambda: aggregates.total(f, node),
        "min": lambda: aggregates.extreme(f, node, "min"),
        "max": lambda: aggregates.extreme(f, node, "max"),
        "sorted": lambda: aggregates.in_order(f, node),
        "list": lambda: conversions.as_list(f, node, Kind.LIST),
        "tuple": lambda: conversions.as_list(f, node, Kind.TUPLE),
        "set": lambda: conversions.as_set(f, node, Kind.MADE, expected),
        "frozenset": lambda: conversions.as_set(f, node, Kind.FROZEN, expected),
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
        remedy = "Section 9 of docs/language.md lists the functions that methods may use."
        if name == "dict":
            remedy = "Write a comprehension over the key type: {k: ... for k in self.T}."
        f.refuse(node, f"{name}(...) is not in the language", remedy)
    return known[name]()


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
            return messages.in_flight(f, thing)
        case m.Between():
            return messages.number(f, node, thing)
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
            f.refuse(node, f"{type} has no length", "Collections and types have one.")


def _range(f: Frame, node: ast.Call) -> m.Result:
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
    return build.disjunction(comparisons.is_variant(f, option, value) for option in options)


# Operations of collections


def copies(f: Frame, node: ast.AST, container: e.Expression, item: e.Expression) -> e.Expression:
    """How often an item occurs; 0 if the container cannot hold it."""
    if comparisons.contains(f, node, item, container) == build.FALSE:
        return build.integer(0)
    assert isinstance(container.type, t.Seq | t.Bag)
    number = t.Int(0, lattice.count(container.type))
    counted = e.Count(number, container, coerce(f, node, item, container.type.item))
    guard = fits(item, container.type.item)
    if guard == build.TRUE:
        return counted
    return build.after([container, item], e.IfElse(number, guard, counted, e.Const(number, 0)))


def _operation(f: Frame, node: ast.Call, bound: m.Bound, expected: t.Type | None) -> m.Result:
    value, name = bound.value, bound.name
    if name in ("index", "count") and isinstance(value.type, t.Seq | t.Bag):
        operations.require(f, node, f"c.{name}(v)", value.type)
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
    usual = "The language lists what each collection has."
    if isinstance(value.type, t.Set):
        usual = "Use the operators | & - ^ <= and `in`."
    f.refuse(node, f"{value.type} has no .{name}(...)", remedies.INSTEAD.get(name, usual))
