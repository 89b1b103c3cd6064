"""Type-checks the expressions of a lowered model: operands have the types that each node's description promises."""

from __future__ import annotations

from typing import NoReturn

from attrs import define

from checker.ir import expressions as e
from checker.ir import model as m
from checker.ir import show
from checker.ir import types as t
from checker.ir.domain import enumerable

BOOL = t.Bool()
Names = dict[str, t.Type]


class Invalid(Exception):
    """A lowered model breaks the rules of the intermediate representation."""


def like(a: t.Type, b: t.Type) -> bool:
    """Same shape, Int bounds and capacities aside."""
    match a, b:
        case t.Int(), t.Int():
            return True
        case t.Optional(x), t.Optional(y):
            return like(x, y)
        case t.Set(x), t.Set(y):
            return like(x, y)
        case t.Seq(x, _, _), t.Seq(y, _, _):
            return like(x, y)
        case t.Bag(x, _, _), t.Bag(y, _, _):
            return like(x, y)
        case t.Map(k, x), t.Map(l, y):
            return k == l and like(x, y)
        case t.Record(_, xs), t.Record(_, ys):
            return len(xs) == len(ys) and all(like(x, y) for (_, x), (_, y) in zip(xs, ys))
        case _:
            return a == b


@define
class Expressions:
    """The rules of expressions in one body; `where` names it, `result` is None in actions."""

    where: str
    variables: Names
    functions: dict[str, m.Function]
    result: t.Type | None

    def wrong(self, what: str) -> NoReturn:
        """Raise Invalid."""
        raise Invalid(f"in {self.where}: {what}")

    def holds(self, condition: bool, what: str) -> None:
        """Raise Invalid unless the condition holds."""
        if not condition:
            self.wrong(what)

    def has(self, names: Names, node: e.Expression, type: t.Type) -> None:
        """The node is well-typed and has this very type."""
        self.expression(names, node)
        self.holds(node.type == type, f"{show.expression(node)} has type {show.type(node.type)}, not {show.type(type)}")

    def item(self, container: e.Expression) -> t.Type:
        """The item type of a collection."""
        if not isinstance(container.type, t.Set | t.Seq | t.Bag):
            self.wrong(f"{show.expression(container)} is no collection")
        return container.type.item

    def binds(self, names: Names, local: e.Local, iterable: e.Expression, declared: bool = True) -> None:
        """The local can take the items.  Statements use declared locals, comprehensions bind their own."""
        self.expression(names, iterable)
        if declared:
            self.holds(
                names.get(local.name) == local.type, f"local {local.name} is not declared as {show.type(local.type)}"
            )
        item = self.item(iterable)
        self.holds(
            like(local.type, item), f"local {local.name}: {show.type(local.type)} runs over {show.expression(iterable)}"
        )

    def number(self, names: Names, node: e.Expression) -> None:
        """The node is a well-typed number."""
        self.expression(names, node)
        self.holds(isinstance(node.type, t.Int), f"{show.expression(node)} is no number")

    def condition(self, names: Names, node: e.Expression) -> None:
        """The node is a well-typed condition."""
        self.has(names, node, BOOL)

    # Expressions

    def expression(self, names: Names, node: e.Expression) -> None:
        """The node is well-typed, given the types of locals."""
        match node:
            case e.Const(t.Int(lo, hi), value):
                self.holds(lo <= value <= hi, f"constant {value} is not in its type")
            case e.Const(t.Enum(_, members) | t.Ids(_, members, _), value):
                self.holds(0 <= value < len(members), f"constant {value} is not in its type")
            case e.Const(type, value):
                self.holds(type == BOOL and value in (0, 1), f"constant {value} of type {show.type(type)}")
            case e.Variable(type, name, _):
                self.holds(self.variables.get(name) == type, f"variable {name} is not of type {show.type(type)}")
            case e.Local(type, name):
                self.holds(names.get(name) == type, f"local {name} is not of type {show.type(type)}")
            case e.Index() | e.Field() | e.VariantField() | e.IsVariant():
                self._part(names, node)
            case e.And(_, operands) | e.Or(_, operands):
                for o in operands:
                    self.condition(names, o)
            case e.Not(_, value):
                self.condition(names, value)
            case e.IfElse(type, condition, then, other):
                self.condition(names, condition)
                self.has(names, then, type)
                self.has(names, other, type)
            case e.After(type, earlier, value):
                for part in earlier:
                    self.expression(names, part)
                self.has(names, value, type)
            case e.Quantifier() | e.Aggregate() | e.SetOf() | e.SeqOf() | e.MapOf() | e.Sorted():
                self._loop(names, node)
            case e.Arithmetic() | e.Compare() | e.SetOperation() | e.Subset() | e.Concat():
                self._operator(names, node)
            case e.Contains() | e.Length() | e.Count() | e.Slice() | e.Range() | e.Domain():
                self._collection(names, node)
            case e.Some() | e.Unwrap() | e.IsNone() | e.NoneValue() | e.Narrow() | e.Ordinal() | e.FromOrdinal():
                self._converted(names, node)
            case _:
                self._made(names, node)

    def _part(self, names: Names, node: e.Expression) -> None:
        match node:
            case e.Index(type, base, key, _):
                self.expression(names, base)
                match base.type:
                    case t.Map(k, v):
                        self.has(names, key, k)
                        self.holds(type == v, f"{show.expression(node)} has a wrong type")
                    case t.Seq(item, _, _):
                        self.number(names, key)
                        self.holds(type == item, f"{show.expression(node)} has a wrong type")
                    case _:
                        self.wrong(f"{show.expression(base)} is indexed")
            case e.Field(type, base, name):
                self.expression(names, base)
                fields = dict(base.type.fields) if isinstance(base.type, t.Record) else {}
                self.holds(fields.get(name) == type, f"{show.expression(node)} has a wrong type")
            case e.VariantField(type, value, variant, name, _):
                self.expression(names, value)
                self.holds(
                    dict(self._variant(value, variant).fields).get(name) == type,
                    f"{show.expression(node)} has a wrong type",
                )
            case e.IsVariant(_, value, variant):
                self.expression(names, value)
                self._variant(value, variant)

    def _variant(self, value: e.Expression, name: str) -> t.Record:
        variants = value.type.variants if isinstance(value.type, t.Union) else ()
        found = [v for v in variants if v.name == name]
        self.holds(bool(found), f"{show.expression(value)} has no variant {name}")
        return found[0]

    def _operator(self, names: Names, node: e.Expression) -> None:
        match node:
            case e.Arithmetic(type, _, left, right, _):
                self.holds(isinstance(type, t.Int), "arithmetic that is no number")
                self.number(names, left)
                self.number(names, right)
            case e.Compare(_, op, left, right):
                self.expression(names, left)
                self.expression(names, right)
                self.holds(
                    like(left.type, right.type),
                    f"{show.expression(node)} compares {show.type(left.type)} with {show.type(right.type)}",
                )
                ordered = not isinstance(left.type, t.Set | t.Seq | t.Bag | t.Map)
                self.holds(op in ("==", "!=") or ordered, f"{show.expression(node)} orders what has no order")
            case e.SetOperation(type, _, left, right):
                self.has(names, left, type)
                self.has(names, right, type)
            case e.Subset(_, left, right, _):
                self.expression(names, left)
                self.has(names, right, left.type)
            case e.Concat(type, left, right):
                for part in (left, right):
                    self.expression(names, part)
                    self.holds(
                        isinstance(type, t.Seq) and self.item(part) == type.item,
                        f"{show.expression(node)} joins unlike items",
                    )

    def _collection(self, names: Names, node: e.Expression) -> None:
        match node:
            case e.Contains(_, container, item) | e.Count(_, container, item):
                self.expression(names, container)
                self.expression(names, item)
                self.holds(like(self.item(container), item.type), f"{show.expression(node)} looks for something unlike")
            case e.Length(_, value):
                self.expression(names, value)
                self.item(value)
            case e.Slice(type, value, start, stop, _):
                self.expression(names, value)
                self.holds(
                    isinstance(type, t.Seq) and self.item(value) == type.item,
                    f"{show.expression(node)} has a wrong type",
                )
                for bound in (start, stop):
                    if bound is not None:
                        self.number(names, bound)
            case e.Range(type, start, stop):
                self.number(names, start)
                self.number(names, stop)
                self.holds(
                    isinstance(type, t.Seq) and isinstance(type.item, t.Int), "a range that is no sequence of numbers"
                )
            case e.Domain(type):
                self.holds(isinstance(type, t.Set) and enumerable(type.item), "a domain that cannot be enumerated")

    def _converted(self, names: Names, node: e.Expression) -> None:
        match node:
            case e.Some(type, value):
                self.holds(isinstance(type, t.Optional), "Some of no Optional")
                assert isinstance(type, t.Optional)
                self.has(names, value, type.item)
            case e.NoneValue(type):
                self.holds(isinstance(type, t.Optional), "None of no Optional")
            case e.Unwrap(type, value, _):
                self.has(names, value, t.Optional(type))
            case e.IsNone(_, value):
                self.expression(names, value)
                self.holds(isinstance(value.type, t.Optional), f"{show.expression(value)} is no Optional")
            case e.Narrow(type, value, _):
                self.expression(names, value)
                self.holds(
                    like(type, value.type),
                    f"{show.expression(node)} narrows {show.type(value.type)} to {show.type(type)}",
                )
            case e.Ordinal(type, value):
                self.expression(names, value)
                self.holds(
                    isinstance(value.type, t.Enum | t.Ids) and isinstance(type, t.Int),
                    f"{show.expression(node)} has no place",
                )
            case e.FromOrdinal(type, value, _):
                self.number(names, value)
                self.holds(isinstance(type, t.Enum | t.Ids), f"{show.expression(node)} has no members")

    def _made(self, names: Names, node: e.Expression) -> None:
        match node:
            case e.MakeRecord(t.Record(_, fields), items):
                self._fields(names, node, fields, items)
            case e.MakeVariant(_, variant, items):
                self._fields(names, node, self._variant(node, variant).fields, items)
            case e.MakeSet(t.Set(item), items) | e.MakeSeq(t.Seq(item, _, _), items):
                for i in items:
                    self.has(names, i, item)
                if isinstance(node.type, t.Seq):
                    self.holds(len(items) <= node.type.capacity, f"{show.expression(node)} is longer than its type")
            case e.EmptyBag(type):
                self.holds(isinstance(type, t.Bag), "an empty bag of another type")
            case e.Everywhere(t.Map(_, value), inner):
                self.has(names, inner, value)
            case e.Call(type, name, arguments):
                self.holds(name in self.functions, f"there is no function {name}")
                function = self.functions[name]
                self.holds(
                    function.result == type and len(function.parameters) == len(arguments), f"{name} is called wrongly"
                )
                for p, a in zip(function.parameters, arguments):
                    self.has(names, a, p.type)
            case _:
                self.wrong(f"{node.__class__.__name__} of type {show.type(node.type)}")

    def _fields(
        self, names: Names, node: e.Expression, fields: tuple[tuple[str, t.Type], ...], items: tuple[e.Expression, ...]
    ) -> None:
        self.holds(len(fields) == len(items), f"{show.expression(node)} has {len(items)} fields")
        for (_, type), item in zip(fields, items):
            self.has(names, item, type)

    # Loops inside expressions

    def _generators(self, names: Names, generators: tuple[e.Generator, ...]) -> Names:
        inner = dict(names)
        for g in generators:
            self.binds(inner, g.local, g.iterable, declared=False)
            inner[g.local.name] = g.local.type
            for condition in g.conditions:
                self.condition(inner, condition)
        return inner

    def _loop(self, names: Names, node: e.Expression) -> None:
        match node:
            case e.Quantifier(_, _, generators, body):
                self.condition(self._generators(names, generators), body)
            case e.Aggregate(type, op, generators, body, default, _):
                inner = self._generators(names, generators)
                self.expression(inner, body)
                self.holds(
                    isinstance(body.type, t.Int) if op == "sum" else body.type == type,
                    f"{show.expression(node)} has a wrong type",
                )
                if default is not None:
                    self.has(names, default, type)
            case e.SetOf(t.Set(item), generators, body) | e.SeqOf(t.Seq(item, _, _), generators, body):
                self.has(self._generators(names, generators), body, item)
            case e.MapOf(t.Map(key, value), local, body):
                self.holds(local.type == key, f"{show.expression(node)} runs over another key")
                self.has({**names, local.name: key}, body, value)
            case e.Sorted(type, value, local, key, _):
                self.expression(names, value)
                self.holds(
                    isinstance(type, t.Seq) and self.item(value) == type.item,
                    f"{show.expression(node)} has a wrong type",
                )
                if local is not None and key is not None:
                    self.expression({**names, local.name: local.type}, key)
            case _:
                self.wrong(f"{node.__class__.__name__} of type {show.type(node.type)}")
