"""Assignments: to state, to locals, through tuples, and in place.

A local that is assigned a container of the state, or another local container, is an alias of it (as in Python);
otherwise it is a variable of its own.
"""

from __future__ import annotations

import ast

import attrs

from checker.frontend import changes, comprehensions, expressions, kinds, lattice, lowering, operations
from checker.frontend import meaning as m
from checker.frontend.bindings import Alias, Known, Stored
from checker.frontend.captures import capture, loaded, stable
from checker.frontend.coerce import coerce, temporary
from checker.frontend.kinds import Kind
from checker.frontend.places import entries_only, in_state, keys
from checker.frontend.scope import Ended, Frame, Incomplete, settled
from checker.frontend.source import line_of
from checker.ir import expressions as e
from checker.ir import statements as s
from checker.ir import types as t
from checker.ir.facts import may_fail
from checker.language.model import Var


@lowering.statement(ast.Assign, ast.AugAssign, ast.AnnAssign)
def assign(f: Frame, node: ast.Assign | ast.AugAssign | ast.AnnAssign) -> bool:
    """Lower any assignment; control continues after it."""
    match node:
        case ast.AugAssign():
            _in_place(f, node)
        case ast.AnnAssign(target=target, value=value):
            if value is None:
                f.refuse(node, "a declaration without a value", "Assign a value.")
            _to(f, target, value)
        case ast.Assign(targets=[target], value=value):
            _to(f, target, value)
        case ast.Assign():
            f.refuse(node, "a = b = ...", "Write two assignments.")
    return True


def _to(f: Frame, target: ast.expr, value: ast.expr) -> None:
    match target:
        case ast.Name():
            _name(f, target, expressions.meaning(f, value), value)
        case ast.Tuple() | ast.List():
            _unpack(f, target, value)
        case _:
            _to_place(f, target, value)


def _to_place(f: Frame, target: ast.expr, value: ast.expr) -> None:
    """Assign to a place; Python evaluates the value first, then the indices of the place."""
    with f.body.collect() as moved:
        place = _place_if_any(f, target)
    if place is not None and isinstance(place.type, lattice.Nothing):
        raise Incomplete
    expected = place.type if place is not None and in_state(place) else None
    assigned = expressions.as_value(f, value, expressions.meaning(f, value, expected))
    if moved and not stable(f.body, assigned):
        assigned = temporary(f, value, assigned, "assigned")
    f.body.out.extend(moved)
    if place is None:
        raise Ended
    _write(f, target, place, assigned, value)


def _place_if_any(f: Frame, target: ast.expr) -> e.Expression | None:
    try:
        return _place(f, target)
    except Ended:
        return None


def _write(f: Frame, target: ast.AST, place: e.Expression, value: e.Expression, node: ast.AST) -> None:
    if not in_state(place):
        place = changes.grow(f, target, place, value.type)
    fitted = coerce(f, node, value, place.type)
    # whether the value fits is checked after the keys
    if may_fail(fitted) and any(may_fail(key) for key in keys(place)):
        value = value if stable(f.body, value) else temporary(f, node, value, "fitted")
        place = capture(f, target, place)
        fitted = coerce(f, node, value, place.type)
    f.emit(s.Assign(line_of(node), place, fitted))
    f.body.invalidate(place)


def _place(f: Frame, target: ast.expr) -> e.Expression:
    """The place that an attribute or item target names."""
    if isinstance(target, ast.Attribute):
        base = expressions.meaning(f, target.value)
        if not isinstance(base, m.Self):
            remedy = "Records are immutable: build a new one and assign the whole."
            f.refuse(target, "a field of a value is assigned", remedy)
        _declared(f, target)
    place = expressions.meaning(f, loaded(target))
    if not isinstance(place, e.Expression) or isinstance(target, ast.Attribute) and not isinstance(place, e.Variable):
        f.refuse(
            target, f"{ast.unparse(target)} is not a variable", "Only variables declared with var(...) can be assigned."
        )
    if isinstance(place, e.Index) and Kind.DICT in kinds.of(place.base.type) and _may_not_fit(place.key):
        assert isinstance(place.base.type, t.Map)  # a dict made in the method is a total map
        remedy = (
            f"Its keys are those of {place.base.type.key}: test first, or give the dict all keys that there may be."
        )
        f.refuse(target, f"{ast.unparse(target)} may be a new key of the dict", remedy)
    if isinstance(place, e.Index) and isinstance(place.base.type, t.Seq):
        operations.require(f, target, "c[i] = v", place.base.type)
        changes.changeable(f, target, place.base)
        return place
    return changes.changeable(f, target, place)


