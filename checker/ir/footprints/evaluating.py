"""Abstract evaluation of expressions: the possible values of each, and the parts of the state that it reads.

The evaluator that defines the intermediate representation computes values that constants determine, so they have no
second definition here.  Loops over known items are followed item by item, all others once for any item.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from attrs import define, evolve, field

from checker.frozen import frozen
from checker.ir import expressions as e
from checker.ir import types as t
from checker.ir.domain import size
from checker.ir.evaluate.environment import Environment, Failure
from checker.ir.evaluate.expressions import evaluate, items
from checker.ir.evaluate.statements import call
from checker.ir.facts import fails_with_calls, root, variables_read, within
from checker.ir.footprints import shapes
from checker.ir.footprints.effort import Effort
from checker.ir.footprints.knowledge import Knowledge, Value
from checker.ir.footprints.making import made
from checker.ir.footprints.places import At, Member, Part, key_of, member
from checker.ir.footprints.shapes import ANYTHING, Known, Shape
from checker.ir.model import Function, Model
from checker.ir.values import Raw, values
from checker.ir.visit import children, walk, with_children

MANY = 1 << 20
"""Stands for any number."""
MOST_ITEMS = 64
"""Loops over more items are not followed item by item."""
MOST_VALUES = 16
"""An expression with more values is not split by its value."""


@frozen
class Read:
    """A read of a part.  through: the functions from the action to the read, with their lines; "" is the action itself.
    crash: only if the acting process crashes in the middle of the step.
    """

    part: Part
    through: tuple[tuple[str, int], ...] = ()
    crash: bool = False


class _Open(Exception):
    """Raised if an expression has no equal among the expressions over the state before the step."""


@define
class Evaluation:
    """Evaluates expressions in one instance, and records reads."""

    model: Model
    effort: Effort
    _static: dict[int, tuple[Any, bool, frozenset[str]]] = field(factory=dict)
    reads: dict[Read, None] = field(factory=dict)
    places: list[tuple[str, int]] = field(factory=lambda: [("", 0)])  # function and line, of the calls around
    split: Callable[[e.Expression, Knowledge], Shape] | None = None
    """Splits cases where an expression determines whose part is accessed."""
    call: Callable[[Function, list[Value]], Shape] | None = None
    settled: Callable[[Part, e.Contains], Shape | None] | None = None
    """Splits cases by values that the initial state determines."""

    # -- what constants decide

    def _facts(self, node: e.Expression) -> tuple[bool, frozenset[str]]:
        """Whether an expression reads no state, and the locals that it needs."""
        found = self._static.get(id(node))
        if found is None:
            parts = list(walk(node))
            called = [x.function for x in parts if isinstance(x, e.Call)]
            static = not any(isinstance(x, e.Variable) for x in parts) and all(map(self._pure, called))
            free = frozenset(x.name for x in parts if isinstance(x, e.Local)) - _bound(parts)
            found = self._static[id(node)] = node, static, free
        return found[1], found[2]

    def _pure(self, name: str) -> bool:
        return not any(isinstance(x, e.Variable) for x in within(self.model, self.model.function(name)))

    def _decided(self, node: e.Expression, names: dict[str, Raw]) -> Shape:
        try:
            return Known(evaluate(Environment(self.model, {}, {}, names, call=call), node))
        except Failure:
            return ANYTHING

    def _given(self, node: e.Expression, known: Knowledge) -> Shape | None:
        """The value if constants and known locals determine it."""
        static, free = self._facts(node)
        if not static:
            return None
        names = {}
        for name in free:
            shape = known.locals[name].shape if name in known.locals else ANYTHING
            if not isinstance(shape, Known):
                return None
            names[name] = shape.raw
        return self._decided(node, names)

    # -- values

    def value(self, node: e.Expression, known: Knowledge) -> Shape:
        """The possible values of an expression; its reads are recorded."""
        self.effort.spend()
        if (given := self._given(node, known)) is not None:
            return given
        match node:
            case e.Local(_, name):
                return known.locals[name].shape if name in known.locals else ANYTHING
            case e.Variable() | e.Index() if on_maps(node):
                return self._place(node, known)
            case e.Contains(_, container) if isinstance(container.type, t.Set) and on_maps(container):
                return self._member(node, known)
            case e.Not(_, inner):
                shape = self.value(inner, known)
                return Known(1 - shape.raw) if isinstance(shape, Known) else ANYTHING
            case e.And(_, operands):
                return self._sequence(operands, known, 0)
            case e.Or(_, operands):
                return self._sequence(operands, known, 1)
            case e.IfElse(_, condition, then, other):
                return self._either(condition, then, other, known)
            case e.Quantifier() | e.Aggregate() | e.SetOf() | e.SeqOf() | e.MapOf() | e.Sorted():
                return self._loop(node, known)
            case e.Call(_, name, arguments):
                assert self.call is not None
                return self.call(self.model.function(name), [self.whole(a, known) for a in arguments])
            case e.After(_, earlier, inner):
                for part in earlier:
                    self.value(part, known)
                return self.value(inner, known)
            case e.FromOrdinal(_, inner):
                return self._identity(node, inner, known)
        return self._made(node, [self.value(x, known) for x in children(node)])

    def whole(self, node: e.Expression, known: Knowledge) -> Value:
        """The possible values of an expression, with its closed form."""
        shape = self.value(node, known)
        wanted = is_scalar(node.type) or isinstance(root(node), e.Local)  # of records: parts of what was received
        return Value(shape, self.closed(node, known) if wanted and not isinstance(shape, Known) else None)

    def _identity(self, node: e.FromOrdinal, inner: e.Expression, known: Knowledge) -> Shape:
        """Split the cases of an expression that selects an identity, because the identity determines which parts are
        accessed.
        """
        number = self.value(inner, known)
        if not isinstance(number, Known) and self.split is not None:
            number = self.split(inner, known)
        return self._made(node, [number])

    def _sequence(self, operands: tuple[e.Expression, ...], known: Knowledge, deciding: int) -> Shape:
        result: Shape = Known(1 - deciding)
        for operand in operands:
            shape = self.value(operand, known)
            if not isinstance(shape, Known):
                result = ANYTHING
            elif shape.raw == deciding:
                return shape if isinstance(result, Known) else result
        return result

    def _either(self, condition: e.Expression, then: e.Expression, other: e.Expression, known: Knowledge) -> Shape:
        shape = self.value(condition, known)
        if isinstance(shape, Known):
            return self.value(then if shape.raw else other, known)
        return shapes.join(self.value(then, known), self.value(other, known))

    def _made(self, node: e.Expression, parts: list[Shape]) -> Shape:
        """A value from its parts."""
        if (found := made(node, parts)) is not None:
            return found
        names = {f"${i}": p.raw for i, p in enumerate(parts) if isinstance(p, Known)}
        places = iter(range(len(parts)))
        return self._decided(with_children(node, lambda x: e.Local(x.type, f"${next(places)}")), names)

    # -- loops

    def _loop(self, node: Any, known: Knowledge) -> Shape:
        match node:
            case e.MapOf(type, local, body):
                assert isinstance(type, t.Map)
                domain = e.Domain(t.Set(type.key))
                self._generators((e.Generator(local, domain),), body, known)
            case e.Sorted(_, value, local, by):
                shape = self.value(value, known)
                if local is not None and by is not None:
                    self._generators((e.Generator(local, value),), by, known)
                found = shapes.contents(shape, value.type)
                return ANYTHING if found is None else shapes.within(found)
            case e.Aggregate(_, _, generators, body, default):
                self._generators(generators, body, known)
                if default is not None:
                    self.value(default, known)
            case e.Quantifier(_, operator, generators, body):
                other = shapes.TRUE if operator == "all" else shapes.FALSE
                return other if set(self._generators(generators, body, known)) <= {other} else ANYTHING
            case _:
                each = [shapes.options(x) for x in self._generators(node.generators, node.body, known)]
                if is_scalar(node.body.type) and None not in each:
                    return shapes.within(frozenset().union(*(x for x in each if x is not None)))
        return ANYTHING

    def _generators(
        self, generators: tuple[e.Generator, ...], body: e.Expression, known: Knowledge
    ) -> dict[Shape, None]:
        """The possible values of the body in all rounds."""
        if not generators:
            return {self.value(body, known): None}
        first, *rest = generators
        found: dict[Shape, None] = {}
        for item in self.items(first.iterable, known):
            inner = known.copy()
            inner.locals[first.local.name] = Value(item)
            conditions = [self.value(c, inner) for c in first.conditions]
            if shapes.FALSE not in conditions:
                found.update(self._generators(tuple(rest), body, inner))
        return found

    def items(self, iterable: e.Expression, known: Knowledge) -> list[Shape]:
        """The items of an iterable, one by one if they are few and known; else any item."""
        shape = self.value(iterable, known)
        if isinstance(shape, Known) and len(found := items(iterable.type, shape.raw)) <= MOST_ITEMS:
            return [Known(raw) for raw in found]
        if isinstance(shape, shapes.Within):
            return [shapes.one_of(shape.raws)] if shape.raws else []
        return [ANYTHING]

    # -- parts of the state

    def part(self, place: e.Expression, known: Knowledge) -> Part:
        """The part of the state that a chain of maps over a variable names."""
        path: list[At | Member] = []
        while isinstance(place, e.Index):
            key = self.value(place.key, known)
            path.append(At(key_of(key)))
            place = place.base
        assert isinstance(place, e.Variable)
        return Part(place.name, tuple(reversed(path)))

    def note(self, part: Part) -> None:
        """Record that a part is read here."""
        self.reads[Read(part, tuple(self.places))] = None

    def _read(self, part: Part, known: Knowledge) -> Shape:
        self.note(part)
        value = known.of(part)
        return ANYTHING if value is None else value.shape

    def _place(self, node: e.Expression, known: Knowledge) -> Shape:
        part = self.part(node, known)
        shape = self._read(part, known)
        if known.before and not isinstance(shape, Known) and part.exact and known_by_members(node.type):
            return shapes.within(known.members(part, values(node.type.item)))  # type: ignore[attr-defined]
        return shape

    def _member(self, node: e.Contains, known: Knowledge) -> Shape:
        item, of = self.value(node.item, known), self.part(node.container, known)
        if not isinstance(item, shapes.OneOf):
            part = member(of, item)
            settled = None if known.of(part) is not None else self.settled
            shape = None if settled is None else settled(part, node)
            return self._read(part, known) if shape is None else shape
        self.note(member(of, item))
        each = [known.of(member(of, Known(raw))) for raw in item.raws]
        found = {ANYTHING if value is None else value.shape for value in each}
        return found.pop() if len(found) == 1 else ANYTHING

    @contextmanager
    def inside(self, function: str, line: int) -> Iterator[None]:
        """Attribute reads in this context to the given function and line."""
        self.places.append((function, line))
        yield
        self.places.pop()

    # -- closed forms

    def closed(self, node: e.Expression, known: Knowledge) -> e.Expression | None:
        """An expression over the state before the step that has the same value and cannot fail, if there is one."""
        try:
            result: e.Expression = self._closed(node, known, _bound(walk(node)))
        except _Open:
            return None
        return None if any(self.may_fail(x, known) for x in walk(result)) else result

    def may_fail(self, node: e.Expression, known: Knowledge) -> bool:
        """Whether an expression itself may fail; a field of a variant does not if the variant is known."""
        if isinstance(node, e.VariantField) and isinstance(node.value.type, t.Union):
            shape = self.value(node.value, known)
            return shapes.is_variant(shape, node.value.type, node.variant) != shapes.TRUE
        return fails_with_calls(self.model, node)

    def _closed(self, node: Any, known: Knowledge, bound: frozenset[str]) -> Any:
        given = self._given(node, known) if isinstance(node, e.Expression) else None
        if isinstance(given, Known) and is_scalar(node.type):
            return e.Const(node.type, given.raw)
        match node:
            case e.Local(kind, name):
                if name in bound:
                    return node
                value = known.locals.get(name, Value())
                if isinstance(value.shape, Known) and is_scalar(kind):
                    return e.Const(kind, value.shape.raw)
                if value.closed is None:
                    raise _Open
                return value.closed
            case e.Variable() | e.Index() if on_maps(node):
                return self._closed_place(node, known, bound)
            case e.Contains(_, container) if isinstance(container.type, t.Set) and on_maps(container):
                return self._closed_member(node, known, bound)
            case e.Narrow(_, value):
                return self._closed(value, known, bound)
            case e.Call(_, name, _):
                read = variables_read(self.model, self.model.function(name))
                if any(v.written and p.variable in read for p, v in known.parts.items()):
                    raise _Open
        return with_children(node, lambda part: self._closed(part, known, bound))

    def _closed_place(self, node: Any, known: Knowledge, bound: frozenset[str]) -> e.Expression:
        self.places.append(("", 0))
        reads = dict(self.reads)
        value = known.of(self.part(node, known))
        self.reads = reads
        self.places.pop()
        if value is not None and isinstance(value.shape, Known) and is_scalar(node.type):
            return e.Const(node.type, value.shape.raw)
        if value is not None and value.written:
            if value.closed is None:
                raise _Open
            return value.closed
        if isinstance(node, e.Variable):
            return node
        result = node
        keys = []
        while isinstance(result, e.Index):
            keys.append((result, self._closed(result.key, known, bound)))
            result = result.base
        for index, key in reversed(keys):
            result = evolve(index, base=result, key=key)
        return result  # type: ignore[no-any-return]

    def _closed_member(self, node: e.Contains, known: Knowledge, bound: frozenset[str]) -> e.Expression:
        reads = dict(self.reads)
        item = self.value(node.item, known)
        value = known.of(member(self.part(node.container, known), item))
        self.reads = reads
        if value is not None and isinstance(value.shape, Known):
            return e.Const(node.type, value.shape.raw)
        if value is not None and value.written:
            raise _Open
        container = self._closed_place(node.container, Knowledge(known.locals), bound)
        return evolve(node, container=container, item=self._closed(node.item, known, bound))


def _bound(nodes: Iterable[Any]) -> frozenset[str]:
    """The locals that nodes bind inside an expression."""
    binding = (x for x in nodes if isinstance(x, e.Generator | e.MapOf | e.Sorted))
    return frozenset(x.local.name for x in binding if x.local is not None)


def known_by_members(type: t.Type) -> bool:
    """Whether the contents of a collection are known member by member: a set or sequence of few numbers or
    identities."""
    return isinstance(type, t.Set | t.Seq) and is_scalar(type.item) and (size(type.item) or MANY) <= MOST_ITEMS


def is_scalar(type: t.Type) -> bool:
    """Whether values of a type are single numbers."""
    return type.__class__ in t.SCALARS


def on_maps(node: e.Expression) -> bool:
    """Whether an expression is an element of maps in a variable, or the variable."""
    while isinstance(node, e.Index) and isinstance(node.base.type, t.Map):
        node = node.base
    return isinstance(node, e.Variable) and not node.before
