"""Two functions of the state compared over all states of their types: equivalent, one implies the other, or neither,
with states that distinguish them.

The functions belong to two lowered models.  Where variables of one name have two types, the comparison covers the
states that both models have.  Where a function fails (a model error), it has no value; a state in which exactly one
function fails is a separate kind of difference.  Distinguishing states are simplified: every part that can have the
first value of its type has it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import z3
from attrs import frozen

from checker.backends.smt import scalars as c
from checker.backends.smt.clock import Clock, TimeUp
from checker.backends.smt.environment import Environment, Run, Unsupported
from checker.backends.smt.expressions import narrow
from checker.backends.smt.statements import MEANING, apply
from checker.backends.smt.system import term
from checker.backends.smt.values import Value, equal, fresh, read, valid, zero
from checker.ir import types as t
from checker.ir.common import common
from checker.ir.model import Function, Model
from checker.ir.values import Raw


@frozen
class Subject:
    """A function of a lowered model."""

    model: Model
    function: Function


@frozen
class Example:
    """A state (variables that either function reads) with arguments, and the value of both functions (None: it
    fails)."""

    state: dict[str, Raw]
    arguments: dict[str, Raw]
    before: Raw | None
    after: Raw | None
    fails: tuple[bool, bool]


@frozen
class Distinction:
    """relation: equivalent, weaker (the second holds wherever the first holds, and in other states too), stronger,
    incomparable; for functions that are not Boolean: different.

    examples: a state for each direction in which they differ; failures: a state in which exactly one of them fails;
    partial: whether states were left out, in which a loop is longer than its unrolling or a queue outgrows its
    capacity.
    """

    relation: str
    examples: tuple[Example, ...]
    failures: tuple[Example, ...]
    partial: bool = False


def distinguish(
    before: Subject,
    after: Subject,
    variables: tuple[str, ...],
    timeout: float = 20.0,
    assumption: Subject | None = None,
    smallest: bool = False,
) -> Distinction:
    """Compare two functions with the same parameters in the states in which the assumption holds.

    `variables` are those that any of them reads.  smallest: examples have as few parts as possible that are not the
    first of their type (unless the time is over). Raises TimeUp, or Unsupported.
    """
    return _Comparison(before, after, variables, timeout, assumption, smallest).result()


class _Comparison:
    def __init__(
        self,
        before: Subject,
        after: Subject,
        variables: tuple[str, ...],
        timeout: float,
        assumption: Subject | None,
        smallest: bool,
    ) -> None:
        self.subjects, self.clock, self.smallest = (before, after), Clock.of(timeout), smallest
        everything = self.subjects if assumption is None else (*self.subjects, assumption)
        self.types = {name: _common_type(name, everything) for name in variables}
        self.state = {name: fresh(kind, f"{name}") for name, kind in self.types.items()}
        self.parameters = [(p.name, p.type, fresh(p.type, f"({p.name})")) for p in before.function.parameters]
        self.solver = z3.SolverFor("QF_FD")
        self.exceeded: c.Bit = False
        self.grows = False
        self.values = [self._value(subject, [v for _, _, v in self.parameters]) for subject in self.subjects]
        holds, fails = (True, False) if assumption is None else self._value(assumption, [])
        parts = [holds, c.negation(fails)]
        parts += [valid(self.types[n], v) for n, v in self.state.items()] + [
            valid(kind, v) for _, kind, v in self.parameters
        ]
        self.solver.add(term(c.conjunction([*parts, c.negation(self.exceeded)])))

    def _value(self, subject: Subject, arguments: list[Value]) -> tuple[Value, c.Bit]:
        types = {v.name: v.type for v in subject.model.variables}
        state = {
            name: narrow(None, kind, self.types[name], self.state[name]) if name in self.state else zero(kind)
            for name, kind in types.items()
        }
        x = Environment(subject.model, Run("rule|", self.clock), state, state, types, meaning=MEANING)
        value = apply(x, subject.function, arguments)
        self.exceeded = c.disjunction([self.exceeded, *x.run.exceeded])
        self.grows = self.grows or any(e.kind == "grow" and e.condition is not False for e in x.run.errors)
        return value, c.disjunction(e.condition for e in x.run.errors)

    def result(self) -> Distinction:
        (a, a_fails), (b, b_fails) = self.values
        both = c.conjunction([c.negation(a_fails), c.negation(b_fails)])
        kinds = [s.function.result for s in self.subjects]
        failing = (c.conjunction([a_fails, c.negation(b_fails)]), c.conjunction([b_fails, c.negation(a_fails)]))
        failures = tuple(x for condition in failing for x in self._example(condition))
        partial = self.grows or self.exceeded is not False
        if all(isinstance(k, t.Bool) for k in kinds):
            gained = tuple(self._example(c.conjunction([both, c.negation(a), b])))
            lost = tuple(self._example(c.conjunction([both, a, c.negation(b)])))
            relation = {(0, 0): "equivalent", (1, 0): "weaker", (0, 1): "stronger", (1, 1): "incomparable"}[
                len(gained), len(lost)
            ]
            return Distinction(relation, (*gained, *lost), failures, partial)
        unlike = tuple(self._example(c.conjunction([both, c.negation(equal(kinds[0], a, kinds[1], b))])))
        return Distinction("different" if unlike else "equivalent", unlike, failures, partial)

    def _holds(self, *assumptions: Any) -> bool:
        return self.clock.satisfiable(self.solver, *assumptions)

    def _example(self, condition: c.Bit) -> Iterator[Example]:
        """A simplified state with the condition, if there is one."""
        if condition is False:
            return
        self.solver.push()
        self.solver.add(term(condition))
        try:
            if not self._holds():
                return
            model = self._plain()
        finally:
            self.solver.pop()
        state = {n: read(self.types[n], v, model) for n, v in self.state.items()}
        arguments = {n: read(kind, v, model) for n, kind, v in self.parameters}
        fails = [read(t.Bool(), failing, model) for _, failing in self.values]
        values = [
            None if f else read(s.function.result, v, model) for s, (v, _), f in zip(self.subjects, self.values, fails)
        ]
        yield Example(state, arguments, values[0], values[1], (bool(fails[0]), bool(fails[1])))

    def _plain(self) -> Any:
        """A solution in which as many parts as possible have the first value of their type."""
        model = self.solver.model()
        pieces = [p for n, v in self.state.items() for p in parts(self.types[n], v)] + [
            p for _, k, v in self.parameters for p in parts(k, v)
        ]
        wishes = [term(equal(kind, value, kind, zero(kind))) for kind, value in pieces]
        try:
            if self.smallest:
                model = self._fewest(wishes, model)
            for wish in wishes:
                if z3.is_true(model.eval(wish, model_completion=True)):
                    self.solver.add(wish)
                elif self._holds_with(wish):
                    self.solver.add(wish)
                    model = self.solver.model()
        except TimeUp:
            pass  # as simple as the time limit allows
        return model

    def _fewest(self, wishes: list[Any], model: Any) -> Any:
        """A solution that violates as few of the wishes as possible, and a constraint that the solver violates no more
        of them.
        """
        denied = [(z3.Not(wish), 1) for wish in wishes]
        while True:
            count = sum(not z3.is_true(model.eval(wish, model_completion=True)) for wish in wishes)
            if count == 0 or not self._holds_with(z3.PbLe(denied, count - 1)):
                self.solver.add(z3.PbLe(denied, count))
                return model
            model = self.solver.model()

    def _holds_with(self, wish: Any) -> bool:
        name = z3.FreshBool("wish")
        self.solver.add(z3.Implies(name, wish))
        return self._holds(name)


def _common_type(name: str, subjects: tuple[Subject, ...]) -> t.Type:
    """The type of the values that the variables of this name have in common."""
    types = [v.type for subject in subjects for v in subject.model.variables if v.name == name]
    found: t.Type | None = types[0]
    for other in types[1:]:
        found = None if found is None else common(found, other)
    if found is None:
        raise Unsupported(f"{name}, which it reads, has another type, and no value in common")
    return found


def parts(kind: t.Type, value: Value) -> Iterator[tuple[t.Type, Value]]:
    """The parts of a value that are simplified separately, larger parts before their own parts."""
    match kind:
        case t.Map(_, item):
            for v in value:
                yield from parts(item, v)
        case t.Record(_, fields):
            for (_, f), v in zip(fields, value):
                yield from parts(f, v)
        case t.Optional(item):
            yield kind, value
            yield from parts(item, value[1])
        case t.Set():
            for bit in value:
                yield t.Bool(), bit
        case t.Seq(item, capacity, _) | t.Bag(item, capacity, _):
            yield t.Int(0, capacity), value[0]
            for v in value[1]:
                yield from parts(item, v)
        case _:
            yield kind, value
