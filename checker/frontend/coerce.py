"""Making a value fit a type: Some, Unwrap, Narrow, tuples as records, empty collections; and several values one type.

Coercion is pushed into displays and conditional expressions, so that most values are built with the right type at once;
Narrow is the fallback, which checks bounds when the model runs.
"""

from __future__ import annotations

import ast
from functools import partial

import attrs

from checker.frontend import kinds, lattice, operations, remedies
from checker.frontend.kinds import Kind
from checker.frontend.scope import Frame, Incomplete, settled
from checker.frontend.source import line_of
from checker.ir import build
from checker.ir import expressions as e
from checker.ir import statements as s
from checker.ir import types as t
from checker.ir.common import like
from checker.ir.domain import size


def coerce(f: Frame, node: ast.AST, value: e.Expression, target: t.Type) -> e.Expression:
    """The value as `target`; raises Refused if the types are unlike."""
    if value.type == target:
        return value
    if Kind.RANGE in kinds.of(value.type) and Kind.RANGE not in kinds.of(target):
        f.refuse(node, "a range is no list", "Write list(...) around the range.")
    if kinds.plain(value.type) == kinds.plain(target):
        return attrs.evolve(value, type=target)
    if isinstance(target, lattice.Nothing) or isinstance(value.type, lattice.Nothing):
        raise Incomplete
    if isinstance(target, t.Optional):
        return _optional(f, node, value, target)
    if isinstance(value.type, t.Optional):
        if isinstance(value, e.NoneValue):
            f.refuse(node, f"None is no value of {target}", f"Declare Optional[{target}] to allow None.")
        return coerce(f, node, e.Unwrap(value.type.item, value, line_of(node)), target)
    pushed = _push(f, node, value, target)
    if pushed is not None:
        return pushed
    if not _alike(value.type, target):
        f.refuse(node, f"{value.type} does not fit {target}", remedies.to_fit(value.type, target, node))
    if lattice.unknown(value.type):
        if not isinstance(target, t.Set | t.Seq):
            raise Incomplete
        return build.empty(target)
    return e.Narrow(target, value, line_of(node)) if like(value.type, target) else _rebuilt(f, node, value, target)


def _rebuilt(f: Frame, node: ast.AST, value: e.Expression, target: t.Type) -> e.Expression:
    """A collection whose items become Optional: item by item."""
    new = partial(f.nameless, node, f"rebuilt {target!r}", base="item")
    match value.type, target:
        case t.Set(item), t.Set(wanted):
            local = new(item)
            return e.SetOf(target, (e.Generator(local, value),), coerce(f, node, local, wanted))
        case t.Seq(item, _, _), t.Seq(wanted, _, _):
            local = new(item)
            return e.SeqOf(target, (e.Generator(local, value),), coerce(f, node, local, wanted), line_of(node))
        case t.Map(key, item), t.Map(_, wanted):
            local = new(key)
            return e.MapOf(target, local, coerce(f, node, build.index(value, local, line_of(node)), wanted))
        case t.Record(), t.Record(_, others):
            return e.MakeRecord(target, tuple(coerce(f, node, p, o) for p, (_, o) in zip(build.parts(value), others)))
        case _:
            f.refuse(node, f"{value.type} does not fit {target}", "Build the value anew.")


def _optional(f: Frame, node: ast.AST, value: e.Expression, target: t.Optional) -> e.Expression:
    match value:
        case e.NoneValue():
            return e.NoneValue(target)
        case e.Some(_, inner):
            return e.Some(target, coerce(f, node, inner, target.item))
        case e.IfElse(_, condition, then, other):
            return e.IfElse(target, condition, coerce(f, node, then, target), coerce(f, node, other, target))
    if isinstance(value.type, t.Optional):
        if not _alike(value.type.item, target.item):
            f.refuse(node, f"{value.type} does not fit {target}", "Assign a value of the declared type.")
        if like(value.type, target):
            return e.Narrow(target, value, line_of(node))
        inner = coerce(f, node, e.Unwrap(value.type.item, value, line_of(node)), target.item)
        return e.IfElse(target, build.is_none(value), e.NoneValue(target), e.Some(target, inner))
    return e.Some(target, coerce(f, node, value, target.item))