def _may_not_fit(key: e.Expression) -> bool:
    """Whether a key that was coerced to the type of keys may not fit that type: coercion descends into conditional
    expressions and tuples.
    """
    match key:
        case e.Narrow() | e.Unwrap():
            return True
        case e.IfElse(_, _, then, other):
            return _may_not_fit(then) or _may_not_fit(other)
        case e.After(_, _, inner) | e.Some(_, inner):
            return _may_not_fit(inner)
        case e.MakeRecord(_, fields):
            return any(map(_may_not_fit, fields))
    return False


def _declared(f: Frame, target: ast.Attribute) -> None:
    """Raise Refused if the class has something else than a variable under the name of an attribute of self."""
    definition = f.program.definition
    if f.program.has(target.attr) or f.program.has(f"{f.owner}.{target.attr}"):
        return
    if target.attr in definition.constants:
        remedy = "Constants never change: declare what changes with var(Type, initial)."
        f.refuse(target, f"the constant {target.attr} is assigned", remedy)
    if target.attr in definition.types:
        remedy = f"A variable is declared with var: {target.attr} = var({definition.types[target.attr].ir}, initial)."
        f.refuse(target, f"the type {target.attr} is assigned", remedy)
    owner = next((c for c in definition.model.properties if c.__name__ == f.owner), definition.model)
    value = getattr(owner, target.attr, None)
    if isinstance(value, Var) and value.budget is not None:
        remedy = f"Let the action exist only there too: @action(budget={value.budget!r})."
        f.refuse(target, f"the variable {target.attr} exists only where {value.budget} is not 0", remedy)
    if value is not None and not callable(value):
        shown = f"{target.attr} = {value!r}"
        remedy = f"Write {target.attr} = var(Type, {value!r}) there."
        f.refuse(target, f"self.{target.attr} is no variable: the class says {shown}", remedy)


def _name(f: Frame, target: ast.Name, value: m.Result, node: ast.expr) -> None:
    if target.id == f.source.node.args.args[0].arg:
        f.refuse(target, f"{target.id} is assigned", "It is the model.")
    if (
        isinstance(value, m.TypeName | m.VariantName)
        or isinstance(value, m.Literal)
        and not isinstance(value.value, tuple)
    ):
        f.names[target.id] = Known(value)
        return
    result = expressions.as_value(f, node, value)
    if lattice.mutable(result.type) and entries_only(result):
        f.names[target.id] = Alias(capture(f, target, result))
        return
    local = f.variable(target.id)
    store(f, node, local, result)
    f.names[target.id] = Stored(local, lattice.mutable(result.type) and shared(result))


def shared(value: e.Expression) -> bool:
    """Whether a change of the value in Python may change a collection that has another name, or may fail for that
    reason: true unless this very expression makes the value.
    """
    match value:
        case e.IfElse(_, _, then, other):
            return shared(then) or shared(other)
        case e.Narrow(_, inner, _):
            return shared(inner)
        case e.After(_, (), _) | e.SeqOf():
            # the result of between(p, q) cannot be changed; other copies are lists
            return Kind.SEQ in kinds.of(value.type)
        case e.After(_, _, inner):
            return shared(inner)
        case e.SetOperation():
            return Kind.SET in kinds.of(value.type)  # the result of an operator on sets of the state cannot be changed
    return not isinstance(
        value, e.MakeSet | e.SetOf | e.MakeSeq | e.SeqOf | e.Concat | e.Slice | e.Sorted | e.MapOf | e.Domain
    )


