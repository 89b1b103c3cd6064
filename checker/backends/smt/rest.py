"""States in which no action but faults is enabled, found without a quantifier.

"Nothing is enabled" speaks of every parameter and choice.  So a state is asked for first; if some action is enabled
there, with some parameters and choices, that these do not enable it is demanded from then on, and another state is
asked for.  There are finitely many, and usually few are needed (counterexample-guided instantiation, as in M. Janota et
al., "Solving QBF with counterexample guided refinement", SAT 2012).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import z3
from attrs import define, field

from checker.backends.smt import scalars as c
from checker.backends.smt.clock import Clock
from checker.backends.smt.system import Condition, renamed


@define(eq=False)
class Rest:
    """At one place of a row of states: what is known to be enabled there for which parameters and choices.

    going: for each action that it is enabled at this place, with the unknowns that are its own.
    """

    solver: Any
    going: tuple[Condition, ...]
    clock: Clock
    holds: Callable[..., bool]
    literal: Any = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.literal = z3.FreshBool("rest")

    def reached(self, condition: c.Bit) -> bool:
        """Whether the condition has a solution in which nothing is enabled; the solver has found it last."""
        while self.holds(condition, self.literal):
            solution = self.solver.model()
            enabled = [instance for going in self.going if (instance := self._instance(going, solution)) is not None]
            if not enabled:
                return True
            for instance in enabled:
                self.solver.add(z3.Implies(self.literal, z3.Not(instance)))
        return False

    def _instance(self, going: Condition, solution: Any) -> Any | None:
        """The condition with the parameters and choices that enable the action in a solution; None if none do."""
        condition, unknowns = going
        own = [v for v in unknowns if v.decl().name().endswith(OWN)]
        state = [(v, solution.eval(v, model_completion=True)) for v in unknowns if not v.decl().name().endswith(OWN)]
        here = self.clock.simplified(z3.substitute(condition, *state) if state else condition)
        if z3.is_false(here):
            return None
        solver = z3.SolverFor("QF_FD")
        solver.add(here)
        if not self.clock.satisfiable(solver):
            return None
        chosen = solver.model()
        values = [(v, chosen.eval(v, model_completion=True)) for v in own]
        return z3.substitute(condition, *values) if values else condition


OWN = "@going"


def going(conditions: tuple[Condition, ...], renaming: dict[int, str], number: int) -> tuple[Condition, ...]:
    """The conditions over the state of that number, their own unknowns marked as such."""
    found = []
    for condition in conditions:
        copy = renamed(*condition, renaming, f"{number}{OWN}")
        names = [renaming.get(v.get_id(), f"{v.decl().name()}@{number}{OWN}") for v in condition[1]]
        found.append((copy, [z3.Const(name, v.sort()) for name, v in zip(names, condition[1])]))
    return tuple(found)


def some(conditions: tuple[Condition, ...]) -> c.Bit:
    """Something is enabled."""
    return c.disjunction(condition for condition, _ in conditions)