def _push(f: Frame, node: ast.AST, value: e.Expression, target: t.Type) -> e.Expression | None:
    match value, target:
        case e.IfElse(_, condition, then, other), _:
            return e.IfElse(target, condition, coerce(f, node, then, target), coerce(f, node, other, target))
        case e.After(_, earlier, inner), _:
            return e.After(target, earlier, coerce(f, node, inner, target))
        case e.Const(t.Int(), v), t.Int(lo, hi) if lo <= v <= hi:
            return e.Const(target, v)
        case e.MakeSet(_, items), t.Set(item):
            return e.MakeSet(target, tuple(coerce(f, node, i, item) for i in items))
        case e.MakeSeq(_, items), t.Seq(item, capacity, _) if len(items) <= capacity:
            return e.MakeSeq(target, tuple(coerce(f, node, i, item) for i in items))
        case e.SetOf(_, generators, body), t.Set(item) if lattice.contains(item, body.type):
            return e.SetOf(target, generators, coerce(f, node, body, item))
        case e.SeqOf(_, generators, body, at), t.Seq(item, _, _) if lattice.contains(item, body.type):
            return e.SeqOf(target, generators, coerce(f, node, body, item), at)
        case e.MapOf(_, local, body), t.Map(key, item) if local.type == key:
            return e.MapOf(target, local, coerce(f, node, body, item))
        case e.Narrow(_, inner, at), _ if lattice.contains(value.type, inner.type) and not lattice.unknown(inner.type):
            # this Narrow only widens the type, as for the common type of a conditional expression: it cannot fail
            fits = like(inner.type, target) and inner.type != target
            return e.Narrow(target, inner, at) if fits else coerce(f, node, inner, target)
        case _:
            return _record(f, node, value, target)


def _record(f: Frame, node: ast.AST, value: e.Expression, target: t.Type) -> e.Expression | None:
    source = value.type
    if not isinstance(target, t.Record) or not isinstance(source, t.Record) or len(source.fields) != len(target.fields):
        return None
    tuples = lattice.is_tuple(source) or lattice.is_tuple(target)
    if not tuples if source.name != target.name else not isinstance(value, e.MakeRecord):
        return None
    made = (coerce(f, node, p, type) for p, (_, type) in zip(build.parts(value), target.fields))
    return e.MakeRecord(target, tuple(made))


def _alike(a: t.Type, b: t.Type) -> bool:
    if isinstance(a, t.Bool) != isinstance(b, t.Bool):
        return False
    return lattice.join(a, b) is not None


def integer(f: Frame, node: ast.AST, value: e.Expression) -> e.Expression:
    """The value as a number: bools count 0 and 1, an Optional must hold one."""
    if isinstance(value.type, t.Optional) and isinstance(value.type.item, t.Int):
        return e.Unwrap(value.type.item, value, line_of(node))
    if isinstance(value.type, t.Bool):
        number = t.Int(0, 1)
        if isinstance(value, e.Const):
            return build.integer(value.value)
        return e.IfElse(number, value, e.Const(number, 1), e.Const(number, 0))
    settled(value.type)
    if not isinstance(value.type, t.Int):
        remedy = "Arithmetic is on integers."
        if isinstance(value.type, t.Ids):
            remedy = "Use its .index for a number; a loop over a map runs over its keys, m[k] is the value."
        f.refuse(node, f"{value.type} is no number", remedy)
    return value


def present(value: e.Expression, line: int) -> e.Expression:
    """The item of an Optional that must have one here; any other value unchanged."""
    return e.Unwrap(value.type.item, value, line) if isinstance(value.type, t.Optional) else value


def condition(f: Frame, node: ast.AST, value: e.Expression) -> e.Expression:
    """The value as a condition: a Bool; for a collection, whether it has items."""
    match value.type:
        case t.Bool():
            return value
        case t.Set() | t.Seq() | t.Bag():
            operations.require(f, node, "if c", value.type)
            return build.compare(">", length(value), build.integer(0))
        case lattice.Nothing():
            raise Incomplete
        case t.Int():
            f.refuse(node, "a number is used as a condition", "Write a comparison, such as x != 0.")
        case t.Optional():
            f.refuse(node, "an Optional is used as a condition", "Write x is not None.")
        case type:
            remedy = "Write a comparison."
            if isinstance(node, ast.expr):
                remedy = remedies.as_condition(node, f.source.parents.get(node))
            f.refuse(node, f"{type} is used as a condition", remedy)


