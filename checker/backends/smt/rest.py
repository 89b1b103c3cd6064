"""Quiescent states, found without a quantifier.

"No action is enabled" quantifies over every parameter and choice.  The solver therefore searches for a state first.  If
some action is enabled there with some parameters and choices, the constraint that these do not enable the action is
added, and the solver searches again.  The number of rounds is finite and usually small (counterexample-guided
instantiation, as in M. Janota et al., "Solving QBF with counterexample guided refinement", SAT 2012).
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
    """The parameters and choices that were found to enable actions, for one position in a run."""

    solver: Any
    going: tuple[Condition, ...]
    clock: Clock
    holds: Callable[..., bool]
    literal: Any = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.literal = z3.FreshBool("rest")

    def reached(self, condition: c.Bit) -> bool:
        """Whether the condition has a solution in which no action is enabled; if so, the last solution of the solver is
        one.
        """
        while self.holds(condition, self.literal):
            solution = self.solver.model()
            enabled = [instance for going in self.going if (instance := self._instance(going, solution)) is not None]
            if not enabled:
                return True
            for instance in enabled:
                self.solver.add(z3.Implies(self.literal, z3.Not(instance)))
        return False

    def _instance(self, going: Condition, solution: Any) -> Any | None:
        """The condition with the parameters and choices that enable the action in a solution; None if no parameters and
        choices enable it.
        """
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
    """The conditions over the state of that number, with their own unknowns marked."""
    found = []
    for condition in conditions:
        copy = renamed(*condition, renaming, f"{number}{OWN}")
        names = [renaming.get(v.get_id(), f"{v.decl().name()}@{number}{OWN}") for v in condition[1]]
        found.append((copy, [z3.Const(name, v.sort()) for name, v in zip(names, condition[1])]))
    return tuple(found)


def some(conditions: tuple[Condition, ...]) -> c.Bit:
    """The condition that some action is enabled."""
    return c.disjunction(condition for condition, _ in conditions)
