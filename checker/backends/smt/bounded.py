"""Bounded model checking and k-induction over a symbolic transition system.

Bounded model checking: is there a run of at most k steps from an initial state that ends in a bad state?  Induction: do
k different consecutive good states force the next state to be good?  If they do, and no run of fewer than k steps is
bad, no reachable state is bad.  (A step that ends in a model error leads to no state; the search for such errors begins
in initial states only.)  After A. Biere et al., "Symbolic model checking without BDDs", TACAS 1999, and M. Sheeran, S.
Singh, G. Stalmarck, "Checking safety properties using induction and a SAT-solver", FMCAD 2000.

The relation leaves out a network that would overflow, and a loop beyond its unrolling.  A separate query decides
whether that could matter; the answer states it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import z3
from attrs import define, field, frozen

from checker.backends.smt import scalars as c
from checker.backends.smt.clock import TimeUp
from checker.backends.smt.environment import State, solution_value
from checker.backends.smt.rest import Rest, going, some
from checker.backends.smt.system import Condition, System, Truth, renamed, term
from checker.backends.smt.values import read, scalars
from checker.ir.model import Property
from checker.ir.values import Raw
from checker.results.verdict import Proved
from checker.wording import counted

Progress = Callable[[str], None]


@frozen
class Run:
    """States of a run, as raw values by variable; failing: a model error occurs in the last state or on a step from
    it."""

    states: tuple[dict[str, Raw], ...]
    failing: bool = False


@frozen
class Answer:
    """The result of a proof.

    run: to a violation; if nothing was proved, the shortest counterexample to induction that was found.  left_out:
    within the depth reached, a step beyond the encoding's bounds is possible.  base: no violation within this many
    steps.
    """

    verdict: Proved
    depth: int
    base: int
    run: Run | None = None
    left_out: bool = False


@define(eq=False)
class Unrolling:
    """Consecutive copies of a system's relation, in one incremental solver, while the system's clock allows."""

    system: System
    solver: Any = field(factory=lambda: z3.SolverFor("QF_FD"))
    states: list[State] = field(factory=list)

    def push_state(self) -> State:
        """Append a state without constraints."""
        state = self.system.state(f"s{len(self.states)}")
        self.states.append(state)
        self.solver.add(term(self.system.valid(state)))
        return state

    def copy(self, condition: Condition, number: int) -> Any:
        """The value of a condition of the relation for state `number` and the next state."""
        return renamed(*condition, self._renaming(number), str(number))

    def going(self) -> tuple[Condition, ...]:
        """For each action that is not a fault, the condition that it is enabled in the last state."""
        last = len(self.states) - 1
        return going(self.system.relation().going, self._renaming(last), last)

    def _renaming(self, number: int) -> dict[int, str]:
        relation = self.system.relation()
        renaming: dict[int, str] = {}
        for template, state in (
            (relation.before, self.states[number]),
            (relation.after, self.states[number + 1] if number + 1 < len(self.states) else {}),
        ):
            renaming |= {old.get_id(): new.decl().name() for old, new in zip(scalars(template), scalars(state))}
        return renaming

    def step(self) -> State:
        """Append a state that is a successor of the last one."""
        state = self.push_state()
        self.solver.add(self.copy(self.system.relation().taken, len(self.states) - 2))
        return state

    def holds(self, *conditions: Any) -> bool:
        """Whether there is a solution with these conditions.  Raises TimeUp if that is not decided."""
        return self.system.clock.satisfiable(self.solver, *[literal(self.solver, x) for x in conditions])

    def run(self, failing: bool = False) -> Run:
        """The states of the solution found last."""
        model = self.solver.model()
        variables = self.system.model.variables
        return Run(tuple({v.name: read(v.type, s[v.name], model) for v in variables} for s in self.states), failing)


def literal(solver: Any, condition: Any) -> Any:
    """A new literal that implies a condition, to be assumed."""
    name = z3.FreshBool("if")
    solver.add(z3.Implies(name, term(condition)))
    return name


@define(eq=False)
class Goal:
    """The properties to hold: when a state, or the last step of a row, is bad."""

    system: System
    properties: tuple[Property, ...]
    helpers: tuple[Property, ...] = ()

    def bad(self, states: list[State]) -> tuple[c.Bit, c.Bit]:
        """Whether the last state (step) is bad, and whether the reason is that a property cannot be evaluated."""
        return _bad(self._truths(self.properties, states, ("invariant", "step")))

    def bad_at_rest(self, states: list[State]) -> tuple[c.Bit, c.Bit]:
        """Whether the last state would violate a quiescence property if it were quiescent, and whether the reason is
        that a property cannot be evaluated.
        """
        return _bad(self._truths(self.properties, states, ("quiescence",)))

    def good(self, states: list[State], going: tuple[Condition, ...]) -> c.Bit:
        """Whether the last state (step) satisfies all properties and the assumed ones; a quiescence property counts as
        satisfied in a state that is not quiescent.
        """
        everything = (*self.properties, *self.helpers)
        always = _good(self._truths(everything, states, ("invariant", "step")))
        at_rest = _good(self._truths(everything, states, ("quiescence",)))
        return c.conjunction([always, True if at_rest is True else c.disjunction([at_rest, some(going)])])

    def left_out(self, states: list[State]) -> c.Bit:
        """Whether the evaluation of a property exceeds the encoding's bounds."""
        return c.disjunction(
            x.left_out for x in self._truths(self.properties, states, ("invariant", "step", "quiescence"))
        )

    def _truths(self, properties: tuple[Property, ...], states: list[State], kinds: tuple[str, ...]) -> list[Truth]:
        return [self._truth(p, states) for p in properties if p.kind in kinds and (p.kind != "step" or len(states) > 1)]

    def _truth(self, p: Property, states: list[State]) -> Truth:
        return self.system.truth(p.function, states[-1], states[-2] if p.kind == "step" else None)


