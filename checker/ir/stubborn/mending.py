"""Which changes of variables may make a false invariant true again (*mend* it).

A reduced search postpones steps, and a postponed violation must still occur.  The key of a stubborn set must therefore
not mend an invariant.  The text of the invariant decides which changes may: a variable grows (a sequence at its end, a
set, a number), falls, or is set.  `x in delivered[p]` becomes true when `delivered` grows, and false when it falls or
is set; `all` over a growing set can only become false; an item found in a sequence that only grows stays the first.
Where it stops: an expression that is not recognised may be mended by any change of a variable that it reads.
"""

from __future__ import annotations

from itertools import count, product
from typing import Any

from attrs import define, field, frozen

from checker.ir import build
from checker.ir import expressions as e
from checker.ir import statements as s
from checker.ir import types as t
from checker.ir.facts import root, variables_read, with_bodies
from checker.ir.footprints.evaluating import on_maps
from checker.ir.footprints.instances import Instance, Kind
from checker.ir.model import Function, Model
from checker.ir.visit import rewrite, substitute, walk, without_lines

WAYS = ("grows", "falls", "set")
Change = tuple[str, str]  # a variable and a way
Changes = frozenset[Change]
NO: Changes = frozenset()


@frozen
class Turns:
    """The changes by which an expression may become true (or larger), and false (or smaller)."""

    up: Changes = NO
    down: Changes = NO

    @property
    def swapped(self) -> Turns:
        """The changes for the negation."""
        return Turns(self.down, self.up)

    @property
    def any(self) -> Changes:
        """The changes of either."""
        return self.up | self.down

    def __or__(self, other: Turns) -> Turns:
        return Turns(self.up | other.up, self.down | other.down)


def mended_by(model: Model, function: str, fails: bool = False) -> Changes:
    """The changes that may make an invariant true where it is false.  fails: its evaluation may be an error, which any
    change of a variable that it reads may mend.
    """
    read = variables_read(model, model.function(function))
    if fails:
        return frozenset(product(read, WAYS))
    return frozenset(c for c in _Reading(model).function(model.function(function)).up if c[0] in read)


def turned_by(model: Model, condition: e.Expression) -> Turns:
    """The changes by which a condition may become true, and false."""
    return _Reading(model).truth(without_lines(condition, e.Expression))


def mends(instance: Instance, changes: Changes) -> bool:
    """Whether an instance, without a crash in the middle of it, makes one of these changes."""
    made = {(w.part.variable, w.way) for w in instance.writes if not w.crash}
    made |= {(kind.network, "grows") for kind in instance.sends}
    if instance.takes and isinstance(instance.head.opening, Kind):
        made.add((instance.head.opening.network, "falls"))
    return not made.isdisjoint(changes)


