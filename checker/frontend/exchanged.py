"""Whether any two rounds of a loop leave the same, whichever comes first: tried out, for everything they may find and
read.

Only what rounds hand on to each other is computed, if it is scalar: the greatest so far, whether there were two.  What
a round reads that no round changes is an input that may have any value of its type.  Each input makes a function from
what was left to what is left; the loop's order does not show if all these functions commute.  Where it stops: beyond
MOST values, and for anything else than ifs and assignments, the answer is no.
"""

from __future__ import annotations

import operator as op
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from math import prod
from typing import Any

import attrs
from attrs import define

from checker.frontend.failing import NOTHING, Facts, said
from checker.frontend.reachable import walk
from checker.frontend.sharing import Root
from checker.ir import expressions as e
from checker.ir import statements as s
from checker.ir import types as t
from checker.ir.domain import size
from checker.ir.values import Raw, values

MOST = 50_000
MOST_PAIRS = 2_000_000
FAILED = -1
FAILURE = object()
"""What an input has instead of a value if evaluating it fails."""
COMPARISONS: dict[str, Callable[[Any, Any], Raw]] = {
    "==": op.eq,
    "!=": op.ne,
    "<": op.lt,
    "<=": op.le,
    ">": op.gt,
    ">=": op.ge,
}
ARITHMETIC: dict[str, Callable[[Any, Any], Raw]] = {
    "+": op.add,
    "-": op.sub,
    "*": op.mul,
    "//": op.floordiv,
    "%": op.mod,
    "min": min,
    "max": max,
}


class Unknown(Exception):
    """Not tried out: something else than scalars, ifs and assignments, or too many values."""


class Failed(Exception):
    """The round fails."""


def commute(
    body: tuple[s.Statement, ...],
    roots: set[Root],
    lasting: set[Root],
    changed: set[Root],
    reads: Callable[[Any], set[Root]],
    fails: Callable[[Any, Facts], bool],
) -> bool:
    """Whether the rounds commute in what they leave in these roots, as far as it can be told.  All else that they
    change commutes by itself; `lasting` is what lasts longer than a round."""
    try:
        return _Trial(body, set(roots), lasting, changed, reads, fails).commute()
    except Unknown:
        return False


def _root(place: e.Expression) -> Root:
    match place:
        case e.Variable(_, name):
            return "variable", name
        case e.Local(_, name):
            return "local", name
    raise Unknown


def _targets(node: Any) -> Iterator[Any]:
    return (x.target for x in walk(node) if isinstance(x, s.Statement) and hasattr(x, "target"))


