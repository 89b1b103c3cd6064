"""Whether any two iterations of a loop commute, decided by enumeration: both orders are computed for every value that
they may read.

Only scalar values that iterations pass on to each other are computed, for example the greatest so far, or whether there
were two.  A value that an iteration reads and no iteration changes is an input that may have any value of its type.
Each input makes a function from the values passed in to the values passed on; the loop commutes if all these functions
commute.  Where it stops: beyond MOST values, and for statements other than ifs and assignments, the answer is no.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from math import prod
from typing import Any

import attrs
from attrs import define

from checker.frontend.aliases import Root
from checker.frontend.failing import NOTHING, Facts, facts_of
from checker.ir import expressions as e
from checker.ir import model as m
from checker.ir import statements as s
from checker.ir import types as t
from checker.ir.build import BOOL, TRUE
from checker.ir.domain import size
from checker.ir.evaluate.environment import Environment, Failure
from checker.ir.evaluate.statements import call, run
from checker.ir.values import Raw, values, zero
from checker.ir.visit import children, substitute, walk

MOST = 50_000
MOST_PAIRS = 2_000_000
FAILED = -1
NO_MODEL = m.Model("", (), (), m.Action("", (), (), ()), (), ())
"""The computed statements call no functions."""
ONCE = e.MakeSeq(t.Seq(BOOL, 1), (TRUE,))


class Unknown(Exception):
    """Raised for loops that are not enumerated: they contain something else than scalars, ifs and assignments, or too
    many values.
    """


def commute(
    body: tuple[s.Statement, ...],
    roots: set[Root],
    lasting: set[Root],
    changed: set[Root],
    reads: Callable[[Any], set[Root]],
    fails: Callable[[Any, Facts], bool],
) -> bool:
    """Whether the iterations commute in the values that they leave in these roots, as far as it can be decided.  All
    other changes commute by themselves.  lasting: values that outlive an iteration.
    """
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
    roots: set[Root]  # the values that iterations pass on to each other, and the values computed from these
    lasting: set[Root]
    changed: set[Root]
    reads: Callable[[Any], set[Root]]
    fails: Callable[[Any, Facts], bool]  # whether evaluating something may fail
    inputs: list[e.Expression] = attrs.field(factory=list)
    failing: set[e.Expression] = attrs.field(factory=set)  # inputs that may fail

    def commute(self) -> bool:
        """Whether all functions of the iterations commute."""
        self._close()
        self.body = tuple(self._computed(self.body, NOTHING))
        kinds = {_root(x): x.type for x in _targets(self.body) if _root(x) in self.lasting}
        sizes = [size(type) for type in (*kinds.values(), *(x.type for x in self.inputs))]
        if None in sizes or prod(n for n in sizes if n is not None) > MOST:
            raise Unknown
        names, left = list(kinds), list(product(*(list(values(type)) for type in kinds.values())))
        places = {state: number for number, state in enumerate(left)}
        loop = self._loop()
        functions = {
            tuple(_left(loop, {**inputs}, names, state, places) for state in left)
            for inputs in map(_together, product(*(self._cases(number) for number in range(len(self.inputs)))))
        }
        if len(functions) ** 2 * len(left) > MOST_PAIRS:
            raise Unknown
        return all(_after(f, g) == _after(g, f) for f in functions for g in functions if f < g)

    def _close(self) -> None:
        """Add everything that is computed from the passed-on values, or changed under a condition on them."""
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
        """The statements that affect the passed-on values, with their inputs recorded; the others must not read these
        values.
        """
        for statement in body:
            match statement:
                case s.If(line, condition, then, other):
                    when, unless = (
                        tuple(self._computed(x, known | self._facts_of(condition, truth)))
                        for x, truth in ((then, True), (other, False))
                    )
                    kept = s.If(line, condition, when, unless)
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

    def _facts_of(self, condition: e.Expression, truth: bool) -> Facts:
        """The facts that a condition implies about values that no iteration changes."""
        return frozenset(fact for fact in facts_of(condition, truth) if not self.reads(fact[0]) & self.changed)

    def _note(self, node: e.Expression, known: Facts) -> None:
        """Record the largest parts that no iteration changes."""
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
        for part in children(node):
            if isinstance(part, e.Expression):
                self._note(part, known)
            if isinstance(node, e.And | e.Or):
                known = known | self._facts_of(part, isinstance(node, e.And))

    def _settled(self, root: Root) -> bool:
        """Whether a local of the iteration is assigned once."""
        assigned = [
            x for x in walk(self.body) if isinstance(x, s.Assign) and x.target == e.Local(x.target.type, root[1])
        ]
        return root[0] == "local" and root not in self.roots and len(assigned) == 1

    # -- computing

    def _loop(self) -> s.For:
        """A loop of one round with its inputs as locals; an input that may fail does so if a second local is true."""
        instead: dict[e.Expression, e.Expression] = {}
        for number, node in enumerate(self.inputs):
            given = e.Local(node.type, _name(number))
            failure = e.Unwrap(node.type, e.NoneValue(t.Optional(node.type)))
            fails = e.Local(BOOL, _name(number, "fails"))
            instead[node] = e.IfElse(node.type, fails, failure, given) if node in self.failing else given
        body = substitute(self.body, instead)
        if not all(_is_computed(node) for node in walk(body) if isinstance(node, e.Expression)):
            raise Unknown
        return s.For(0, e.Local(BOOL, "round"), ONCE, body)

    def _cases(self, number: int) -> Iterator[dict[str, Raw]]:
        """All values of an input."""
        node = self.inputs[number]
        yield from ({_name(number): value, _name(number, "fails"): 0} for value in values(node.type))
        if node in self.failing:
            yield {_name(number): zero(node.type), _name(number, "fails"): 1}


def _name(number: int, what: str = "") -> str:
    return f"input {number} {what}"


def _together(inputs: tuple[dict[str, Raw], ...]) -> dict[str, Raw]:
    return {name: value for case in inputs for name, value in case.items()}


def _is_computed(node: e.Expression) -> bool:
    """Whether an expression is one of those that are enumerated."""
    match node:
        case e.Narrow(type):
            return isinstance(type, t.Int)
        case e.Compare(_, operator, left):
            return operator in ("==", "!=") or isinstance(left.type, t.Int | t.Bool | t.Enum)
    scalar = e.Const | e.NoneValue | e.Local | e.Variable | e.Some | e.IsNone | e.Unwrap | e.Arithmetic
    return isinstance(node, scalar | e.Not | e.And | e.Or | e.IfElse)


def _left(
    loop: s.For, inputs: dict[str, Raw], names: Sequence[Root], state: tuple[Raw, ...], places: dict[Any, int]
) -> int:
    """The values that an iteration passes on, as a number."""
    found = {"variable": dict[str, Raw](), "local": inputs}
    for (kind, name), value in zip(names, state):
        found[kind][name] = value
    try:
        run(Environment(NO_MODEL, found["variable"], {}, found["local"], call=call), (loop,))
    except Failure:
        return FAILED
    except KeyError:  # a local that the iteration reads before it has a value
        raise Unknown from None
    after = tuple(found[kind][name] for kind, name in names)
    if after not in places:
        raise Unknown
    return places[after]


def _after(f: tuple[int, ...], g: tuple[int, ...]) -> tuple[int, ...]:
    """The composition: f, then g."""
    return tuple(FAILED if x == FAILED else g[x] for x in f)