def _bad(truths: list[Truth]) -> tuple[c.Bit, c.Bit]:
    failing = c.disjunction(x.failing for x in truths)
    return c.disjunction([failing, *(c.negation(x.value) for x in truths)]), failing


def _good(truths: list[Truth]) -> c.Bit:
    return c.conjunction(c.conjunction([x.value, c.negation(x.failing)]) for x in truths)


def kept(system: System, state: State) -> c.Bit:
    """Whether the model's constraints keep a state."""
    truths = [system.truth(name, state) for name in system.model.constraints]
    return c.conjunction(c.conjunction([x.value, c.negation(x.failing)]) for x in truths)


def bounded(system: System, goal: Goal, depth: int, progress: Progress = lambda text: None) -> Answer:
    """Search for a bad state or a model error within `depth` steps of an initial state."""
    for answer in base_cases(system, goal, depth, progress):
        if answer.verdict is not Proved.OPEN:
            return answer
    return answer


def base_cases(system: System, goal: Goal, depth: int, progress: Progress) -> Iterator[Answer]:
    """The answer for 0, 1, 2, ... steps; the last one if it is a violation or the time is over."""
    unrolling = Unrolling(system)
    left_out, k = False, 0
    try:
        unrolling.solver.add(term(system.initial(unrolling.push_state())))
        for k in range(depth + 1):
            progress(f"runs of {counted(k, 'step')}")
            found = _violation(unrolling, goal)
            if found is not None:
                yield Answer(Proved.VIOLATED, k, k - 1, found, left_out)
                return
            left_out = left_out or _leaves_out(unrolling, goal)
            yield Answer(Proved.OPEN, k, k, None, left_out)
            if k < depth:
                unrolling.solver.add(term(kept(system, unrolling.states[-1])))
                unrolling.step()
    except TimeUp:
        yield Answer(Proved.TIMEOUT, k, k - 1, None, left_out)