def store(f: Frame, node: ast.AST, local: str, value: e.Expression) -> None:
    """Assign a local variable of the body; its type grows to hold the value."""
    type = value.type
    f.body.assigned.put(local, None)
    f.body.depths.put(local, min(f.body.depths.peek(local, len(f.body.loops)), len(f.body.loops)))
    if isinstance(type, t.Seq):
        f.body.bases.put(local, max(f.body.bases.peek(local, 0), type.capacity))
        extra = sum(f.body.appends.get(local, {}).values())
        type = attrs.evolve(type, capacity=min(max(type.capacity, lattice.CAPACITY), type.capacity + extra))
    old = f.body.types.peek(local, lattice.NOTHING)
    joined = f.body.grow(local, type)
    unlike = not isinstance(old, lattice.Nothing) and isinstance(old, t.Bool) != isinstance(type, t.Bool)
    if joined is None or unlike:
        f.refuse(node, f"{local.split('.')[0]} is given {type} here, {old} elsewhere", "Use another name.")
    changes.finite(f, node, joined)
    f.body.declared[local] = None
    if not lattice.contains(joined, value.type):
        f.limit(
            node,
            f"Keep {local.split('.')[0]} in a variable with a type of its own, Int(lo, hi) or Seq[T, n]; a local "
            f"number here has 32 bits, a list {lattice.CAPACITY} items.",
        )
    f.emit(s.Assign(line_of(node), f.body.local(local), coerce(f, node, value, joined)))
    f.body.invalidate(f.body.local(local))


def _unpack(f: Frame, target: ast.Tuple | ast.List, value: ast.expr) -> None:
    """a, b = x, y: everything on the right is evaluated first."""
    whole = expressions.value(f, value)
    parts = comprehensions.unpacked(f, target, whole)
    pieces = value.elts if isinstance(value, ast.Tuple) and len(value.elts) == len(target.elts) else target.elts
    others = [lattice.mutable(p.type) and (shared(p) or bool(f.body.owners_of(p).itself)) for p in parts]
    if not isinstance(whole, e.MakeRecord) and not stable(f.body, whole):
        local = temporary(f, value, whole, "parts")
        parts = comprehensions.unpacked(f, target, local)
    elif isinstance(whole, e.MakeRecord):
        parts = [p if stable(f.body, p) else temporary(f, piece, p, "part") for p, piece in zip(parts, pieces)]
    for piece, part, other in zip(target.elts, parts, others):
        _part(f, piece, part, value, other)


def _part(f: Frame, target: ast.expr, part: e.Expression, node: ast.expr, other: bool) -> None:
    """Assign a part of a value.  other: the part may have another name."""
    match target:
        case ast.Name():
            local = f.variable(target.id)
            store(f, node, local, part)
            f.names[target.id] = Stored(local, other)
        case ast.Tuple() | ast.List():
            for inner, item in zip(target.elts, comprehensions.unpacked(f, target, part)):
                _part(f, inner, item, node, other or lattice.mutable(item.type))
        case _:
            _write(f, target, _place(f, target), part, node)


def _in_place(f: Frame, node: ast.AugAssign) -> None:
    op = expressions.OPERATORS.get(type(node.op))
    if op is None:
        f.refuse(node, "this operator is not in the language", "There are + - * // % and for sets | & - ^.")
    if isinstance(node.target, ast.Name):
        current = expressions.value(f, ast.copy_location(ast.Name(node.target.id, ast.Load()), node.target))
        if not lattice.mutable(current.type):
            return _name(
                f, node.target, expressions.binary(f, node, op, current, expressions.value(f, node.value)), node.value
            )
        place = changes.changeable(f, node.target, current)
    else:
        place = _place(f, node.target)
        settled(place.type)
        if lattice.mutable(place.type):
            changes.changeable(f, node.target, place)
        place = capture(f, node.target, place)
    if isinstance(place.type, t.Set) and op in "|&-^":
        operations.require(f, node, "c |= d", place.type)
        other = expressions.value(f, node.value)
        if Kind.TYPE in kinds.of(other.type):
            remedy = "Write set(...) around the type for the set of its values."
            f.refuse(node.value, f"{ast.unparse(node)}: {ast.unparse(node.value)} is a type", remedy)
        return changes.combine(f, node, op, place, other)
    if isinstance(place.type, t.Seq) and op == "+":
        operations.require(f, node, "c += d", place.type)
        return changes.extend(f, node, place, expressions.value(f, node.value))
    # Python reads the target before the value
    current = temporary(f, node, place, "current") if may_fail(place) else place
    result = expressions.binary(f, node, op, current, expressions.value(f, node.value))
    _write(f, node.target, place, result, node)
