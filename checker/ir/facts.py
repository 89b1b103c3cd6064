"""Facts about nodes that decide what may be folded, moved or evaluated although its value is unused: whether evaluation
may fail, what is read and written, what is called.

`may_fail` uses only the node, and a call counts as failing; `fails_with_calls` examines the callees.
`checker.frontend.failing` narrows these answers by conditions that hold before the node.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from checker.ir import expressions as e
from checker.ir import statements as s
from checker.ir import types as t
from checker.ir.common import can_grow, fits
from checker.ir.model import Function, Model
from checker.ir.values import Raw
from checker.ir.visit import walk

# -- failing


def may_fail(item: Any) -> bool:
    """Whether evaluating an expression, or one of several, may be a model error."""
    return any(fails_itself(node) for node in walk(item))


def fails_itself(node: Any) -> bool:
    """Whether evaluating an expression may be a model error although evaluating its parts is none."""
    match node:
        case e.Index(_, base):
            return not isinstance(base.type, t.Map)
        case e.Narrow(type, value):
            return not fits(value.type, type)
        case e.FromOrdinal():
            return not fits_ordinal(node)
        case e.Arithmetic(_, operator, _, right):
            return operator in ("//", "%") and not (isinstance(right, e.Const) and right.value != 0)
        case e.Aggregate(_, operator, _, _, default):
            return operator != "sum" and default is None
        case e.Concat(type) | e.Slice(type) | e.Sorted(type) | e.Range(type):
            return can_grow(type)
    return isinstance(node, e.VariantField | e.Unwrap | e.SeqOf | e.Call)


def fails_with_calls(model: Model, node: Any) -> bool:
    """Whether an expression itself may be a model error, or a function that it calls."""
    if not isinstance(node, e.Call):
        return isinstance(node, e.Expression) and fails_itself(node)
    return any(
        (isinstance(x, e.Expression) and not isinstance(x, e.Call) and fails_itself(x))
        or (isinstance(x, s.Statement) and not isinstance(x, _SAFE))
        for x in within(model, model.function(node.function))
    )


_SAFE = s.Return | s.If | s.Assign | s.For | s.Break | s.Continue | s.Block | s.Leave


def fits_ordinal(node: e.FromOrdinal) -> bool:
    """Whether the place is certainly that of a member."""
    assert isinstance(node.type, t.Enum | t.Ids)
    return fits(node.value.type, t.Int(0, len(node.type.members) - 1))


def constant_raw(node: e.Expression) -> Raw | None:
    """The raw value of an expression of constants, collections and records alone; None if some part is another."""
    match node:
        case e.Const(_, value):
            return value
        case e.MakeSeq(_, parts) | e.MakeSet(_, parts) | e.MakeRecord(_, parts):
            raws = [constant_raw(part) for part in parts]
            if any(raw is None for raw in raws):
                return None
            return frozenset(raws) if isinstance(node, e.MakeSet) else tuple(raws)
    return None


# -- places, reading and writing


def root(place: e.Expression) -> e.Expression:
    """The variable or local at the bottom of a place."""
    while isinstance(place, e.Index | e.Field | e.VariantField | e.Unwrap):
        place = place.value if isinstance(place, e.VariantField | e.Unwrap) else place.base
    return place


def target_of(node: Any) -> e.Expression | None:
    """The place that a statement writes."""
    return getattr(node, "target", None) if isinstance(node, s.Statement) else None


def reads(node: Any, root: e.Expression) -> bool:
    """Whether the expression reads the variable or local `root`, or calls a function that might."""
    for part in walk(node):
        if isinstance(part, e.Call) and isinstance(root, e.Variable):
            return True
        if type(part) is type(root) and getattr(part, "name", None) == getattr(root, "name", None):
            return True
    return False


def variables_read(model: Model, function: Function) -> tuple[str, ...]:
    """The variables that a function or one it calls reads, in the order of the model."""
    names = {node.name for node in within(model, function) if isinstance(node, e.Variable)}
    return tuple(v.name for v in model.variables if v.name in names)


def written(node: Any) -> e.Expression | None:
    """The variable or local that a statement itself writes, without nested statements."""
    target = target_of(node)
    return None if target is None else root(target)


def locals_changed(body: tuple[s.Statement, ...]) -> set[str]:
    """The locals that statements may give another value."""
    targets = ((target_of(x) or getattr(x, "local", None)) for x in walk(body) if isinstance(x, s.Statement))
    return {r.name for x in targets if x is not None and isinstance(r := root(x), e.Local)}


def writes_state(body: tuple[s.Statement, ...]) -> bool:
    """Whether some statement writes a state variable."""
    return any(isinstance(written(node), e.Variable) for node in walk(body))


# -- calls


def callees(item: Any, function: Callable[[str], Function]) -> tuple[str, ...]:
    """The names of the functions that nodes call, directly or not, in the order in which they are found."""
    found: dict[str, None] = {}
    pending = [item]
    while pending:
        for node in walk(pending.pop()):
            if isinstance(node, e.Call) and node.function not in found:
                found[node.function] = None
                pending.append(function(node.function).body)
    return tuple(found)


def with_bodies(item: Any, function: Callable[[str], Function]) -> list[Any]:
    """Nodes, and the bodies of the functions that they call, directly or not."""
    return [item, *(function(name).body for name in callees(item, function))]


def call_closure(model: Model, function: Function) -> tuple[str, ...]:
    """The names of a function and of all its direct and indirect callees, itself first."""
    return (function.name, *callees(function.body, model.function))


def within(model: Model, function: Function) -> Iterator[Any]:
    """All nodes of a function and of its callees."""
    return (node for name in call_closure(model, function) for node in walk(model.function(name).body))