def _violation(unrolling: Unrolling, goal: Goal) -> Run | None:
    bad, failing = goal.bad(unrolling.states)
    if unrolling.holds(bad):
        found = unrolling.run()
        return unrolling.run(failing=True) if failing is not False and unrolling.holds(failing) else found
    error = _onwards(unrolling, unrolling.system.relation().failing)
    return unrolling.run(failing=True) if unrolling.holds(error) else _at_rest(unrolling, goal)


def _at_rest(unrolling: Unrolling, goal: Goal) -> Run | None:
    """A solution in which the last state is quiescent and violates a quiescence property."""
    bad, failing = goal.bad_at_rest(unrolling.states)
    condition = c.conjunction([bad, kept(unrolling.system, unrolling.states[-1])])
    if condition is False or not Rest(
        unrolling.solver, unrolling.going(), unrolling.system.clock, unrolling.holds
    ).reached(condition):
        return None
    return unrolling.run(failing=solution_value(failing, unrolling.solver.model()))


def _onwards(unrolling: Unrolling, condition: Condition) -> c.Bit:
    """A condition of the relation for a step from the last state; a state that a constraint prunes has no step."""
    return c.conjunction(
        [kept(unrolling.system, unrolling.states[-1]), unrolling.copy(condition, len(unrolling.states) - 1)]
    )


def _leaves_out(unrolling: Unrolling, goal: Goal) -> bool:
    beyond = _onwards(unrolling, unrolling.system.relation().left_out)
    return unrolling.holds(c.disjunction([beyond, goal.left_out(unrolling.states)]))


def inductive(system: System, goal: Goal, depth: int, progress: Progress = lambda text: None) -> Answer:
    """Prove the goal by induction with growing k up to `depth`, or find a violation on the way."""
    unrolling = Unrolling(system)
    stuck: Run | None = None
    last = Answer(Proved.OPEN, 0, -1)
    try:
        unrolling.solver.add(term(kept(system, unrolling.push_state())))
        for answer in base_cases(system, goal, depth, progress):  # base case k: nothing bad within k steps
            last = answer
            if answer.verdict is not Proved.OPEN:
                return Answer(answer.verdict, answer.depth, answer.base, answer.run or stuck, answer.left_out)
            progress(f"induction with {answer.depth + 1} good states")
            found = _extend(unrolling, goal)
            if found is None:
                return Answer(
                    Proved.PROVED, answer.depth + 1, answer.base, None, answer.left_out or _beyond(system, goal)
                )
            stuck = stuck or found
    except TimeUp:
        return Answer(Proved.TIMEOUT, last.depth, last.base, stuck, last.left_out)
    return Answer(Proved.OPEN, last.depth, last.base, stuck, last.left_out)


def _extend(unrolling: Unrolling, goal: Goal) -> Run | None:
    """Assert that the last state is good, append a successor, and return a solution in which the successor is bad, if
    there is one.
    """
    system = unrolling.system
    unrolling.solver.add(term(goal.good(unrolling.states, unrolling.going())))
    unrolling.step()
    for earlier in unrolling.states[:-1]:
        unrolling.solver.add(term(c.negation(system.same(earlier, unrolling.states[-1]))))
    bad, _ = goal.bad(unrolling.states)
    if unrolling.holds(bad):
        return unrolling.run()
    if (stuck := _at_rest(unrolling, goal)) is not None:
        return stuck
    unrolling.solver.add(term(kept(system, unrolling.states[-1])))
    return None


def _beyond(system: System, goal: Goal) -> bool:
    """Whether some good state has a step that the relation leaves out: the proof then covers only runs without such
    steps.
    """
    unrolling = Unrolling(system)
    unrolling.push_state()
    unrolling.solver.add(term(goal.good(unrolling.states, unrolling.going())))
    return _leaves_out(unrolling, goal)