def length(value: e.Expression) -> e.Expression:
    """len of a collection."""
    value = build.without_copy(value)
    if isinstance(value, e.Domain):
        return build.integer(lattice.count(value.type))
    if isinstance(value, e.MakeSeq):
        return build.after(value.items, build.integer(len(value.items)))
    return e.Length(t.Int(0, lattice.count(value.type)), value)


def fits(value: e.Expression, target: t.Type) -> e.Expression:
    """Whether a value of a like type is a value of `target`: false where membership would be out of range."""
    source = value.type
    match source, target:
        case t.Int(), t.Int():
            low = [] if target.lo <= source.lo else [build.compare(">=", value, build.integer(target.lo))]
            high = [] if source.hi <= target.hi else [build.compare("<=", value, build.integer(target.hi))]
            return build.conjunction([*low, *high])
        case t.Optional(item), t.Optional(other):
            if lattice.contains(other, item):
                return build.TRUE
            return build.disjunction([build.is_none(value), fits(e.Unwrap(item, value), other)])
        case t.Optional(item), _:
            return build.conjunction([build.is_some(value), fits(e.Unwrap(item, value), target)])
        case _, t.Optional(other):
            return fits(value, other)
        case t.Record(), t.Record(_, others):
            return build.conjunction(fits(p, type) for p, (_, type) in zip(build.parts(value), others))
        case (t.Set() | t.Seq(), t.Set() | t.Seq()) if not lattice.contains(target, source) and not lattice.unknown(
            source
        ):
            return _all_fit(value, target)
        case t.Map(key, item), t.Map(_, other) if not lattice.contains(target, source):
            local = e.Local(key, f"fitting key {key!r}")
            return e.Quantifier(
                build.BOOL, "all", (e.Generator(local, build.everything(key)),), fits(build.index(value, local), other)
            )
        case _:
            return build.TRUE


def _all_fit(value: e.Expression, target: t.Type) -> e.Expression:
    """Whether all items of a set or sequence fit those of another type, and its capacity suffices."""
    assert isinstance(value.type, t.Set | t.Seq) and isinstance(target, t.Set | t.Seq)
    local = e.Local(value.type.item, f"fitting {value.type.item!r}")
    room = [build.compare("<=", length(value), build.integer(target.capacity))] if isinstance(target, t.Seq) else []
    return build.conjunction(
        [*room, e.Quantifier(build.BOOL, "all", (e.Generator(local, value),), fits(local, target.item))]
    )


def temporary(f: Frame, node: ast.AST, value: e.Expression, base: str = "t") -> e.Local:
    """A fresh local with a value that is computed now.  Raises Incomplete if no value of its type is known."""
    settled(value.type)
    local = f.bind_item(node, base, value.type)
    f.emit(s.Assign(line_of(node), local, coerce(f, node, value, local.type)))
    return local


# The common type of several values


def sequence(f: Frame, node: ast.AST, items: list[e.Expression], kind: Kind) -> e.Expression:
    """The list or tuple of these values."""
    type = items_type(f, node, items, lattice.NOTHING)
    made = kinds.as_kind(t.Seq(type, len(items)), kind)
    return e.MakeSeq(made, () if isinstance(type, lattice.Nothing) else tuple(coerce(f, node, i, type) for i in items))


def items_type(f: Frame, node: ast.AST, items: list[e.Expression], item: t.Type) -> t.Type:
    """The least type of a first type and those of all items; raises Refused if they are unlike."""
    for i in items:
        joined = lattice.join(item, i.type)
        if joined is None:
            f.refuse(node, f"{item} and {i.type} in one collection", "All items are of one type.")
        item = joined
    return item


def set_type(f: Frame, node: ast.AST, item: t.Type, *of: Kind) -> t.Set:
    """The type of a set of these kinds with these items; raises Refused if they cannot be members."""
    count = size(item)
    if count is None or count > 1 << 16:
        remedy = "Use a list, or bound the members by a declared type Int(lo, hi)."
        f.refuse(node, f"a set of {item}: too many possible members", remedy)
    made = kinds.as_kind(t.Set(item), *of)
    assert isinstance(made, t.Set)
    return made
