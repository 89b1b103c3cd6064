"""Changes of a collection: add, remove, append and the like, as statements.

The target is a place: a variable, a local collection, or a map entry of one.  A collection inside records, sets,
sequences and messages is a value, and never changes.
"""

from __future__ import annotations

import ast
from math import prod

from attrs import evolve

from checker.frontend import (
    aggregates,
    comprehensions,
    conversions,
    expressions,
    indexing,
    kinds,
    lattice,
    lowering,
    operations,
    remedies,
)
from checker.frontend import meaning as m
from checker.frontend.aliases import NOBODY, Replace
from checker.frontend.arguments import argument, arguments
from checker.frontend.bindings import Stored
from checker.frontend.captures import capture, stable
from checker.frontend.coerce import coerce, fits, integer, length, set_type, temporary
from checker.frontend.kinds import OPERATIONS, Kind
from checker.frontend.places import chain, in_state, keys
from checker.frontend.scope import Ended, Frame, Incomplete, settled
from checker.frontend.source import line_of
from checker.ir import build
from checker.ir import expressions as e
from checker.ir import statements as s
from checker.ir import types as t
from checker.ir.facts import may_fail

OPERATION = {
    "add": "c.add(v)",
    "remove": "c.remove(v)",
    "discard": "c.discard(v)",
    "clear": "c.clear()",
    "update": "c.update(d)",
    "append": "c.append(v)",
    "pop": "c.pop(i)",
    "insert": "c.insert(i, v)",
}
NAMES = [*OPERATION]
ABSENT = "no such item to remove"


@lowering.called(m.Bound)
def apply(f: Frame, node: ast.Call, bound: m.Bound) -> None:
    """A changing operation of a collection, as a statement."""
    if bound.name not in NAMES:
        remedy = remedies.INSTEAD.get(bound.name, "See the list of changes for each collection.")
        f.refuse(node, f".{bound.name}(...) changes nothing, or is not in the language", remedy)
    settled(bound.value.type)
    target = changeable(f, node, bound.value)
    if any(may_fail(key) for key in keys(target)):  # Python evaluates the keys of the target first
        target = capture(f, node, target)
    if OPERATIONS[OPERATION[bound.name]] & kinds.family(bound.value.type):
        operations.require(f, node, OPERATION[bound.name], bound.value.type)
    match bound.value.type:
        case t.Set() | t.Seq() | t.Bag() if bound.name == "clear":
            arguments(f, node, 0, 0)
            f.emit(Replace(line_of(node), target, build.empty(target.type)))
        case t.Set():
            _set(f, node, bound.name, target)
        case t.Seq():
            _sequence(f, node, bound.name, target)
        case t.Bag():
            _bag(f, node, bound.name, target)
        case type:
            f.refuse(node, f"{type} has no .{bound.name}", "Write x[k] = v.")


def changeable(f: Frame, node: ast.AST, place: e.Expression) -> e.Expression:
    """The place, if it may be changed here; raises Refused otherwise."""
    match place:
        case e.Variable(_, name, before):
            if before:
                f.refuse(node, "the state before the step is changed", "self.before can only be read.")
            if f.body.pure:
                remedy = "One that returns a value changes nothing; make the change in the action."
                f.refuse(node, "a rule, property or function changes the state", remedy)
            owner = f.owner if f.observer else None
            if owner and not name.startswith(owner + "."):
                f.refuse(node, f"{owner} changes a variable of the model", "A property changes only its own variables.")
            f.program.changed.setdefault(name, f.source.function.__qualname__)
        case e.Local(_, name):
            if name not in f.body.assigned:
                remedy = "Copy it first: x = set(...) or list(...)."
                f.refuse(node, f"{ast.unparse(node)} changes a parameter or loop variable, which is a value", remedy)
            if any(Stored(name, True) in frame.names.values() for frame in f.body.frames):
                remedy = "Copy it first: x = set(...) or list(...)."
                f.refuse(node, f"{ast.unparse(node)} changes a value that may belong to something else", remedy)
        case e.Index(_, base, _, _) if isinstance(base.type, t.Map):
            changeable(f, node, base)
            _own_entries(f, node, place)
        case e.Index() | e.Field() | e.VariantField() | e.Unwrap():
            remedy = "It is a value: build a new one and assign the whole."
            f.refuse(node, "what lies inside a record, sequence, Optional or message is changed", remedy)
        case _:
            f.refuse(
                node, "the result of an expression is changed", "Change a variable, or give the copy a name first."
            )
    return place


