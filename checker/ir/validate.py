"""Type-checks a lowered model: every node's operands have the types that its description promises.

Back ends rely on this and check nothing.  A failure is an error of the front end, never of the model.
"""

from __future__ import annotations

from typing import NoReturn

from attrs import define

from checker.ir import expressions as e
from checker.ir import model as m
from checker.ir import show
from checker.ir import statements as s
from checker.ir import types as t
from checker.ir.domain import enumerable

BOOL = t.Bool()
Names = dict[str, t.Type]


class Invalid(Exception):
    """A lowered model breaks the rules of the intermediate representation."""


def validate(model: m.Model) -> None:
    """Check a whole model; raises Invalid."""
    variables = {v.name: v.type for v in model.variables}
    functions = {f.name: f for f in model.functions}
    for f in model.functions:
        _Checker(f.name, variables, functions, f.result).body(
            {p.name: p.type for p in f.parameters + f.locals}, f.body
        )
    for a in (model.initial, *model.actions, *(model.symmetry.generators if model.symmetry else ())):
        checker = _Checker(a.name, variables, functions, None)
        for p in a.parameters:
            checker.holds(enumerable(p.type), f"parameter {p.name} cannot be enumerated")
        names = {p.name: p.type for p in a.parameters + a.locals}
        checker.body(names, a.body)
        for part in a.received:
            checker.expression(names, part)
    for name in (*(p.function for p in model.properties), *(p.when for p in model.properties if p.when), *model.constraints):
        if name not in functions or functions[name].parameters or functions[name].result != BOOL:
            raise Invalid(f"{name} is no predicate")


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
class _Checker:
    where: str
    variables: Names
    functions: dict[str, m.Function]
    result: t.Type | None

    def wrong(self, what: str) -> NoReturn:
        raise Invalid(f"in {self.where}: {what}")

    def holds(self, condition: bool, what: str) -> None:
        if not condition:
            self.wrong(what)

    def has(self, names: Names, node: e.Expression, type: t.Type) -> None:
        """The node is well-typed and has this very type."""
        self.expression(names, node)
        self.holds(
            node.type == type,
            f"{show.expression(node)} has type {show.type(node.type)}, not {show.type(type)}",
        )

    # Statements

    def body(self, names: Names, body: tuple[s.Statement, ...]) -> None:
        for statement in body:
            self.statement(names, statement)

    def statement(self, names: Names, node: s.Statement) -> None:
        match node:
            case s.Assign(_, target, value):
                self.place(names, target)
                self.has(names, value, target.type)
            case (
                s.SetAdd()
                | s.SetRemove()
                | s.SeqAppend()
                | s.SeqInsert()
                | s.SeqRemoveAt()
                | s.BagAdd()
                | s.BagRemove()
            ):
                self.change(names, node)
            case s.If(_, condition, then, other):
                self.has(names, condition, BOOL)
                self.body(names, then)
                self.body(names, other)
            case s.For(_, local, iterable, body):
                self.binds(names, local, iterable)
                self.body(names, body)
            case s.Choose(_, local, iterable):
                self.binds(names, local, iterable)
            case s.While(_, condition, body):
                self.has(names, condition, BOOL)
                self.body(names, body)
            case s.Block(_, _, body):
                self.body(names, body)
            case s.Require(_, condition) | s.Assert(_, condition, _):
                self.has(names, condition, BOOL)
            case s.Return(_, value):
                self.holds(self.result is not None, "return in an action")
                assert self.result is not None
                self.has(names, value, self.result)

    def change(self, names: Names, node: s.Statement) -> None:
        match node:
            case s.SetAdd(_, target, item) | s.SetRemove(_, target, item, _):
                self.place(names, target)
                self.holds(isinstance(target.type, t.Set), f"{show.expression(target)} is no set")
            case s.BagAdd(_, target, item) | s.BagRemove(_, target, item, _, _):
                self.place(names, target)
                self.holds(isinstance(target.type, t.Bag), f"{show.expression(target)} is no bag")
            case s.SeqAppend(_, target, item) | s.SeqInsert(_, target, _, item):
                self.place(names, target)
                self.holds(isinstance(target.type, t.Seq), f"{show.expression(target)} is no sequence")
            case s.SeqRemoveAt(_, target, index):
                self.place(names, target)
                self.number(names, index)
                return
            case _:
                self.wrong("unknown statement")
        if isinstance(node, s.SeqInsert):
            self.number(names, node.index)
        self.has(names, item, self.item(target))

    def place(self, names: Names, node: e.Expression) -> None:
        root = node
        while isinstance(root, e.Index | e.Field | e.VariantField | e.Unwrap):
            root = root.base if isinstance(root, e.Index | e.Field) else root.value
        is_place = isinstance(root, e.Local) or isinstance(root, e.Variable) and not root.before
        self.holds(is_place, f"{show.expression(node)} is no place")
        if isinstance(root, e.Variable):
            self.holds(self.result is None, f"{show.expression(node)} is changed in a function")
        self.expression(names, node)

    def item(self, container: e.Expression) -> t.Type:
        if not isinstance(container.type, t.Set | t.Seq | t.Bag):
            self.wrong(f"{show.expression(container)} is no collection")
        return container.type.item

    def binds(self, names: Names, local: e.Local, iterable: e.Expression, declared: bool = True) -> None:
        """The local can take the items.  Statements use declared locals, comprehensions bind their own."""
        self.expression(names, iterable)
        if declared:
            self.holds(
                names.get(local.name) == local.type,
                f"local {local.name} is not declared as {show.type(local.type)}",
            )
        item = self.item(iterable)
        self.holds(
            like(local.type, item),
            f"local {local.name}: {show.type(local.type)} runs over {show.expression(iterable)}",
        )

    def number(self, names: Names, node: e.Expression) -> None:
        self.expression(names, node)
        self.holds(isinstance(node.type, t.Int), f"{show.expression(node)} is no number")

    def condition(self, names: Names, node: e.Expression) -> None:
        self.has(names, node, BOOL)

    # Expressions

    def expression(self, names: Names, node: e.Expression) -> None:
        match node:
            case e.Const(t.Int(lo, hi), value):
                self.holds(lo <= value <= hi, f"constant {value} is not in its type")
            case e.Const(t.Enum(_, members) | t.Ids(_, members, _), value):
                self.holds(0 <= value < len(members), f"constant {value} is not in its type")
            case e.Const(type, value):
                self.holds(type == BOOL and value in (0, 1), f"constant {value} of type {show.type(type)}")
            case e.Variable(type, name, _):
                self.holds(
                    self.variables.get(name) == type, f"variable {name} is not of type {show.type(type)}"
                )
            case e.Local(type, name):
                self.holds(names.get(name) == type, f"local {name} is not of type {show.type(type)}")
            case e.Index() | e.Field() | e.VariantField() | e.IsVariant():
                self.part(names, node)
            case e.And(_, operands) | e.Or(_, operands):
                for o in operands:
                    self.condition(names, o)
            case e.Not(_, value):
                self.condition(names, value)
            case e.IfElse(type, condition, then, other):
                self.condition(names, condition)
                self.has(names, then, type)
                self.has(names, other, type)
            case e.Quantifier() | e.Aggregate() | e.SetOf() | e.SeqOf() | e.MapOf() | e.Sorted():
                self.loop(names, node)
            case e.Arithmetic() | e.Compare() | e.SetOperation() | e.Subset() | e.Concat():
                self.operator(names, node)
            case e.Contains() | e.Length() | e.Count() | e.Slice() | e.Range() | e.Domain():
                self.collection(names, node)
            case (
                e.Some()
                | e.Unwrap()
                | e.IsNone()
                | e.NoneValue()
                | e.Narrow()
                | e.Ordinal()
                | e.FromOrdinal()
            ):
                self.converted(names, node)
            case _:
                self.made(names, node)

    def part(self, names: Names, node: e.Expression) -> None:
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
                    dict(self.variant(value, variant).fields).get(name) == type,
                    f"{show.expression(node)} has a wrong type",
                )
            case e.IsVariant(_, value, variant):
                self.expression(names, value)
                self.variant(value, variant)

    def variant(self, value: e.Expression, name: str) -> t.Record:
        variants = value.type.variants if isinstance(value.type, t.Union) else ()
        found = [v for v in variants if v.name == name]
        self.holds(bool(found), f"{show.expression(value)} has no variant {name}")
        return found[0]

    def operator(self, names: Names, node: e.Expression) -> None:
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

    def collection(self, names: Names, node: e.Expression) -> None:
        match node:
            case e.Contains(_, container, item) | e.Count(_, container, item):
                self.expression(names, container)
                self.expression(names, item)
                self.holds(
                    like(self.item(container), item.type),
                    f"{show.expression(node)} looks for something unlike",
                )
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
                    isinstance(type, t.Seq) and isinstance(type.item, t.Int),
                    "a range that is no sequence of numbers",
                )
            case e.Domain(type):
                self.holds(
                    isinstance(type, t.Set) and enumerable(type.item), "a domain that cannot be enumerated"
                )

    def converted(self, names: Names, node: e.Expression) -> None:
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

    def made(self, names: Names, node: e.Expression) -> None:
        match node:
            case e.MakeRecord(t.Record(_, fields), items):
                self.fields(names, node, fields, items)
            case e.MakeVariant(_, variant, items):
                self.fields(names, node, self.variant(node, variant).fields, items)
            case e.MakeSet(t.Set(item), items) | e.MakeSeq(t.Seq(item, _, _), items):
                for i in items:
                    self.has(names, i, item)
                if isinstance(node.type, t.Seq):
                    self.holds(
                        len(items) <= node.type.capacity, f"{show.expression(node)} is longer than its type"
                    )
            case e.EmptyBag(type):
                self.holds(isinstance(type, t.Bag), "an empty bag of another type")
            case e.Everywhere(t.Map(_, value), inner):
                self.has(names, inner, value)
            case e.Call(type, name, arguments):
                self.holds(name in self.functions, f"there is no function {name}")
                function = self.functions[name]
                self.holds(
                    function.result == type and len(function.parameters) == len(arguments),
                    f"{name} is called wrongly",
                )
                for p, a in zip(function.parameters, arguments):
                    self.has(names, a, p.type)
            case _:
                self.wrong(f"{node.__class__.__name__} of type {show.type(node.type)}")

    def fields(
        self,
        names: Names,
        node: e.Expression,
        fields: tuple[tuple[str, t.Type], ...],
        items: tuple[e.Expression, ...],
    ) -> None:
        self.holds(len(fields) == len(items), f"{show.expression(node)} has {len(items)} fields")
        for (_, type), item in zip(fields, items):
            self.has(names, item, type)

    # Loops inside expressions

    def generators(self, names: Names, generators: tuple[e.Generator, ...]) -> Names:
        inner = dict(names)
        for g in generators:
            self.binds(inner, g.local, g.iterable, declared=False)
            inner[g.local.name] = g.local.type
            for condition in g.conditions:
                self.condition(inner, condition)
        return inner

    def loop(self, names: Names, node: e.Expression) -> None:
        match node:
            case e.Quantifier(_, _, generators, body):
                self.condition(self.generators(names, generators), body)
            case e.Aggregate(type, op, generators, body, default, _):
                inner = self.generators(names, generators)
                self.expression(inner, body)
                self.holds(
                    isinstance(body.type, t.Int) if op == "sum" else body.type == type,
                    f"{show.expression(node)} has a wrong type",
                )
                if default is not None:
                    self.has(names, default, type)
            case e.SetOf(t.Set(item), generators, body) | e.SeqOf(t.Seq(item, _, _), generators, body):
                self.has(self.generators(names, generators), body, item)
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