@define(eq=False)
class _Trial:
    body: tuple[s.Statement, ...]
    roots: set[Root]  # what the rounds hand on to each other, and what they compute from it
    lasting: set[Root]
    changed: set[Root]
    reads: Callable[[Any], set[Root]]
    fails: Callable[[Any, Facts], bool]  # whether evaluating something may fail
    inputs: list[e.Expression] = attrs.field(factory=list)
    failing: set[e.Expression] = attrs.field(factory=set)  # inputs that may fail
    env: dict[Root, Raw] = attrs.field(factory=dict)
    given: dict[e.Expression, Raw] = attrs.field(factory=dict)

    def commute(self) -> bool:
        """Whether all functions that rounds can be commute."""
        self._close()
        self.body = tuple(self._computed(self.body, NOTHING))
        kinds = {_root(x): x.type for x in _targets(self.body) if _root(x) in self.lasting}
        sizes = [size(type) for type in (*kinds.values(), *(x.type for x in self.inputs))]
        if None in sizes or prod(n for n in sizes if n is not None) > MOST:
            raise Unknown
        names, left = list(kinds), list(product(*(list(values(type)) for type in kinds.values())))
        places = {state: number for number, state in enumerate(left)}
        functions: set[tuple[int, ...]] = set()
        for inputs in product(*([*values(x.type), *([FAILURE] if x in self.failing else [])] for x in self.inputs)):
            self.given = dict(zip(self.inputs, inputs))
            functions.add(tuple(self._left(names, state, places) for state in left))
        if len(functions) ** 2 * len(left) > MOST_PAIRS:
            raise Unknown
        return all(_after(f, g) == _after(g, f) for f in functions for g in functions if f < g)

    def _close(self) -> None:
        """Take in everything that is computed from what is handed on, or changed under a condition on it."""
        before = -1
        while before != len(self.roots):
            before = len(self.roots)
            for statement in walk(self.body):
                match statement:
                    case s.Assign(_, target, value) if self.reads(value) & self.roots:
                        self.roots.add(_root(target))
                    case s.If(_, condition, then, other) if self.reads(condition) & self.roots:
                        if any(
                            isinstance(x, s.Statement) and not isinstance(x, s.If | s.Assign)
                            for x in walk((then, other))
                        ):
                            raise Unknown
                        self.roots |= {_root(x) for x in _targets((then, other))}

    def _computed(self, body: tuple[s.Statement, ...], known: Facts) -> Iterator[s.Statement]:
        """The statements that matter for what is handed on, their inputs noted; the others must not read it."""
        for statement in body:
            match statement:
                case s.If(line, condition, then, other):
                    kept = s.If(
                        line,
                        condition,
                        *(
                            tuple(self._computed(x, known | self._said(condition, truth)))
                            for x, truth in ((then, True), (other, False))
                        ),
                    )
                    if kept.then or kept.other:
                        self._note(condition, known)
                        yield kept
                case s.Assign(_, e.Local() | e.Variable() as target, value) if _root(target) in self.roots:
                    self._note(value, known)
                    yield statement
                case s.Continue():
                    yield statement
                case _:
                    parts = tuple(x for x in walk(statement) if isinstance(x, e.Expression))
                    if self.reads(parts) & self.roots:
                        raise Unknown

    def _said(self, condition: e.Expression, truth: bool) -> Facts:
        """What is known behind a condition, of what no round changes."""
        return frozenset(fact for fact in said(condition, truth) if not self.reads(fact[0]) & self.changed)

    def _note(self, node: e.Expression, known: Facts) -> None:
        """Note the largest parts that no round changes anything of."""
        if isinstance(node, e.Const | e.NoneValue):
            return
        read = self.reads(node)
        if not read & self.roots and not {x for x in read if x in self.changed and not self._settled(x)}:
            if node not in self.inputs:
                self.inputs.append(node)
            if self.fails(node, known):
                self.failing.add(node)
            return
        if isinstance(node, e.Variable | e.Local) and _root(node) in self.roots:
            return
        for part in _parts(node):
            self._note(part, known)
            if isinstance(node, e.And | e.Or):
                known = known | self._said(part, isinstance(node, e.And))

    def _settled(self, root: Root) -> bool:
        """A local of the round that is assigned once."""
        assigned = [
            x for x in walk(self.body) if isinstance(x, s.Assign) and x.target == e.Local(x.target.type, root[1])
        ]
        return root[0] == "local" and root not in self.roots and len(assigned) == 1

    # -- computing

    def _left(self, names: Sequence[Root], state: tuple[Raw, ...], places: dict[tuple[Raw, ...], int]) -> int:
        self.env = dict(zip(names, state))
        try:
            self._run(self.body)
        except Failed:
            return FAILED
        after = tuple(self.env[name] for name in names)
        if after not in places:
            raise Unknown
        return places[after]

    def _run(self, body: tuple[s.Statement, ...]) -> bool:
        """Whether the round goes on."""
        for statement in body:
            match statement:
                case s.If(_, condition, then, other):
                    if not self._run(then if self._value(condition) else other):
                        return False
                case s.Continue():
                    return False
                case s.Assign(_, target, value) if (
                    isinstance(target, e.Local | e.Variable) and _root(target) in self.roots
                ):
                    self.env[_root(target)] = self._value(value)
        return True

    def _value(self, node: e.Expression) -> Raw:
        if node in self.given:
            self._unless(FAILURE, self.given[node])
            return self.given[node]
        match node:
            case e.Const(_, value):
                return value
            case e.NoneValue():
                return None
            case e.Local() | e.Variable():
                if _root(node) not in self.env:
                    raise Unknown
                return self.env[_root(node)]
            case e.Some(_, value):
                return self._value(value)
            case e.IsNone(_, value):
                return self._value(value) is None
            case e.Unwrap(_, value):
                return self._unless(None, self._value(value))
            case e.Narrow(t.Int(lo, hi), value):
                number = self._value(value)
                self._unless(False, lo <= number <= hi)
                return number
            case e.Not(_, value):
                return not self._value(value)
            case e.And(_, operands):
                return all(self._value(x) for x in operands)
            case e.Or(_, operands):
                return any(self._value(x) for x in operands)
            case e.IfElse(_, condition, then, other):
                return self._value(then if self._value(condition) else other)
            case e.Arithmetic(_, operator, left, right):
                x, y = self._value(left), self._value(right)
                self._unless(True, operator in ("//", "%") and y == 0)
                return ARITHMETIC[operator](x, y)
            case e.Compare(_, operator, left, right) if operator in ("==", "!=") or isinstance(
                left.type, t.Int | t.Bool | t.Enum
            ):
                return COMPARISONS[operator](self._value(left), self._value(right))
        raise Unknown

    def _unless(self, bad: Any, value: Raw) -> Raw:
        if value is bad:
            raise Failed
        return value


def _parts(node: e.Expression) -> Iterator[e.Expression]:
    for a in attrs.fields(type(node)):
        part = getattr(node, a.name)
        yield from (x for x in (part if isinstance(part, tuple) else (part,)) if isinstance(x, e.Expression))


def _after(f: tuple[int, ...], g: tuple[int, ...]) -> tuple[int, ...]:
    """f, then g."""
    return tuple(FAILED if x == FAILED else g[x] for x in f)