def _own_entries(f: Frame, node: ast.AST, entry: e.Expression) -> None:
    """Refuse a change of a collection in a local dict that also has other names."""
    root = chain(entry)[0]
    if lattice.mutable(entry.type) and root[0] == "local" and (others := f.body.owners.get(root[1], NOBODY).inside):
        names = ", ".join(sorted(name for _, name in others))
        remedy = "Put a copy into the dict: set(...) or list(...)."
        f.refuse(node, f"{ast.unparse(node)} changes a collection that {names} may name too", remedy)


def finite(f: Frame, node: ast.AST, type: t.Type) -> None:
    """Refuse a type that contains itself, one level deeper in each round of inference."""
    if lattice.nesting(type) > lattice.DEEPEST:
        f.refuse(node, "a collection that has no type: it may hold itself", "Use another name for what is around it.")


def grow(f: Frame, node: ast.AST, place: e.Expression, type: t.Type) -> e.Expression:
    """Make room for a type in a place rooted in a local; return the place with its present type."""
    match place:
        case e.Local(_, name):
            joined = f.body.grow(name, type)
            if joined is None:
                f.refuse(node, f"{type} does not fit {place.type}", "All items of a collection are of one type.")
            finite(f, node, joined)
            return f.body.local(name)
        case e.Index(_, base, key, line):
            assert isinstance(base.type, t.Map | t.Seq)
            whole = t.with_parts(base.type, [*t.parts(base.type)[:-1], type])
            base = grow(f, node, base, whole)
            return build.index(base, key, line)
        case _:
            return place


def item_of(place: e.Expression) -> t.Type:
    """The item type of a collection."""
    return t.parts(place.type)[-1]


# Sets


def _set(f: Frame, node: ast.Call, name: str, target: e.Expression) -> None:
    match name:
        case "add":
            add(f, node, target, argument(f, node))
        case "remove" | "discard":
            item = expressions.value(f, argument(f, node))
            if isinstance(item_of(target), lattice.Nothing):
                comprehensions.certainly_empty(f)
                if name == "remove":
                    f.emit(s.Fail(line_of(node), ABSENT))
                return
            there = coerce(f, node, item, item_of(target))
            fit = fits(item, item_of(target))
            _if_it_fits(f, fit, s.SetRemove(line_of(node), target, there, name == "remove"))
        case "pop":
            f.refuse(node, "set.pop() takes an arbitrary item", "Write x = choose(s) and s.remove(x), or take min(s).")
        case "update":
            combine(f, node, "|", target, conversions.as_set(f, node, Kind.MADE))
        case _:
            f.refuse(node, f"a set has no .{name}", "Write .add(x) or .update(x).")


def _if_it_fits(f: Frame, fits: e.Expression, change: s.SetRemove | s.BagRemove) -> None:
    """Emit the removal under the condition that the item fits the item type: another value is not in the collection."""
    if fits == build.TRUE:
        f.emit(change)
    else:
        f.emit_changing(
            s.If(change.line, fits, (change,), (s.Fail(change.line, ABSENT),) if change.strict else ()), change
        )


