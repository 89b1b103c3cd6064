"""The formulas for z3, compared with the results on which the interpreter and the lowered model agree, in single
states.

In a known state the formula of a property folds to a constant, which must be its truth there.  The step relation, fixed
to a known state, must have exactly that state's successors as solutions; this needs the solver, so only a few states
are compared.  Where the encoding leaves something out (a network that would overflow, a loop beyond its unrolling)
nothing is compared: the proof states this itself.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import suppress

import z3
from attrs import define

from checker.backends.interpreter.interpreter import Raw
from checker.backends.smt.clock import Clock, TimeUp
from checker.backends.smt.system import System, term
from checker.backends.smt.values import lift
from checker.language.definition import Definition
from checker.replay.disagreement import state_text
from checker.results.checked import FAILURES
from checker.validation.answers import Answer, differ, named

SECONDS, SHARE = 0.1, 0.1
"""The time limit for all states together: in seconds, or as a share of the proof."""
MOST_SUCCESSORS = 20
SIDE = "formula"


@define(eq=False)
class Formulas:
    """Compares the formulas of a system in states, until the time limit: first the truths of properties, then
    successors.

    relation: whether the step relation exists; compared, related: in how many states truths and successors were
    compared.
    """

    definition: Definition
    system: System
    relation: bool
    seconds: float
    compared: int = 0
    related: int = 0

    def __call__(self, agreed: Sequence[tuple[Raw, Answer]]) -> None:
        """Compare states with the answers for them.  Raises Disagreement if they differ."""
        allowed = max(SECONDS, SHARE * self.seconds)
        ends = time.thread_time() + allowed / 2
        for state, answer in agreed:
            if self.compared and time.thread_time() > ends:
                break
            self._truths(state, answer)
            self.compared += 1
        ends = time.thread_time() + allowed / 2
        for state, answer in agreed if self.relation else ():
            if self.related and time.thread_time() > ends:
                break
            if not answer.cut and len(answer.after) <= MOST_SUCCESSORS:
                with suppress(TimeUp):
                    self._successors(state, answer, Clock.of(allowed))

    def _lifted(self, state: Raw) -> dict[str, object]:
        return {v.name: lift(v.type, raw) for v, raw in zip(self.system.model.variables, state)}

    def _truths(self, state: Raw, answer: Answer) -> None:
        known = self._lifted(state)
        erring = any(kind in FAILURES for kind, _ in answer.here)
        for p in self.system.model.properties:
            if p.kind != "invariant" or erring:
                continue
            truth = self.system.truth(p.function, known, known)
            expected = named(p.kind, p.name, 0) not in answer.here
            if truth.left_out is False and (truth.failing is not False or truth.value is not expected):
                found = "an error" if truth.failing is not False else truth.value
                raise differ(self.definition, p.name, expected, found, state, SIDE)

    def _successors(self, state: Raw, answer: Answer, clock: Clock) -> None:
        """Compare the solutions of the step relation.  Raises TimeUp."""
        relation, solver = self.system.relation(), z3.SolverFor("QF_FD")
        solver.add(term(self.system.same(relation.before, self._lifted(state))))
        if clock.satisfiable(solver, relation.left_out[0]):
            return
        solver.add(relation.taken[0])
        after = dict.fromkeys(answer.after)
        for successor in after:
            if not clock.satisfiable(solver, term(self.system.same(relation.after, self._lifted(successor)))):
                step = f"a step to {state_text(self.definition, successor)}"
                raise differ(self.definition, "successors", step, "no such step", state, SIDE)
        for successor in after:
            solver.add(z3.Not(term(self.system.same(relation.after, self._lifted(successor)))))
        solver.add(term(self.system.valid(relation.after)))
        if clock.satisfiable(solver):
            number = f"{len(after)} successors"
            raise differ(self.definition, "successors", number, "another one besides", state, SIDE)
        self.related += 1
