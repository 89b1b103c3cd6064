"""Whether an expression or statement may fail, given the facts that hold before it.

Where one member may end the rounds over symmetric identities (a guard, a `return`, an `any` that is true), the order
decides whether a failure for another member occurs.  There a failure must be impossible.  Conditions tested before are
known: `x is not None`, `len(s) > 0`, `isinstance(x, self.W.A)`, `n > 0`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from attrs import field

from checker.frontend import lattice
from checker.frontend.places import changed_by
from checker.frozen import frozen
from checker.ir import expressions as e
from checker.ir import model as m
from checker.ir import show
from checker.ir import statements as s
from checker.ir import types as t
from checker.ir.facts import fails_itself
from checker.ir.visit import children, walk, without_lines

Facts = frozenset[tuple[e.Expression, bool]]
NOTHING: Facts = frozenset()
NEGATED = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", "<=": ">", ">": "<="}
TURNED = {"==": "==", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}


def ends(body: tuple[s.Statement, ...]) -> bool:
    """Whether a round may end a loop without a failure: by a guard, a return, or a choice without elements."""
    ending = s.Require | s.Return | s.Stop | s.Leave | s.Choose
    every = (x for x in walk(body) if isinstance(x, ending))
    return any(not isinstance(x, s.Choose) or not isinstance(x.iterable, e.Domain) for x in every)


def facts_of(condition: e.Expression, truth: bool) -> Facts:
    """The facts that hold where a condition is true, or false."""
    match condition:
        case e.Not(_, value):
            return facts_of(value, not truth)
        case e.And(_, operands) if truth:
            return frozenset().union(*(facts_of(x, True) for x in operands))
        case e.Or(_, operands) if not truth:
            return frozenset().union(*(facts_of(x, False) for x in operands))
        case e.After(_, _, value):
            return facts_of(value, truth)
        case _:
            return frozenset({(condition, truth)})


@frozen
class Failing:
    """Decides for expressions without lines (`without_lines`)."""

    functions: Callable[[str], m.Function] = field(repr=False)
    what: list[str] = field(factory=list, init=False)  # descriptions of the expressions that may fail

    def expression(self, node: Any, known: Facts = NOTHING) -> bool:
        """Whether evaluating an expression, or one of several, may fail."""
        match node:
            case tuple():
                return any(self.expression(x, known) for x in node)
            case e.And(_, operands) | e.Or(_, operands):
                return self._in_turn(operands, known, isinstance(node, e.And))
            case e.IfElse(_, condition, then, other):
                branches = ((then, True), (other, False))
                return self.expression(condition, known) or any(
                    self.expression(x, known | facts_of(condition, truth)) for x, truth in branches
                )
            case (
                e.Quantifier(_, _, generators, body)
                | e.Aggregate(_, _, generators, body)
                | e.SetOf(_, generators, body)
                | e.SeqOf(_, generators, body)
            ):
                return (
                    self._itself(node, known)
                    or self._generated(generators, body, known)
                    or self.expression(getattr(node, "default", None), known)
                )
            case e.Call(_, name, arguments):
                return self.expression(arguments, known) or self.statements(
                    without_lines(self.functions(name).body, e.Expression)
                )
            case e.Expression():
                return self._itself(node, known) or any(self.expression(x, known) for x in children(node))
        return False

    def _in_turn(self, operands: tuple[e.Expression, ...], known: Facts, truth: bool) -> bool:
        for operand in operands:
            if self.expression(operand, known):
                return True
            known = known | facts_of(operand, truth)
        return False

    def _generated(self, generators: tuple[e.Generator, ...], body: e.Expression, known: Facts) -> bool:
        for generator in generators:
            if self.expression(generator.iterable, known) or self._in_turn(generator.conditions, known, True):
                return True
            known = known.union(*(facts_of(x, True) for x in generator.conditions))
        return self.expression(body, known)

    def _itself(self, node: e.Expression, known: Facts) -> bool:
        """Whether an expression may fail whose parts do not."""
        return fails_itself(node) and not self._ruled_out(node, known) and self._noted(_in_words(node))

    def _noted(self, what: str) -> bool:
        self.what.append(what)
        return True

    def _ruled_out(self, node: e.Expression, known: Facts) -> bool:
        """Whether the known facts exclude that an expression fails."""
        match node:
            case e.Unwrap(_, value):
                return (e.IsNone(t.Bool(), value), False) in known or any(_is_present(fact, value) for fact in known)
            case e.VariantField(_, value, variant):
                others = (
                    [v.name for v in value.type.variants if v.name != variant]
                    if isinstance(value.type, t.Union)
                    else [""]
                )
                ruled_out = all((e.IsVariant(t.Bool(), value, name), False) in known for name in others)
                return ruled_out or (e.IsVariant(t.Bool(), value, variant), True) in known
            case e.Index(_, base, key):
                return self._inside(base, key, known)
            case e.Arithmetic(_, "//" | "%", _, right):
                return (
                    isinstance(right.type, t.Int)
                    and (right.type.lo > 0 or right.type.hi < 0)
                    or least(right, known) > 0
                    or differs(right, 0, known)
                )
            case e.Aggregate(_, "min" | "max", generators, _, None):
                only = generators[0].iterable if len(generators) == 1 and not generators[0].conditions else None
                return (
                    isinstance(only, e.Domain)
                    or only is not None
                    and self._inside(only, e.Const(t.Int(0, 0), 0), known)
                )
            case e.SeqOf(t.Seq(_, capacity)):
                return capacity < lattice.LONGEST
        return False

    def _inside(self, base: e.Expression, key: e.Expression, known: Facts) -> bool:
        """Whether there is certainly an item at this place."""
        length = len(base.items) if isinstance(base, e.MakeSeq) else least(e.Length(t.Int(0, 0), base), known)
        match key:
            case e.Const(_, place):
                return place < length if place >= 0 else -place <= length
            case e.Arithmetic(_, "+", e.Length(_, of), e.Const(_, place)):  # x[-1]
                return of == base and -length <= place < 0
        return isinstance(key.type, t.Int) and 0 <= key.type.lo <= key.type.hi < length

    # -- statements

    def statements(self, body: tuple[s.Statement, ...], known: Facts = NOTHING) -> bool:
        """Whether a body may fail."""
        for statement in body:
            if self._statement(statement, known):
                return True
            known = self._after(statement, known)
        return False

    def _statement(self, statement: s.Statement, known: Facts) -> bool:
        match statement:
            case s.If(_, condition, then, other):
                return (
                    self.expression(condition, known)
                    or self.statements(then, known | facts_of(condition, True))
                    or self.statements(other, known | facts_of(condition, False))
                )
            case s.For(_, _, iterable, body):
                return self.expression(iterable, known) or self.statements(body, _kept(known, (statement,)))
            case s.Block(_, _, body):
                return self.statements(body, known)
            case s.SetRemove(_, target, item, True) | s.BagRemove(_, target, item, True):
                there = any(
                    isinstance(x, e.Contains) and truth and (x.container, x.item) == (target, item)
                    for x, truth in known
                )
                return (
                    not there
                    and self._noted(f"{_text(target)} may not have the {_text(item)} that is removed")
                    or self.expression((target, item), known)
                )
            case s.SeqRemoveAt(_, target, index):
                return (
                    not self._inside(target, index, known)
                    and self._noted(f"{_text(target)} may have no item {_text(index)}")
                    or self.expression((target, index), known)
                )
            case s.BagAdd(_, target, item) | s.SeqAppend(_, target, item) if (
                isinstance(target.type, t.Bag | t.Seq) and target.type.grow is not None
            ):
                # an overflow of a network is no failure: the network is enlarged
                return self.expression((target, item), known)
            case s.SeqAppend(_, target) | s.SeqInsert(_, target) | s.BagAdd(_, target):
                return self._noted(f"{_text(target)} may be full")
            case s.Assert(_, condition):
                return self._noted(f"assert {_text(condition)} may be false")
            case s.While() | s.Fail():
                return self._noted("a `while` may run too long" if isinstance(statement, s.While) else "it may fail")
        return any(self.expression(x, known) for x in children(statement))

    def _after(self, statement: s.Statement, known: Facts) -> Facts:
        known = _kept(known, (statement,))
        match statement:
            case s.Require(_, condition):
                return known | facts_of(condition, True)
            case s.If(_, condition, then, other):
                facts = (facts_of(condition, False) if _ends(then) else NOTHING) | (
                    facts_of(condition, True) if _ends(other) else NOTHING
                )
                return known | _kept(facts, (statement,))
        return known


def least(number: e.Expression, known: Facts) -> int:
    """A lower bound of a non-negative number."""
    found = 0
    for operator, value in _comparisons(number, known):
        found = max(found, {"==": value, ">=": value, ">": value + 1, "!=": 1 if value == 0 else 0}.get(operator, 0))
    return found


def differs(number: e.Expression, value: int, known: Facts) -> bool:
    """Whether a number is certainly another."""
    return any(
        operator == "!=" and other == value or operator == "<" and other <= value
        for operator, other in _comparisons(number, known)
    )


def _comparisons(number: e.Expression, known: Facts) -> Iterator[tuple[str, int]]:
    """The comparisons of a number that hold."""
    for fact, truth in known:
        if not isinstance(fact, e.Compare):
            continue
        for operator, one, two in (
            (fact.operator, fact.left, fact.right),
            (TURNED[fact.operator], fact.right, fact.left),
        ):
            if isinstance(two, e.Const) and (
                one == number
                or isinstance(one, e.Length)
                and isinstance(number, e.Length)
                and one.value == number.value
            ):
                yield operator if truth else NEGATED[operator], two.value


def _is_present(fact: tuple[e.Expression, bool], value: e.Expression) -> bool:
    """Whether a fact states that an optional value is equal to a value that is not None."""
    match fact:
        case (e.Compare(_, operator, left, right), truth) if operator == ("==" if truth else "!="):
            return left == value and isinstance(right, e.Some) or right == value and isinstance(left, e.Some)
    return False


def _ends(body: tuple[s.Statement, ...]) -> bool:
    """Whether control never reaches the end of a body."""
    return bool(body) and isinstance(body[-1], s.Continue | s.Break | s.Return | s.Leave | s.Stop)


def _kept(known: Facts, body: tuple[s.Statement, ...]) -> Facts:
    """The facts that these statements do not change."""
    changed = changed_by(body)
    return frozenset((fact, truth) for fact, truth in known if not any(_touched(x, changed) for x in walk(fact)))


def _touched(node: Any, changed: set[tuple[str, str]]) -> bool:
    match node:
        case e.Variable(_, name):
            return ("variable", name) in changed
        case e.Local(_, name):
            return ("local", name) in changed
    return isinstance(node, e.Call) and any(kind == "variable" for kind, _ in changed)


def _in_words(node: e.Expression) -> str:
    """A description of the failure of an expression."""
    match node:
        case e.Unwrap(_, value):
            return f"{_text(value)} may be None"
        case e.VariantField(_, value, variant, name):
            return f"{_text(value)} may be no {variant}, which has the field {name}"
        case e.Index(_, base, key):
            return f"{_text(base)} may have no item {_text(key)}"
        case e.Arithmetic(_, operator, _, right):
            return f"{_text(right)} may be 0 under {operator}"
        case e.Aggregate(_, operator):
            return f"{operator}(...) may be of nothing"
        case e.Narrow(t.Int(lo, hi), value):
            return f"{_text(value)} may not be in {lo}..{hi}"
    return f"{_text(node)} may be out of range"


def _text(node: e.Expression) -> str:
    """An expression with the names that the model uses."""
    return re.sub(r"%(\w+)(\.\d+)?", r"\1", show.expression(node))
