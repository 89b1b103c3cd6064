"""The state of a symbolic evaluation: variables, locals, the condition under which it continues, and the failures so
far.

One evaluation stands for all executions.  A statement takes effect where `active` holds; branches are executed on
copies that are merged afterwards.  Errors, choices and loops that were not unrolled far enough are collected as
conditions.

Expressions call functions, whose bodies are statements, and contain loops, whose bodies are expressions.  An
environment has the functions that evaluate both, so that the modules of loops, expressions and statements need not
import each other in a cycle.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import z3
from attrs import define, evolve, field, frozen

from checker.backends.smt import scalars as c
from checker.backends.smt.clock import Clock
from checker.backends.smt.values import Value, fresh, pick, scalars, valid
from checker.ir import types as t
from checker.ir.expressions import Expression, Local
from checker.ir.model import Function, Model

ROUNDS = 12  # rounds to which a loop without a known end is unrolled
KNOWN_ROUNDS = 60  # the limit for a loop whose condition is known in each round, unless the loop is left from within


SOME_LEFT = object()  # an `entry` that differs from each condition, so that writes need a condition


class Unsupported(Exception):
    """A construct that has no symbolic form here."""


@frozen
class Error:
    """A model error: kind ("error", "assert", "grow"), short text, line, and the condition under which it occurs."""

    kind: str
    name: str
    line: int
    condition: c.Bit


@frozen
class Guard:
    """A condition that an action requires, as the model writes it: where evaluation reaches it, and where it holds."""

    text: str
    line: int
    reached: c.Bit
    holds: c.Bit


@frozen
class Choice:
    """A chosen value: the local that it is bound to, its type, and the unknown."""

    name: str
    type: t.Type
    value: Value


@define(eq=False)
class Run:
    """The conditions that one execution collects, while its clock allows.  They are conditions on the state, the
    parameters and the choices, not relative to a branch.
    """

    prefix: str = ""
    clock: Clock = field(factory=Clock)
    errors: list[Error] = field(factory=list)
    disabled: list[c.Bit] = field(factory=list)
    # constraints on the unknowns: a choice is an element of its iterable
    assumptions: list[c.Bit] = field(factory=list)
    exceeded: list[c.Bit] = field(factory=list)  # conditions under which a loop continues beyond its unrolling
    choices: list[Choice] = field(factory=list)
    unknowns: list[Any] = field(factory=list)  # the scalars of the unknowns
    guards: list[Guard] = field(factory=list)
    exits: list[Any] = field(factory=list)  # the target of each jump
    leaves: dict[str, list[c.Bit]] = field(factory=dict)
    # conditions under which the acting process crashes in the middle of the step
    crashes: list[c.Bit] = field(factory=list)
    calls: dict[Any, Any] = field(factory=dict)
    made: int = 0

    def failed(self) -> c.Bit:
        """Whether some error happened."""
        return c.disjunction(e.condition for e in self.errors)

    def unknown(self, type: t.Type, name: str) -> Value:
        """A new unknown value of a type."""
        self.made += 1
        value = fresh(type, f"{self.prefix}{name}~{self.made}")
        self.unknowns += scalars(value)
        self.assumptions.append(valid(type, value))
        return value


State = dict[str, Value]


@frozen
class Meaning:
    """The evaluation of expressions and of calls of functions: `expressions.evaluate` and `statements.apply`."""

    evaluate: Callable[[Environment, Expression], Value]
    apply: Callable[[Environment, Function, list[Value]], Value]


@define(eq=False)
class Environment:
    """A point of an execution.  A memorised call is valid as long as the `version` of the state and the names are the
    same.
    """

    model: Model
    run: Run
    state: State
    before: State
    types: dict[str, t.Type]  # the types of the state's variables
    names: dict[str, tuple[t.Type, Value]] = field(factory=dict)
    active: c.Bit = True
    entry: Any = True  # `active` at the start of this branch: as long as it does not change, writes need no condition
    version: Any = 0
    rounds: int = ROUNDS
    meaning: Meaning = field(kw_only=True)

    def value(self, node: Expression) -> Value:
        """The value of an expression here."""
        return self.meaning.evaluate(self, node)

    def copy(self) -> Environment:
        """An independent copy of state and names, in the same run."""
        return evolve(self, state=dict(self.state), names=dict(self.names), entry=self.active)

    def where(self, condition: c.Bit) -> Environment:
        """A copy that continues only where a condition holds; its writes must not affect paths that have left
        before."""
        other = self.copy()
        other.active = c.conjunction([self.active, condition])
        other.entry = other.active if self.active is self.entry else SOME_LEFT
        return other

    def bound(self, local: Local, value: Value) -> Environment:
        """A copy with one more local, for expressions: they write nothing, so the state is shared."""
        return evolve(self, names={**self.names, local.name: (local.type, value)})

    def restricted(self, condition: c.Bit) -> Environment:
        """The same point under a further condition, for expressions."""
        return evolve(self, active=c.conjunction([self.active, condition]), entry=None)

    def fail(self, kind: str, name: str, line: int, condition: c.Bit) -> None:
        """Record an error that occurs if evaluation reaches this point and the condition holds."""
        here = c.conjunction([self.active, condition])
        if here is not False:
            self.run.errors.append(Error(kind, name, line, here))

    def include(self, errors: list[Error], exceeded: list[c.Bit], where: c.Bit = True) -> None:
        """Add separately collected conditions, restricted to where evaluation reaches this point and a condition
        holds."""
        for error in errors:
            self.fail(error.kind, error.name, error.line, c.conjunction([where, error.condition]))
        self.run.exceeded += [c.conjunction([self.active, where, condition]) for condition in exceeded]

    def write_state(self, name: str, value: Value) -> None:
        """Assign a state variable where this point is active."""
        self.state[name] = value if self.active is self.entry else pick(self.active, value, self.state[name])
        self.version = object()

    def write_local(self, name: str, type: t.Type, value: Value) -> None:
        """Assign a local where this point is active."""
        old = self.names.get(name)
        merged = value if old is None or self.active is self.entry else pick(self.active, value, old[1])
        self.names[name] = (type, merged)

    def jump(self, target: Any) -> c.Bit:
        """Leave this path with a jump to a target; return the condition under which the path was left."""
        left = self.active
        if left is not False:
            self.run.exits.append(target)
        self.active = False
        return left


@contextmanager
def apart(run: Run) -> Iterator[tuple[list[Error], list[c.Bit]]]:
    """Collect the errors inside, and the loops that are not unrolled far enough, separately: the run does not get
    them.
    """
    outer, run.errors, run.exceeded = (run.errors, run.exceeded), [], []
    inner = run.errors, run.exceeded
    try:
        yield inner
    finally:
        run.errors, run.exceeded = outer


def solution_value(term: Any, model: Any) -> bool:
    """The truth of a condition in a solution."""
    return term if isinstance(term, bool) else z3.is_true(model.eval(term, model_completion=True))
