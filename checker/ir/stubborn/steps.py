"""Symbolic execution of steps on terms (`terms`): what each step leaves in each part of the state.

If terms do not decide a condition, `Undecided` is raised, and the caller executes the steps again with each of its
values. Where it stops: statements that terms cannot express, and what may be an error, are `NotFollowed`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from attrs import define, field

from checker.frozen import frozen
from checker.ir import build
from checker.ir import expressions as e
from checker.ir import statements as s
from checker.ir import types as t
from checker.ir.facts import fits_ordinal
from checker.ir.footprints.evaluating import is_scalar, on_maps
from checker.ir.footprints.instances import opening_of
from checker.ir.model import Action, Model
from checker.ir.stubborn.terms import (
    Changed,
    NotFollowed,
    best,
    changed,
    computed,
    constant,
    field_of,
    is_decided,
    narrowed,
    plain,
)
from checker.ir.values import values
from checker.ir.visit import without_lines

MOST_DEPTH = 20
ORDER = {">=": True, ">": True, "<=": False, "<": False}
"""Whether the left operand is the greater one."""
Names = dict[str, e.Expression]


class Disabled(Exception):
    """Raised if a guard is false."""


@frozen
class Undecided(Exception):
    """Raised for a term whose value must be known to go on, with the values that it can have."""

    term: e.Expression
    values: tuple[e.Expression, ...]


class _Left(Exception):
    """Raised to leave a loop, a block or a step."""


class _Continued(Exception): ...


class _Returned(Exception): ...


@define
class Steps:
    """Executes steps one after the other.  held: values of terms, assumed; bounded: the values of a number of the state
    before, if they are few and known; written: terms for the places that were written; sent: the messages sent."""

    model: Model
    held: Mapping[e.Expression, e.Expression]
    bounded: Callable[[e.Expression], Sequence[int] | None]
    written: dict[e.Expression, e.Expression] = field(factory=dict)
    sent: Counter[tuple[str, e.Expression]] = field(factory=Counter)
    _message: str = ""
    _depth: int = 0

    def receive(self, action: Action, arguments: Sequence[e.Expression], message: e.Expression) -> None:
        """The step of a handler that receives this message.  Raises Disabled, Undecided, NotFollowed."""
        opening = opening_of(action)
        assert opening is not None
        self._message = opening.local.name
        names = {p.name: plain(x) for p, x in zip(action.parameters, arguments)}
        names[self._message] = message
        try:
            self._run(action.body[1:], names)
        except _Left:
            pass

    # -- statements

    def _run(self, body: Sequence[s.Statement], names: Names) -> None:
        for statement in body:
            self._statement(statement, names)

    def _statement(self, node: s.Statement, names: Names) -> None:
        match node:
            case s.Assign(_, e.Local(_, name), value):
                names[name] = self.value(value, names)
            case s.Assign(_, target, value):
                given = self.value(value, names)
                self._write(self._place(target, names), given)
            case s.SetAdd(_, target, item):
                self._put(target, item, names, True)
            case s.SetRemove(_, target, item, strict):
                if strict and not self._decide(self._member(self.value(target, names), self.value(item, names))):
                    raise NotFollowed
                self._put(target, item, names, False)
            case s.BagAdd(_, e.Variable(t.Bag(grow=grow), name), item) if grow is not None:
                self.sent[name, self.value(item, names)] += 1
            case s.BagRemove(_, e.Variable(), e.Local(_, name), _, False) if name == self._message:
                pass  # each receipt takes its own
            case s.If(_, condition, then, other):
                self._run(then if self._holds(condition, names) else other, names)
            case s.For(_, local, iterable, body):
                self._for(local, iterable, body, names)
            case s.Require(_, condition):
                if not self._holds(condition, names):
                    raise Disabled
            case s.Assert(_, condition) if self._holds(condition, names):
                pass
            case s.Return(_, value):
                raise _Returned(self.value(value, names))
            case s.Block(_, _, body):
                self._run(body, names)
            case s.Continue():
                raise _Continued
            case s.Stop(_, False):
                raise _Left
            case _:
                raise NotFollowed

    def _for(self, local: e.Local, iterable: e.Expression, body: tuple[s.Statement, ...], names: Names) -> None:
        for item in self._items(iterable, names):
            names[local.name] = item
            try:
                self._run(body, names)
            except _Continued:
                pass

    def _items(self, iterable: e.Expression, names: Names) -> list[e.Expression]:
        found = self.value(iterable, names)
        if not isinstance(found, e.Domain) or not isinstance(found.type, t.Set):
            raise NotFollowed
        kind = found.type.item
        if not is_scalar(kind):
            raise NotFollowed
        return [plain(e.Const(kind, raw)) for raw in values(kind)]

    # -- the state

    def _place(self, node: e.Expression, names: Names) -> e.Expression:
        """An element of maps at known keys, or a variable."""
        if not on_maps(node):
            raise NotFollowed
        if isinstance(node, e.Index):
            key = self.value(node.key, names)
            if not isinstance(key, e.Const):
                raise NotFollowed
            return e.Index(node.type, self._place(node.base, names), key)
        return node

    def read(self, place: e.Expression) -> e.Expression:
        """What a place has after the steps so far."""
        if place in self.written:
            return self.written[place]
        if isinstance(place.type, t.Map | t.Bag):
            raise NotFollowed  # so no place is inside another one
        if isinstance(place.type, t.Int) and (few := self.bounded(place)) is not None:
            return self._known(place, tuple(map(build.integer, few)))
        return place

    def _write(self, place: e.Expression, value: e.Expression) -> None:
        if isinstance(place.type, t.Map | t.Bag):
            raise NotFollowed
        self.written[place] = value

    def _put(self, target: e.Expression, item: e.Expression, names: Names, inside: bool) -> None:
        """Put an item into a set, or take it out."""
        place = self._place(target, names)
        self._write(place, changed(self.read(place), [self.value(item, names)], inside))

    # -- terms

    def value(self, node: e.Expression, names: Names) -> e.Expression:
        """The value of an expression as a term."""
        match node:
            case e.Const() | e.NoneValue() | e.Domain():
                return plain(node)
            case e.Local(_, name):
                if name not in names:
                    raise NotFollowed
                return names[name]
            case e.Variable() | e.Index() if on_maps(node):
                return self.read(self._place(node, names))
            case e.And(_, operands):
                return build.boolean(all(self._holds(x, names) for x in operands))
            case e.Or(_, operands):
                return build.boolean(any(self._holds(x, names) for x in operands))
            case e.IfElse(_, condition, then, other):
                return self._either(condition, then, other, names)
            case e.Quantifier(_, operator, (e.Generator() as only,), body):
                rounds = (self._holds(body, {**names, only.local.name: x}) for x in self._filtered(only, names))
                return build.boolean(any(rounds) if operator == "any" else all(rounds))
            case e.Call(_, name, arguments):
                return self._call(name, [self.value(x, names) for x in arguments])
        return self._made(node, names)

    def _made(self, node: e.Expression, names: Names) -> e.Expression:
        """A term from those of the parts."""
        match node:
            case e.Field(kind, base, name):
                return field_of(kind, self.value(base, names), name)
            case e.IsVariant(_, base, name):
                return build.boolean(self._variant(base, names).variant == name)
            case e.VariantField(_, base, variant, name):
                return self._variant_field(self._variant(base, names), variant, name)
            case e.IsNone(_, value):
                given = self.value(value, names)
                return build.boolean(isinstance(given, e.NoneValue)) if is_decided(given) else build.is_none(given)
            case e.Some(kind, value):
                return e.Some(kind, self.value(value, names))
            case e.Unwrap(kind, value):
                return self._unwrapped(kind, self.value(value, names))
            case e.Narrow(kind, value):
                return narrowed(kind, self.value(value, names))
            case e.Not(_, value):
                return build.boolean(not self._holds(value, names))
            case e.Compare(_, operator, left, right):
                return self._compared(operator, self.value(left, names), self.value(right, names))
            case e.Arithmetic(_, operator, left, right):
                return computed(operator, self.value(left, names), self.value(right, names))
            case e.Contains(_, container, item):
                return self._member(self.value(container, names), self.value(item, names))
            case e.SetOperation(_, "|" | "-" as operator, left, e.MakeSet(_, items)):
                return changed(self.value(left, names), [self.value(x, names) for x in items], operator == "|")
            case e.Length(kind, value):
                return e.Length(kind, self.value(value, names))
            case e.MakeRecord(kind, fields):
                return e.MakeRecord(kind, tuple(self.value(x, names) for x in fields))
            case e.MakeVariant(kind, variant, fields):
                return e.MakeVariant(kind, variant, tuple(self.value(x, names) for x in fields))
            case e.Ordinal(_, value):
                return build.integer(constant(self.value(value, names)))
            case e.FromOrdinal(kind, value) if fits_ordinal(node):
                return e.Const(kind, constant(self.value(value, names)))
        raise NotFollowed

    def _filtered(self, generator: e.Generator, names: Names) -> list[e.Expression]:
        found = self._items(generator.iterable, names)
        inner = ((x, {**names, generator.local.name: x}) for x in found)
        return [x for x, known in inner if all(self._holds(c, known) for c in generator.conditions)]

    def _call(self, name: str, arguments: list[e.Expression]) -> e.Expression:
        function = self.model.function(name)
        self._depth += 1
        if self._depth > MOST_DEPTH:
            raise NotFollowed
        try:
            self._run(function.body, {p.name: x for p, x in zip(function.parameters, arguments)})
        except _Returned as result:
            found: e.Expression = result.args[0]
            return found
        finally:
            self._depth -= 1
        raise NotFollowed

    def _either(self, condition: e.Expression, then: e.Expression, other: e.Expression, names: Names) -> e.Expression:
        """One of two values: the greater or lesser of the compared values, or the value that the condition selects."""
        if isinstance(condition, e.Compare):
            compared = [self.value(x, names) for x in (condition.left, condition.right)]
            if not isinstance(self._compared(condition.operator, *compared), e.Const):
                left, right, *chosen = map(without_lines, (condition.left, condition.right, then, other))
                if condition.operator in ORDER and chosen in ([left, right], [right, left]):
                    greater = ORDER[condition.operator] == (chosen[0] == left)
                    return best("max" if greater else "min", *compared)
        return self.value(then if self._holds(condition, names) else other, names)

    def _variant(self, node: e.Expression, names: Names) -> e.MakeVariant:
        found = self.value(node, names)
        if not isinstance(found, e.MakeVariant):
            raise NotFollowed
        return found

    def _variant_field(self, made: e.MakeVariant, variant: str, name: str) -> e.Expression:
        if made.variant != variant or not isinstance(made.type, t.Union):
            raise NotFollowed
        record = made.type.variants[t.variant_number(made.type, variant)]
        return made.fields[t.field_number(record, name)]

    def _unwrapped(self, kind: t.Type, given: e.Expression) -> e.Expression:
        if isinstance(given, e.Some):
            return given.value
        if isinstance(given, e.NoneValue) or self._decide(build.is_none(given)):
            raise NotFollowed
        return e.Unwrap(kind, given)

    def _compared(self, operator: str, left: e.Expression, right: e.Expression) -> e.Expression:
        if isinstance(left, e.Const) and isinstance(right, e.Const):
            return build.boolean(build.COMPARISONS[operator](left.value, right.value))
        if left == right:
            return build.boolean(operator in ("==", "<=", ">="))
        if operator == "==" and isinstance(left, e.Length) and right == build.integer(0) and self._filled(left.value):
            return build.FALSE
        return build.compare(operator, left, right)

    def _filled(self, found: e.Expression) -> bool:
        """Whether a set certainly has a member."""
        was = found if isinstance(found, Changed) else Changed(found.type, found, frozenset(), frozenset())
        members = (x for x, truth in self.held.items() if truth == build.TRUE and isinstance(x, e.Contains))
        return bool(was.put) or any(x.container == was.base and x.item not in was.taken for x in members)

    def _member(self, container: e.Expression, item: e.Expression) -> e.Expression:
        if not isinstance(container.type, t.Set) or not isinstance(item, e.Const):
            raise NotFollowed
        if isinstance(container, e.Domain):
            return build.TRUE
        if isinstance(container, Changed):
            if item in container.put or item in container.taken:
                return build.boolean(item in container.put)
            container = container.base
        return build.contains(container, item)

    # -- conditions

    def _holds(self, condition: e.Expression, names: Names) -> bool:
        return self._decide(self.value(condition, names))

    def _decide(self, term: e.Expression) -> bool:
        return bool(constant(self._known(term, (build.TRUE, build.FALSE))))

    def _known(self, term: e.Expression, options: tuple[e.Expression, ...]) -> e.Expression:
        if isinstance(term, e.Const):
            return term
        if term not in self.held:
            raise Undecided(term, options)
        return self.held[term]
