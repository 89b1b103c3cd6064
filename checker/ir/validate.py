"""Type-checks a lowered model: the parts of every node have the types that its class documents.

Back ends rely on this and check nothing.  A failure is an error of the front end, never of the model; it shows the node
and the types of its parts.
"""

from __future__ import annotations

from typing import Any

from attrs import define

from checker.ir import expressions as e
from checker.ir import model as m
from checker.ir import show
from checker.ir import statements as s
from checker.ir import types as t
from checker.ir.common import like
from checker.ir.domain import enumerable, size
from checker.ir.facts import root
from checker.ir.visit import children

BOOL = t.Bool()
Names = dict[str, t.Type]


class Invalid(Exception):
    """A lowered model breaks the rules of the intermediate representation."""


def validate(model: m.Model) -> None:
    """Check a whole model; raises Invalid."""
    variables = {v.name: v.type for v in model.variables}
    functions = {f.name: f for f in model.functions}
    for f in model.functions:
        _Checker(f.name, variables, functions, f.result).body({p.name: p.type for p in f.parameters + f.locals}, f.body)
    for a in (model.initial, *model.actions, *(model.symmetry.generators if model.symmetry else ())):
        for p in a.parameters:
            if not enumerable(p.type):
                raise Invalid(f"in {a.name}: parameter {p.name} cannot be enumerated")
        names = {p.name: p.type for p in a.parameters + a.locals}
        _Checker(a.name, variables, functions, None).body(names, (*a.body, *a.received))
    for name in (*(name for p in model.properties for name in p.predicates), *model.constraints):
        if name not in functions or functions[name].parameters or functions[name].result != BOOL:
            raise Invalid(f"{name} is no predicate")


@define
class _Checker:
    """The rules for one body; `where` names it, `result` is None in actions."""

    where: str
    variables: Names
    functions: dict[str, m.Function]
    result: t.Type | None

    def body(self, names: Names, body: tuple[s.Statement | e.Expression, ...]) -> None:
        """All nodes are well-typed, given the types of locals."""
        for node in body:
            self.node(names, node)

    def node(self, names: Names, node: Any) -> None:
        """A node is well-typed, and so is everything in it."""
        inner = names
        for part in children(node):
            if isinstance(part, e.Generator):
                inner = self._bound(inner, part)
            elif isinstance(node, e.MapOf | e.Sorted) and isinstance(part, e.Local) and part is node.local:
                inner = {**inner, part.name: part.type}
            else:
                self.node(names if part is getattr(node, "default", None) else inner, part)
        keeps = self._statement(names, node) if isinstance(node, s.Statement) else self._expression(names, node)
        if not keeps:
            raise Invalid(f"in {self.where}: {_shown(node)}")

    def _bound(self, names: Names, generator: e.Generator) -> Names:
        """The types of names, including the generator's local, whose type must hold every item of the iterable."""
        self.node(names, generator.iterable)
        inner = {**names, generator.local.name: generator.local.type}
        self.body(inner, generator.conditions)
        if not _runs(generator.local, generator.iterable) or any(c.type != BOOL for c in generator.conditions):
            raise Invalid(f"in {self.where}: {show.type(generator.local.type)} over {_shown(generator.iterable)}")
        return inner

    def _statement(self, names: Names, node: s.Statement) -> bool:
        """Whether the parts of a statement have the documented types."""
        match node:
            case s.Assign(_, target, value):
                return self._place(target) and value.type == target.type
            case s.SetAdd(_, target, item) | s.SetRemove(_, target, item):
                return self._place(target) and isinstance(target.type, t.Set) and item.type == target.type.item
            case s.BagAdd(_, target, item) | s.BagRemove(_, target, item):
                return self._place(target) and isinstance(target.type, t.Bag) and item.type == target.type.item
            case s.SeqAppend(_, target, item) | s.SeqInsert(_, target, _, item):
                fits = isinstance(target.type, t.Seq) and item.type == target.type.item
                return self._place(target) and fits and (isinstance(node, s.SeqAppend) or _numbers(node.index))
            case s.SeqRemoveAt(_, target, index):
                return self._place(target) and _numbers(index)
            case s.If(_, condition) | s.While(_, condition) | s.Require(_, condition) | s.Assert(_, condition):
                return condition.type == BOOL
            case s.For(_, local, iterable) | s.Choose(_, local, iterable):
                return names.get(local.name) == local.type and _runs(local, iterable)
            case s.Return(_, value):
                return value.type == self.result
        return True

    def _place(self, node: e.Expression) -> bool:
        """Whether a statement may change a place here: no variable in a function, and no variable of the state before
        the step.
        """
        at = root(node)
        if isinstance(at, e.Variable) and self.result is not None:
            raise Invalid(f"in {self.where}: {show.expression(node)} is changed in a function")
        return isinstance(at, e.Local) or isinstance(at, e.Variable) and not at.before

    def _expression(self, names: Names, node: e.Expression) -> bool:
        """Whether the parts of an expression have the documented types: names, constants, places and calls."""
        match node:
            case e.Const(t.Int(lo, hi), value):
                return lo <= value <= hi
            case e.Const(t.Enum(_, members) | t.Ids(_, members), value):
                return 0 <= value < len(members)
            case e.Const(type, value):
                return type == BOOL and value in (0, 1)
            case e.Variable(type, name):
                return self.variables.get(name) == type
            case e.Local(type, name):
                return names.get(name) == type
            case e.Index(type, base, key):
                if isinstance(base.type, t.Map):
                    return (key.type, type) == (base.type.key, base.type.value)
                return isinstance(base.type, t.Seq) and type == base.type.item and _numbers(key)
            case e.Field(type, base, name):
                return isinstance(base.type, t.Record) and dict(base.type.fields).get(name) == type
            case e.VariantField(type, value, variant, name):
                return dict(_fields(value.type, variant) or ()).get(name) == type
            case e.IsVariant(_, value, variant):
                return _fields(value.type, variant) is not None
            case e.Call(type, name, arguments):
                f = self.functions.get(name)
                return f is not None and f.result == type and [p.type for p in f.parameters] == _types(arguments)
        return _operator(node) if isinstance(node, OPERATORS) else _constructed(node) or _loop(node)