@define
class _Reading:
    model: Model
    numbers: Any = field(factory=count)
    members: list[tuple[e.Expression, e.Expression]] = field(factory=list)  # sequence and item, known to be in it

    # -- functions

    def function(self, function: Function) -> Turns:
        """The turns of a function's result."""
        return self._body(without_lines(function.body, e.Expression))

    def _body(self, body: tuple[s.Statement, ...]) -> Turns:
        match body:
            case (s.Return(_, value),):
                return self.truth(value)
            case (s.For() as loop, s.Return(_, e.Const(_, last))):
                if (found := self._search(loop, bool(last))) is not None:
                    return found
        return _always(self._all(body))

    def _call(self, node: e.Call) -> Turns:
        function = self.model.function(node.function)
        fresh = f"#{next(self.numbers)}"
        instead = dict(zip((p.name for p in function.parameters), node.arguments))

        def named(x: Any) -> Any:
            return e.Local(x.type, x.name + fresh) if isinstance(x, e.Local) else x

        body = rewrite(without_lines(function.body, e.Expression), named)
        places: dict[e.Expression, e.Expression] = {
            e.Local(p.type, p.name + fresh): instead[p.name] for p in function.parameters
        }
        assigned = {r.name for x in walk(body) if isinstance(x, s.Assign) and isinstance(r := root(x.target), e.Local)}
        if assigned:
            return _always(self._all((body, node.arguments)))
        return self._body(substitute(body, places))

    def _search(self, loop: s.For, last: bool) -> Turns | None:
        """A loop over a sequence that returns at the first of the items that it searches."""
        sequence = loop.iterable
        if not isinstance(sequence.type, t.Seq) or not on_maps(sequence):
            return None
        sought = []
        for statement in loop.body:
            match statement:
                case s.If(_, condition, (s.Return(_, value),), ()) if not self._all((condition, value)):
                    sought.append(condition)
                case _:
                    return None
        name = variable_of(sequence)
        keys = self._keys(sequence)
        changed = frozenset({(name, "set"), (name, "falls")}) | keys
        grows = NO if self._found(loop, sought) else frozenset({(name, "grows")})
        return Turns(changed | (NO if last else grows), changed | (grows if last else NO))

    def _found(self, loop: s.For, sought: list[e.Expression]) -> bool:
        """Whether the loop certainly ends at an item of the sequence."""
        for sequence, item in self.members:
            equal = {(loop.local, item), (item, loop.local)}
            for condition in sought:
                if isinstance(condition, e.Compare) and condition.operator == "==":
                    if sequence == loop.iterable and (condition.left, condition.right) in equal:
                        return True
        return False

    # -- truth

    def truth(self, node: e.Expression) -> Turns:
        """The turns of a Boolean expression."""
        match node:
            case e.Const():
                return Turns()
            case e.Not(_, value):
                return self.truth(value).swapped
            case e.And(_, operands) | e.Or(_, operands):
                result, known = Turns(), len(self.members)
                for operand in operands:
                    result |= self.truth(operand)
                    if isinstance(node, e.And):
                        self._learn(operand)
                del self.members[known:]
                return result
            case e.IfElse(_, condition, then, other):
                both = self.truth(then) | self.truth(other)
                return both | _always(self.truth(condition).any)
            case e.Contains(_, container, item) if on_maps(container):
                return self._of_place(container) | _always(self._all(item))
            case e.Compare(_, "<" | "<=", left, right):
                a, b = self.number(left), self.number(right)
                return Turns(a.down | b.up, a.up | b.down)
            case e.Compare(_, ">" | ">=", left, right):
                a, b = self.number(left), self.number(right)
                return Turns(a.up | b.down, a.down | b.up)
            case e.Compare(_, _, left, right):
                return _always(self.value(left) | self.value(right))
            case e.Quantifier(_, operator, generators, body):
                return self._quantified(operator == "all", generators, body)
            case e.Call():
                return self._call(node)
            case e.Subset(_, left, right):
                a, b = self.collection(left), self.collection(right)
                return Turns(a.down | b.up, a.up | b.down)
        return _always(self._all(node))

    def _quantified(self, every: bool, generators: tuple[e.Generator, ...], body: e.Expression) -> Turns:
        known, result = len(self.members), Turns()
        for g in generators:
            domain = self.collection(g.iterable)
            if isinstance(g.iterable.type, t.Seq) and on_maps(g.iterable):
                self.members.append((g.iterable, g.local))
            for condition in g.conditions:
                domain |= self.truth(condition)
                self._learn(condition)
            result |= domain.swapped if every else domain
        result |= self.truth(body)
        del self.members[known:]
        return result

    def _learn(self, condition: e.Expression) -> None:
        match condition:
            case e.Contains(_, container, item) if isinstance(container.type, t.Seq) and on_maps(container):
                self.members.append((container, item))
            case e.And(_, operands):
                for operand in operands:
                    self._learn(operand)

    # -- numbers, collections, other values

    def number(self, node: e.Expression) -> Turns:
        """The turns of a number: larger, smaller."""
        match node:
            case e.Const():
                return Turns()
            case e.Narrow(_, value):
                return self.number(value)
            case e.Length(_, value):
                return self.collection(value)
            case e.Arithmetic(_, "+" | "min" | "max", left, right):
                return self.number(left) | self.number(right)
            case e.Arithmetic(_, "-", left, right):
                return self.number(left) | self.number(right).swapped
            case e.Aggregate(_, "sum", generators, e.Const(_, each)) if each >= 0:
                return self._quantified(False, generators, node.body)
        if on_maps(node) and isinstance(node.type, t.Int):
            return self._of_place(node)
        return _always(self._all(node))

    def collection(self, node: e.Expression) -> Turns:
        """The turns of a collection: more members, fewer."""
        match node:
            case e.Domain():
                return Turns()
            case e.Range(_, e.Const(), stop):
                return self.number(stop)
            case e.SetOf(_, (generator,), body) if body == generator.local:
                return self._quantified(False, (generator,), build.TRUE)
        if on_maps(node):
            return self._of_place(node)
        return _always(self._all(node))

    def _of_place(self, node: e.Expression) -> Turns:
        """The turns of a variable or a part of one: more by growing, less by falling, both by being set."""
        name = variable_of(node)
        turns = Turns(frozenset({(name, "grows"), (name, "set")}), frozenset({(name, "falls"), (name, "set")}))
        return turns | _always(self._keys(node))

    def value(self, node: e.Expression) -> Changes:
        """The changes by which a value may change."""
        match node:
            case e.Index(_, base, key) if isinstance(base.type, t.Seq) and on_maps(base):
                name = variable_of(base)
                return frozenset({(name, "set"), (name, "falls")}) | self._keys(base) | self.value(key)
            case e.Const() | e.Local():
                return NO
        if node.type == t.Bool():
            return self.truth(node).any
        return self._all(node)

    def _keys(self, place: e.Expression) -> Changes:
        """The changes after which another part of a variable may be selected."""
        found: Changes = NO
        while isinstance(place, e.Index):
            found |= self._all(place.key)
            place = place.base
        return found

    def _all(self, node: Any) -> Changes:
        """All changes of each variable that an expression reads."""
        bodies = with_bodies(node, self.model.function)
        return frozenset(product({x.name for x in walk(bodies) if isinstance(x, e.Variable)}, WAYS))


def _always(changes: Changes) -> Turns:
    return Turns(changes, changes)


def variable_of(place: e.Expression) -> str:
    """The variable that contains a place."""
    found = root(place)
    assert isinstance(found, e.Variable)
    return found.name
