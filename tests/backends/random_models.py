"""Random small models in the intermediate representation.

`Builder` asks one function for every decision (a number below a bound), so that hypothesis can drive and shrink it.
Models are well typed; their guards are loose and their arithmetic is careless on purpose, so that most of them also
make errors.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from checker.ir import expressions as e
from checker.ir import statements as s
from checker.ir import types as t
from checker.ir.domain import size
from checker.ir.model import Action, Function, Model, Parameter, Property, StateVariable

T = TypeVar("T")
BOOL = t.Bool()
COLORS = t.Enum("Color", ("red", "green", "blue"))
NODES = t.Ids("node", ("n1", "n2", "n3"))

Scope = tuple[e.Expression, ...]
"""Variables and locals that may be read."""


class Builder:
    """Draws types, expressions, statements."""

    def __init__(self, below: Callable[[int], int]) -> None:
        self.below = below
        self.names = 0
        self.functions: list[Function] = []
        self.line = 1

    def pick(self, options: list[T]) -> T:
        return options[self.below(len(options))]

    def chance(self, of: int) -> bool:
        return self.below(of) == 0

    def fresh(self, type: t.Type) -> e.Local:
        self.names += 1
        return e.Local(type, f"x{self.names}")

    def next_line(self) -> int:
        self.line += 1
        return self.line

    # -- types
    # -------------------------------------------------------------------------------------------------------------

    def scalar(self) -> t.Type:
        low = self.below(4) - 2
        return self.pick([BOOL, t.Int(low, low + self.below(5)), COLORS, NODES, t.Int(0, 1 << 20)])

    def enumerable(self, most: int) -> t.Type:
        for _ in range(4):
            kind = self.type(1)
            count = size(kind)
            if count is not None and count <= most:
                return kind
        return self.pick([BOOL, COLORS, NODES])

    def type(self, depth: int) -> t.Type:
        if depth == 0:
            return self.scalar()
        match self.below(10):
            case 0 | 1:
                return self.scalar()
            case 2:
                inner = self.type(depth - 1)
                return inner if isinstance(inner, t.Optional) else t.Optional(inner)
            case 3:
                return self.record(f"R{self.below(100)}", depth, 1)
            case 4:
                return t.Union("U", tuple(self.record(f"V{i}", depth, 0) for i in range(1 + self.below(3))))
            case 5 | 6:
                return t.Map(self.enumerable(5), self.type(depth - 1))
            case 7:
                return t.Set(self.pick([self.enumerable(12), t.Int(-3, 100)]))
            case 8:
                return t.Seq(self.type(depth - 1), 1 + self.below(4))
        return t.Bag(self.type(depth - 1), 1 + self.below(4), self.pick([None, "net"]))

    def record(self, name: str, depth: int, least: int) -> t.Record:
        return t.Record(name, tuple((f"f{i}", self.type(depth - 1)) for i in range(least + self.below(3))))

    # -- expressions
    # ---------------------------------------------------------------------------------------------------------

    def parts(self, base: e.Expression, depth: int, scope: Scope) -> list[e.Expression]:
        """Places inside a place."""
        result = [base]
        if depth == 0:
            return result
        inner: list[e.Expression] = []
        match base.type:
            case t.Record(_, fields):
                inner = [e.Field(k, base, n) for n, k in fields]
            case t.Optional(item):
                inner = [e.Unwrap(item, base, self.next_line())]
            case t.Map(key, value):
                inner = [e.Index(value, base, self.expression(key, 0, scope))]
            case t.Seq(item, _):
                inner = [e.Index(item, base, self.expression(t.Int(0, 2), 0, scope), self.next_line())]
            case t.Union(_, variants):
                inner = [e.VariantField(k, base, v.name, n, self.next_line()) for v in variants for n, k in v.fields]
        for part in inner:
            result += self.parts(part, depth - 1, scope)
        return result

    def places(self, scope: Scope, accept: Callable[[t.Type], bool]) -> list[e.Expression]:
        return [p for base in scope for p in self.parts(base, 2, scope) if accept(p.type)]

    def expression(self, type: t.Type, depth: int, scope: Scope) -> e.Expression:
        if depth == 0 or self.chance(3):
            found = [base for base in scope if base.type == type]
            if depth > 0:
                found = self.places(scope, lambda k: k == type)
            if found and not self.chance(4):
                return self.pick(found)
        if depth > 0:
            if self.chance(6):
                return e.IfElse(
                    type, self.boolean(depth - 1, scope), *(self.expression(type, depth - 1, scope) for _ in "ab")
                )
            if self.chance(10):
                return self.call(type, depth - 1, scope)
        return self.make(type, depth, scope)

    def call(self, type: t.Type, depth: int, scope: Scope) -> e.Expression:
        variables = tuple(v for v in scope if isinstance(v, e.Variable))
        parameter = self.fresh(self.type(1))
        name = f"rule_{parameter.name}"  # rules that the body calls are added first
        body = self.expression(type, depth, (*variables, parameter))
        early = s.If(1, self.boolean(0, (*variables, parameter)), (s.Return(1, self.expression(type, 0, variables)),))
        self.functions.append(
            Function(name, (Parameter(parameter.name, parameter.type),), (), type, (early, s.Return(1, body)))
        )
        return e.Call(type, name, (self.expression(parameter.type, depth, scope),))

    def make(self, type: t.Type, depth: int, scope: Scope) -> e.Expression:
        below = max(depth - 1, 0)
        match type:
            case t.Bool():
                return self.boolean(depth, scope)
            case t.Int():
                return self.integer(type, depth, scope)
            case t.Enum() | t.Ids():
                return e.Const(type, self.below(3))
            case t.Optional(item):
                return e.NoneValue(type) if self.chance(3) else e.Some(type, self.expression(item, below, scope))
            case t.Record(_, fields):
                return e.MakeRecord(type, tuple(self.expression(k, below, scope) for _, k in fields))
            case t.Union(_, variants):
                variant = self.pick(list(variants))
                return e.MakeVariant(
                    type, variant.name, tuple(self.expression(k, below, scope) for _, k in variant.fields)
                )
            case t.Map(key, value):
                if self.chance(2):
                    return e.Everywhere(type, self.expression(value, below, scope))
                local = self.fresh(key)
                return e.MapOf(type, local, self.expression(value, below, (*scope, local)))
            case t.Set():
                return self.set(type, depth, scope)
            case t.Seq():
                return self.sequence(type, depth, scope)
        return e.EmptyBag(type)

    def integer(self, type: t.Int, depth: int, scope: Scope) -> e.Expression:
        if depth == 0 or self.below(4) < 2:
            return e.Const(type, type.lo + self.below(min(type.hi - type.lo + 1, 6)))
        containers = self.places(scope, lambda k: isinstance(k, t.Set | t.Seq | t.Bag))
        if containers and self.chance(3):
            return self.narrow(type, e.Length(t.Int(0, 200), self.pick(containers)))
        sequences = self.places(scope, lambda k: isinstance(k, t.Seq | t.Bag))
        if sequences and self.chance(4):
            container = self.pick(sequences)
            assert isinstance(container.type, t.Seq | t.Bag)
            item = self.expression(container.type.item, depth - 1, scope)
            return self.narrow(type, e.Count(t.Int(0, 10), container, item))
        if self.chance(4):
            generators, inner = self.generators(depth - 1, scope)
            operator = self.pick(["sum", "min", "max"])
            default = self.expression(type, 0, scope) if operator != "sum" and self.chance(2) else None
            body = self.expression(type, depth - 1, inner)
            kind = t.Int(-1000, 1 << 30) if operator == "sum" else type
            return self.narrow(type, e.Aggregate(kind, operator, generators, body, default, self.next_line()))
        operator = self.pick(["+", "-", "*", "//", "%", "min", "max"])
        operands = [self.expression(self.pick([type, t.Int(-3, 3)]), depth - 1, scope) for _ in "ab"]
        return self.narrow(type, e.Arithmetic(t.Int(-(1 << 42), 1 << 42), operator, *operands, self.next_line()))

    def narrow(self, type: t.Type, value: e.Expression) -> e.Expression:
        return e.Narrow(type, value, self.next_line())

    def boolean(self, depth: int, scope: Scope) -> e.Expression:
        if depth == 0:
            return e.Const(BOOL, self.below(2))
        below = depth - 1
        match self.below(9):
            case 0:
                return e.Not(BOOL, self.boolean(below, scope))
            case 1 | 2:
                kind = self.pick([e.And, e.Or])
                return kind(BOOL, tuple(self.boolean(below, scope) for _ in range(2 + self.below(2))))
            case 3:
                generators, inner = self.generators(below, scope)
                return e.Quantifier(BOOL, self.pick(["any", "all"]), generators, self.boolean(below, inner))
            case 4:
                found = self.places(scope, lambda k: isinstance(k, t.Optional | t.Union))
                if found:
                    place = self.pick(found)
                    if isinstance(place.type, t.Union):
                        return e.IsVariant(BOOL, place, self.pick(list(place.type.variants)).name)
                    return e.IsNone(BOOL, place)
            case 5:
                found = self.places(scope, lambda k: isinstance(k, t.Set | t.Seq | t.Bag))
                if found:
                    place = self.pick(found)
                    assert isinstance(place.type, t.Set | t.Seq | t.Bag)
                    return e.Contains(BOOL, place, self.expression(place.type.item, below, scope))
            case 6:
                found = self.places(scope, lambda k: isinstance(k, t.Set))
                if found:
                    place = self.pick(found)
                    return e.Subset(BOOL, place, self.expression(place.type, below, scope), self.chance(2))
        return self.comparison(below, scope)

    def comparison(self, depth: int, scope: Scope) -> e.Expression:
        places = self.places(scope, lambda _: True)
        left = self.pick(places) if places else e.Const(BOOL, 1)
        right = self.expression(left.type, depth, scope)
        ordered = isinstance(left.type, t.Int | t.Enum | t.Bool) or _ordered(left.type)
        return e.Compare(BOOL, self.pick(["==", "!=", *(["<", "<=", ">", ">="] if ordered else [])]), left, right)

    def generators(self, depth: int, scope: Scope) -> tuple[tuple[e.Generator, ...], Scope]:
        result = []
        for _ in range(1 + self.chance(3)):
            iterable, item = self.iterable(depth, scope)
            local = self.fresh(item)
            scope = (*scope, local)
            conditions = (self.boolean(depth, scope),) if self.chance(2) else ()
            result.append(e.Generator(local, iterable, conditions))
        return tuple(result), scope

    def iterable(self, depth: int, scope: Scope) -> tuple[e.Expression, t.Type]:
        found = self.places(scope, lambda k: isinstance(k, t.Set | t.Seq | t.Bag))
        if found and not self.chance(3):
            place = self.pick(found)
            assert isinstance(place.type, t.Set | t.Seq | t.Bag)
            return place, place.type.item
        if self.chance(3):
            item = t.Int(0, 3)
            bounds = [self.expression(item, depth, scope) for _ in "ab"]
            return e.Range(t.Seq(item, 4), *bounds), item
        kind = self.enumerable(6)
        return e.Domain(t.Set(kind)), kind

    def set(self, type: t.Set, depth: int, scope: Scope) -> e.Expression:
        below = max(depth - 1, 0)
        match self.below(4) if depth else 0:
            case 0:
                return e.MakeSet(type, tuple(self.expression(type.item, below, scope) for _ in range(self.below(3))))
            case 1:
                generators, inner = self.generators(below, scope)
                return e.SetOf(type, generators, self.expression(type.item, below, inner))
            case 2:
                operands = [self.expression(type, below, scope) for _ in "ab"]
                return e.SetOperation(type, self.pick(["|", "&", "-", "^"]), *operands)
        return e.Domain(type)

    def sequence(self, type: t.Seq, depth: int, scope: Scope) -> e.Expression:
        below = max(depth - 1, 0)
        match self.below(5) if depth else 0:
            case 1:
                generators, inner = self.generators(below, scope)
                return e.SeqOf(type, generators, self.expression(type.item, below, inner), self.next_line())
            case 2:
                operands = [self.expression(type, below, scope) for _ in "ab"]
                return self.narrow(type, e.Concat(t.Seq(type.item, 2 * type.capacity), *operands))
            case 3:
                bounds = [self.expression(t.Int(0, 3), 0, scope) if self.chance(2) else None for _ in "ab"]
                return e.Slice(type, self.expression(type, below, scope), *bounds, self.next_line())
            case 4:
                found = self.places(scope, lambda k: isinstance(k, t.Seq | t.Bag) and k.item == type.item)
                if found:
                    return self.sorted(type, self.pick(found), scope)
        number = self.below(type.capacity + 1)
        return e.MakeSeq(type, tuple(self.expression(type.item, below, scope) for _ in range(number)))

    def sorted(self, type: t.Seq, value: e.Expression, scope: Scope) -> e.Expression:
        assert isinstance(value.type, t.Seq | t.Bag)
        local, key = self.fresh(type.item), None
        if self.chance(2):
            key = self.expression(self.pick([BOOL, t.Int(0, 2)]), 1, (*scope, local))
        result = e.Sorted(t.Seq(type.item, value.type.capacity), value, local if key else None, key, self.chance(2))
        return result if result.type == type else self.narrow(type, result)

    # -- statements
    # ----------------------------------------------------------------------------------------------------------

    def block(self, depth: int, scope: Scope, targets: Scope, loop: bool) -> tuple[s.Statement, ...]:
        result: list[s.Statement] = []
        for _ in range(1 + self.below(3)):
            statement = self.statement(depth, scope, targets, loop)
            result.append(statement)
            if isinstance(statement, s.Choose):
                scope = (*scope, statement.local)
        return tuple(result)

    def statement(self, depth: int, scope: Scope, targets: Scope, loop: bool) -> s.Statement:
        line = self.next_line()
        kind = self.below(16)
        if depth > 0:
            match kind:
                case 0 | 1:
                    arms = [self.block(depth - 1, scope, targets, loop) for _ in "ab"]
                    return s.If(line, self.boolean(2, scope), arms[0], arms[1] if self.chance(2) else ())
                case 2 | 3:
                    iterable, item = self.iterable(1, scope)
                    local = self.fresh(item)
                    return s.For(line, local, iterable, self.block(depth - 1, (*scope, local), targets, True))
                case 4:
                    label = f"label{self.next_line()}"
                    leave = s.If(line, self.boolean(2, scope), (s.Leave(line, label),))
                    rest = self.block(depth - 1, scope, targets, False)
                    return s.Block(line, label, (*self.block(depth - 1, scope, targets, False), leave, *rest))
                case 5:
                    return self.countdown(depth, scope, targets)
        match kind:
            case 6 if loop:
                return s.If(line, self.boolean(1, scope), (self.pick([s.Break, s.Continue])(line),))
            case 7 | 8:
                return s.Require(line, self.boolean(2, scope))
            case 9 if self.chance(3):
                return s.Assert(line, self.boolean(2, scope), "assertion")
            case 9 if self.chance(3):
                return s.If(
                    line,
                    self.boolean(2, scope),
                    (self.pick([s.Stop(line), s.Stop(line, crash=True), s.Fail(line, "failed")]),),
                )
            case 10:
                iterable, item = self.iterable(1, scope)
                return s.Choose(line, self.fresh(item), iterable)
        return self.write(scope, targets)

    def countdown(self, depth: int, scope: Scope, targets: Scope) -> s.Statement:
        """A loop that may run long but not for ever: its body breaks in the end."""
        line = self.next_line()
        body = self.block(depth - 1, scope, targets, True)
        return s.While(
            line, self.boolean(2, scope), (*body, s.If(line, self.boolean(2, scope), (s.Break(line),)), s.Break(line))
        )

    def write(self, scope: Scope, targets: Scope) -> s.Statement:
        line = self.next_line()
        places = [p for base in targets for p in self.parts(base, 2, scope)]
        target = self.pick(places)
        kind = target.type
        if self.chance(3):
            return s.Assign(line, target, self.expression(kind, 2, scope))
        match kind:
            case t.Set(item):
                value = self.expression(item, 1, scope)
                if self.chance(2):
                    return s.SetAdd(line, target, value)
                return s.SetRemove(line, target, value, self.chance(3))
            case t.Seq(item, _):
                return self.write_sequence(line, target, item, scope)
            case t.Bag(item, _, _):
                value = self.expression(item, 1, scope)
                if self.chance(2):
                    return s.BagRemove(line, target, value, self.chance(3), self.chance(2))
                return s.BagAdd(line, target, value)
        return s.Assign(line, target, self.expression(kind, 2, scope))

    def write_sequence(self, line: int, target: e.Expression, item: t.Type, scope: Scope) -> s.Statement:
        place = self.expression(t.Int(0, 2), 1, scope)
        match self.below(4):
            case 0:
                return s.SeqRemoveAt(line, target, place)
            case 1:
                return s.SeqInsert(line, target, place, self.expression(item, 1, scope))
        return s.SeqAppend(line, target, self.expression(item, 1, scope))

    # -- models
    # --------------------------------------------------------------------------------------------------------------

    def action(self, name: str, variables: Scope) -> Action:
        parameters = [self.fresh(self.enumerable(4)) for _ in range(self.below(3))]
        stored = self.fresh(self.type(1))
        given = s.Assign(1, stored, self.expression(stored.type, 1, (*variables, *parameters)))
        scope = (*variables, *parameters, stored)
        body = (given, *self.block(2, scope, (*variables, stored), False))
        if self.chance(2):
            body = self.block(1, (*variables, *parameters), variables, False)
        return Action(
            name,
            tuple(Parameter(p.name, p.type) for p in parameters),
            (Parameter(stored.name, stored.type),),
            body,
            self.chance(4),
        )

    def model(self) -> Model:
        variables = tuple(e.Variable(self.type(2 + self.chance(4)), f"v{i}") for i in range(1 + self.below(3)))
        actions = tuple(self.action(f"a{i}", variables) for i in range(1 + self.below(2)))
        local = self.fresh(COLORS)
        starts = [s.Assign(1, v, self.expression(v.type, self.below(2), (local,))) for v in variables]
        initial = Action("initial", (), (), (s.Choose(1, local, e.Domain(t.Set(COLORS))), *starts))
        properties = []
        before = tuple(e.Variable(v.type, v.name, True) for v in variables)
        for kind in ("invariant", "reachable", "step", "quiescence"):
            scope = (*variables, *before) if kind == "step" else variables
            self.functions.append(Function(kind, (), (), BOOL, (s.Return(1, self.boolean(2, scope)),)))
            properties.append(Property(kind, kind, kind, self.next_line()))
        constraints: tuple[str, ...] = ()
        if self.chance(3):
            self.functions.append(Function("constraint", (), (), BOOL, (s.Return(1, self.boolean(2, variables)),)))
            constraints = ("constraint",)
        return Model(
            "random",
            tuple(StateVariable(v.name, v.type) for v in variables),
            tuple(self.functions),
            initial,
            actions,
            tuple(properties),
            constraints,
        )


def _ordered(type: t.Type) -> bool:
    match type:
        case t.Record(_, fields):
            return all(_ordered(k) for _, k in fields)
        case t.Optional(item):
            return _ordered(item)
        case t.Union(_, variants):
            return all(_ordered(v) for v in variants)
    return not isinstance(type, t.Map | t.Set | t.Seq | t.Bag)
