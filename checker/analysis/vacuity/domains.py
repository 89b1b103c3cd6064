"""Claims about the members of a collection that has no member in any state: `all(... for q in self.seen)` where seen
stays empty.

A claim that is the whole property, or follows `not a or`, has an antecedent (checker.analysis.vacuity.antecedents).
This module examines claims further inside: in one case of several, in rules that a property calls, in `not any(...)`,
and in loops that may return.  For each claim two predicates are made from the function of the property: that the claim
is evaluated, and that its quantification domain then has a member.  A claim that is evaluated in some state, but never
with a member, is vacuous.

Only claims that are true for an empty domain are examined: `all` where the property asserts it, `any` where the
property denies it.  An asserted `any(...)` is false for an empty domain.  `all(False for ... if c)` states that no such
member exists, and is not examined.  Where it stops: conditions of `if` and values of locals are not examined.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from attrs import define, field

from checker.frozen import frozen
from checker.ir import expressions as e
from checker.ir import statements as s
from checker.ir import types as t
from checker.ir.build import BOOL, FALSE, TRUE, conjunction
from checker.ir.model import Function, Model
from checker.ir.visit import walk, with_children

Body = tuple[s.Statement, ...]
T = TypeVar("T")


@frozen
class Claim:
    """A claim about all members of a collection.  function: contains the claim; over: the collection, as an expression
    that is true if it has a member; come, there: names of the two predicates.
    """

    function: str
    over: e.Expression
    come: str
    there: str


@define
class Claims:
    """The claims that the properties of a model make, and the functions that evaluate their predicates."""

    model: Model
    functions: list[Function] = field(factory=list)
    _known: dict[tuple[str, bool], list[Claim]] = field(factory=dict)

    def of(self, name: str, asserted: bool = True) -> list[Claim]:
        """The claims of a function whose truth is asserted or denied, and of the functions that it calls."""
        if (name, asserted) not in self._known:
            function = self.model.function(name)
            self._known[name, asserted] = [
                self._claim(function, asserted, i, *found) for i, found in enumerate(self._bodies(function, asserted))
            ]
        return self._known[name, asserted]

    def _claim(
        self, function: Function, asserted: bool, number: int, where: str, over: e.Expression, come: Body, there: Body
    ) -> Claim:
        claim = f"claim {number} of {'' if asserted else 'not '}{function.name}"
        names = [f"{claim}: {what}" for what in ("come to", "has a member")]
        for name, body in zip(names, (come, there)):
            self.functions.append(Function(name, function.parameters, function.locals, BOOL, body))
        return Claim(where, over, *names)

    def _bodies(self, function: Function, asserted: bool) -> Iterator[tuple[str, e.Expression, Body, Body]]:
        """For each claim the function's body changed into its two predicates."""
        for node in walk(function.body):
            claims: list[tuple[str, e.Expression, s.Statement, s.Statement]] = []
            match node:
                case s.Return(line, value):
                    for where, over, come, there in self._inside(function.name, value, asserted):
                        claims.append((where, over, s.Return(line, come), s.Return(line, there)))
                case s.For(line, local, iterable, body) if not isinstance(iterable, e.Domain) and any(
                    isinstance(n, s.Return) for n in walk(body)
                ):
                    yes, over = s.Return(line, TRUE), e.Quantifier(BOOL, "any", (e.Generator(local, iterable),), TRUE)
                    claims.append((function.name, over, s.If(line, TRUE, (yes,)), s.For(line, local, iterable, (yes,))))
            for where, over, first, second in claims:
                yield where, over, _instead(function.body, node, first), _instead(function.body, node, second)

    def _inside(
        self, function: str, x: e.Expression, asserted: bool
    ) -> Iterator[tuple[str, e.Expression, e.Expression, e.Expression]]:
        """Where each claim is, its domain, when it is evaluated, and when the domain then has a member."""
        match x:
            case e.Not(_, value):
                yield from self._inside(function, value, not asserted)
            case e.And(_, operands) | e.Or(_, operands):
                for i, operand in enumerate(operands):
                    before = operands[:i] if isinstance(x, e.And) else tuple(e.Not(BOOL, o) for o in operands[:i])
                    for where, over, come, there in self._inside(function, operand, asserted):
                        yield where, over, conjunction((*before, come)), conjunction((*before, there))
            case e.IfElse(_, condition, then, other):
                for when, branch in (condition, then), (e.Not(BOOL, condition), other):
                    for where, over, come, there in self._inside(function, branch, asserted):
                        yield where, over, conjunction((when, come)), conjunction((when, there))
            case e.Quantifier(_, operator, generators, body):
                if (operator == "all") == asserted and body not in (TRUE, FALSE) and not _whole(generators):
                    over = e.Quantifier(BOOL, "any", generators, TRUE)
                    yield function, over, TRUE, over
                for where, over, *both in self._inside(function, body, asserted):
                    come, there = (e.Quantifier(BOOL, "any", generators, x) for x in both)
                    yield where, over, come, there
            case e.Call(t.Bool(), name, arguments):
                for claim in self.of(name, asserted):
                    come, there = (e.Call(BOOL, x, arguments) for x in (claim.come, claim.there))
                    yield claim.function, claim.over, come, there


def _whole(generators: tuple[e.Generator, ...]) -> bool:
    """Whether the domain always has a member: all values of a type."""
    return all(isinstance(g.iterable, e.Domain) and not g.conditions for g in generators)


def _instead(node: T, statement: s.Statement, other: s.Statement) -> T:
    """The node, or a tuple of nodes, with one statement replaced, and every other result false."""
    if node is statement:
        return other  # type: ignore[return-value]
    if isinstance(node, tuple):
        return tuple(_instead(part, statement, other) for part in node)  # type: ignore[return-value]
    if isinstance(node, s.Return):
        return s.Return(node.line, FALSE)  # type: ignore[return-value]
    return with_children(node, lambda part: _instead(part, statement, other))