OPERATORS = e.And | e.Or | e.Not | e.IfElse | e.After | e.Arithmetic | e.Compare | e.SetOperation | e.Subset | e.Concat
UNORDERED = t.Set | t.Seq | t.Bag | t.Map


def _operator(node: e.Expression) -> bool:
    match node:
        case e.And(_, operands) | e.Or(_, operands):
            return all(o.type == BOOL for o in operands)
        case e.Not(_, value):
            return value.type == BOOL
        case e.IfElse(type, condition, then, other):
            return _types((condition, then, other)) == [BOOL, type, type]
        case e.After(type, _, value):
            return value.type == type
        case e.Arithmetic(t.Int(), _, left, right):
            return _numbers(left, right)
        case e.Compare(_, operator, left, right):
            return like(left.type, right.type) and (operator in ("==", "!=") or not isinstance(left.type, UNORDERED))
        case e.SetOperation(type, _, left, right):
            return left.type == right.type == type
        case e.Subset(_, left, right):
            return left.type == right.type
        case e.Concat(t.Seq(item), left, right):
            return _item(left) == _item(right) == item
    return False


def _constructed(node: e.Expression) -> bool:
    match node:
        case e.Some(t.Optional(item), value) | e.Everywhere(t.Map(_, item), value):
            return value.type == item
        case e.NoneValue(t.Optional()) | e.EmptyBag(t.Bag()):
            return True
        case e.Unwrap(type, value):
            return value.type == t.Optional(type)
        case e.IsNone(_, value):
            return isinstance(value.type, t.Optional)
        case e.Narrow(type, value):
            return like(type, value.type)
        case e.Ordinal(t.Int(), value):
            return isinstance(value.type, t.Enum | t.Ids)
        case e.FromOrdinal(t.Enum() | t.Ids(), value):
            return _numbers(value)
        case e.MakeRecord(t.Record(_, fields), items):
            return _types(items) == [type for _, type in fields]
        case e.MakeVariant(type, variant, items):
            return _types(items) == [part for _, part in _fields(type, variant) or ()]
        case e.MakeSet(t.Set(item), items) | e.MakeSeq(t.Seq(item), items):
            fit = not isinstance(node.type, t.Seq) or len(items) <= node.type.capacity
            return fit and all(i.type == item for i in items)
    return False


def _loop(node: e.Expression) -> bool:
    """The rules for expressions over collections, or over all values of a type."""
    match node:
        case e.Contains(_, container, item) | e.Count(_, container, item):
            return _item(container) is not None and like(_item(container), item.type)
        case e.Length(_, value):
            return _item(value) is not None
        case e.Slice(t.Seq(item), value, start, stop):
            return _item(value) == item and _numbers(start, stop)
        case e.Range(t.Seq(t.Int()), start, stop):
            return _numbers(start, stop)
        case e.Domain(t.Set(item)):
            return enumerable(item)
        case e.Quantifier(_, _, _, body):
            return body.type == BOOL
        case e.Aggregate(type, operator, _, body, default):
            fits = _numbers(body) if operator == "sum" else body.type == type
            return fits and (default is None or default.type == type)
        case e.SetOf(t.Set(item), _, body) | e.SeqOf(t.Seq(item), _, body):
            return body.type == item
        case e.MapOf(t.Map(key, value), local, body):
            return (local.type, body.type) == (key, value)
        case e.Sorted(t.Seq(item, room), value):
            return _item(value) == item and _most(value.type) <= room
    return False


def _most(container: t.Type) -> int:
    """How many items a collection may have; those of sets are enumerable."""
    match container:
        case t.Set(item):
            return size(item) or 0
        case t.Seq(_, capacity) | t.Bag(_, capacity):
            return capacity
    raise AssertionError(container)


def _types(nodes: tuple[e.Expression, ...]) -> list[t.Type]:
    return [node.type for node in nodes]


def _numbers(*nodes: e.Expression | None) -> bool:
    """Whether all given operands are numbers."""
    return all(isinstance(node.type, t.Int) for node in nodes if node is not None)


def _item(container: e.Expression) -> Any:
    """The item type of a collection, else None."""
    return container.type.item if isinstance(container.type, t.Set | t.Seq | t.Bag) else None


def _runs(local: e.Local, iterable: e.Expression) -> bool:
    """Whether a local can hold the items of an iterable."""
    item = _item(iterable)
    return item is not None and like(local.type, item)


def _fields(union: t.Type, variant: str) -> tuple[tuple[str, t.Type], ...] | None:
    """The fields of a variant; None if there is no such variant."""
    variants = union.variants if isinstance(union, t.Union) else ()
    return next((v.fields for v in variants if v.name == variant), None)


def _shown(node: Any) -> str:
    """A node with the types of its parts."""
    if isinstance(node, s.Statement):
        text = next(show.statements((node,)))
    else:
        text = f"{show.expression(node)}: {show.type(node.type)}"
    parts = [f"{show.expression(p)}: {show.type(p.type)}" for p in children(node) if isinstance(p, e.Expression)]
    return f"{text} of {', '.join(parts) or 'nothing'}"