def add(f: Frame, node: ast.Call, target: e.Expression, item_node: ast.expr) -> None:
    """set.add(item)"""
    item = expressions.value(f, item_node)
    if lattice.unknown(item.type) and not in_state(target):
        raise Incomplete
    if not isinstance(item_of(target), lattice.Nothing) and lattice.join(item.type, item_of(target)) is None:
        f.refuse(node, f"{item.type} is added to {target.type}", f"Its items are of type {item_of(target)}.")
    if not in_state(target):
        operations.require_hashable(f, item_node, item)
        target = grow(f, node, target, set_type(f, node, item.type, *kinds.of(target.type)))
    f.emit(s.SetAdd(line_of(node), target, coerce(f, item_node, item, item_of(target))))


def combine(f: Frame, node: ast.AST, op: str, target: e.Expression, other: e.Expression) -> None:
    """set |= other and the like, in place."""
    if not isinstance(other.type, t.Set):
        f.refuse(node, f"{target.type} {op}= {other.type}", "Write set(...) around it.")
    if not in_state(target) and op in "|^":
        target = grow(f, node, target, other.type)
    if isinstance(other, e.MakeSet) and op == "|":
        target, items = _at_once(f, node, target, other.items)
        for item in items:
            f.emit(s.SetAdd(line_of(node), target, coerce(f, node, item, item_of(target))))
        return
    value = expressions.binary(f, node, op, target, other)
    f.emit(Replace(line_of(node), target, coerce(f, node, value, target.type)))


def _at_once(
    f: Frame, node: ast.AST, target: e.Expression, items: tuple[e.Expression, ...]
) -> tuple[e.Expression, tuple[e.Expression, ...]]:
    """A place, and the items to be put there one by one; all of them are computed before the first one is put."""
    if len(items) < 2:
        return target, items
    kept = capture(f, node, target)
    return kept, tuple(i if stable(f.body, i) else temporary(f, node, i, f"item{n}") for n, i in enumerate(items))


# Sequences


def _sequence(f: Frame, node: ast.Call, name: str, target: e.Expression) -> None:
    match name:
        case "append":
            append(f, node, target, expressions.value(f, argument(f, node), _hint(target)))
        case "insert":
            where_node, item_node = arguments(f, node, 2, 2)
            where = integer(f, where_node, expressions.value(f, where_node))
            where = _insertable(f, node, target, where)
            item = expressions.value(f, item_node, _hint(target))
            target = _room(f, node, target, item.type, 1)
            f.emit(s.SeqInsert(line_of(node), target, where, coerce(f, item_node, item, item_of(target))))
        case "pop":
            f.emit(s.SeqRemoveAt(line_of(node), target, _where(f, node, target)))
        case "remove":
            wanted = expressions.value(f, argument(f, node))
            f.emit(s.SeqRemoveAt(line_of(node), target, aggregates.first_place(f, node, target, wanted, ABSENT)))
        case _:
            f.refuse(node, f"a sequence has no .{name}", "Sequences have append, pop, insert, remove and clear.")


def _insertable(f: Frame, node: ast.Call, target: e.Expression, where: e.Expression) -> e.Expression:
    """A place to insert at, by what the target is in Python: a list takes any, a Seq those from 0 to its length."""
    found = kinds.of(target.type)
    if found == {Kind.LIST}:
        return _clamped(f, node, target, where)
    if Kind.LIST in found and where.type != t.Int(0, 0):
        remedy = "Use one name for the list and another for the Seq, or insert at 0."
        f.refuse(node, f"insert beyond an end of {target.type}: a list takes the end, for a Seq it is an error", remedy)
    return where


def _clamped(f: Frame, node: ast.AST, target: e.Expression, where: e.Expression) -> e.Expression:
    """A place to insert at, as for a Python list: from the end if it is negative, and never beyond an end."""
    number = length(target)
    assert isinstance(where.type, t.Int)
    if where.type.lo < 0:
        from_end = expressions.arithmetic_max(f, node, expressions.arithmetic(f, node, "+", number, where))
        where = build.if_else(build.compare("<", where, build.integer(0)), *expressions.same(f, node, from_end, where))
    return expressions.arithmetic(f, node, "min", where, number)


def _hint(target: e.Expression) -> t.Type | None:
    return item_of(target) if in_state(target) else None


def append(f: Frame, node: ast.AST, target: e.Expression, item: e.Expression) -> None:
    """seq.append(item)"""
    target = _room(f, node, target, item.type, 1)
    f.emit(s.SeqAppend(line_of(node), target, coerce(f, node, item, item_of(target))))


def _room(f: Frame, node: ast.AST, target: e.Expression, item: t.Type, times: int) -> e.Expression:
    """For a local sequence: room for the items that this statement adds, in all rounds of the loops around it."""
    if in_state(target):
        return target
    if not isinstance(target, e.Local):
        return grow(f, node, target, _larger(target, item, lattice.CAPACITY))
    body = f.body
    inside = body.loops[body.depths.get(target.name, 0) :]
    f.limit(
        node,
        f"Keep the list in a variable of type Seq[T, n]; a list filled in a loop has at most {lattice.CAPACITY} items.",
    )
    here = {f.key(node, "append"): min(lattice.CAPACITY, times * prod(inside))}
    body.appends.put(target.name, body.appends.peek(target.name, {}) | here)
    capacity = min(lattice.CAPACITY, body.bases.get(target.name, 0) + sum(body.appends[target.name].values()))
    return grow(f, node, target, _larger(target, item, capacity))


def _larger(sequence: e.Expression, item: t.Type, capacity: int) -> t.Type:
    assert isinstance(sequence.type, t.Seq)
    return evolve(sequence.type, item=item, capacity=capacity)


def extend(f: Frame, node: ast.AST, target: e.Expression, other: e.Expression) -> None:
    """seq += other, in place."""
    if not isinstance(other.type, t.Seq):
        f.refuse(node, f"{target.type} += {other.type}", "Write list(...) around it.")
    if isinstance(other.type.item, lattice.Nothing):
        return
    if isinstance(other, e.MakeSeq):
        target, items = _at_once(f, node, target, other.items)
        for item in items:
            target = _room(f, node, target, item.type, len(items))
            f.emit(s.SeqAppend(line_of(node), target, coerce(f, node, item, item_of(target))))
        return
    target = _room(f, node, target, other.type.item, other.type.capacity)
    local = f.bind_item(node, "item", other.type.item)
    step = s.SeqAppend(line_of(node), target, coerce(f, node, local, item_of(target)))
    f.emit_changing(s.For(line_of(node), local, other, (step,)), step)


def pop(f: Frame, node: ast.Call, bound: m.Bound) -> e.Expression:
    """x = seq.pop(i): the removed item."""
    operations.require(f, node, "c.pop(i)", bound.value.type)
    target = changeable(f, node, bound.value)
    where = _where(f, node, target)
    if isinstance(item_of(target), lattice.Nothing):
        comprehensions.certainly_empty(f)
        f.emit(s.Fail(line_of(node), "index out of range"))
        raise Ended
    taken = temporary(f, node, build.index(target, where, line_of(node)), "taken")
    f.emit(s.SeqRemoveAt(line_of(node), target, where))
    return taken


def _where(f: Frame, node: ast.Call, target: e.Expression) -> e.Expression:
    given = arguments(f, node, 0, 1)
    if given:
        where = indexing.sequence_index(f, given[0], target)
        return where if isinstance(where, e.Const) else temporary(f, node, where, "at")
    return temporary(f, node, build.arithmetic("-", length(target), build.integer(1), line_of(node)), "at")


# Bags


def _bag(f: Frame, node: ast.Call, name: str, target: e.Expression) -> None:
    match name:
        case "add":
            f.emit(s.BagAdd(line_of(node), target, expressions.value(f, argument(f, node), item_of(target))))
        case "remove" | "discard":
            item = expressions.value(f, argument(f, node))
            there = coerce(f, node, item, item_of(target))
            change = s.BagRemove(line_of(node), target, there, name == "remove")
            _if_it_fits(f, fits(item, item_of(target)), change)
        case _:
            f.refuse(node, f"a bag has no .{name}", "Bags have add, remove, discard and clear.")
