"""Which of some candidates are invariants, by induction on all of them together: candidates that are false in an
initial state, or after a step from a state in which all remaining candidates are true, are dropped until none is (after
C. Flanagan and K. R. M. Leino, "Houdini, an annotation assistant for ESC/Java", FME 2001).
"""

from __future__ import annotations

from collections.abc import Sequence

from checker.backends.smt import scalars as c
from checker.backends.smt.bounded import Unrolling, kept
from checker.backends.smt.clock import TimeUp
from checker.backends.smt.environment import State
from checker.backends.smt.system import System, term


def invariant(system: System, functions: Sequence[str]) -> tuple[str, ...]:
    """The functions that z3 proves to be true in every reachable state; none if the time is over."""
    try:
        start = Unrolling(system)
        start.solver.add(term(system.initial(start.push_state())))
        left = [f for f in functions if not start.holds(c.negation(_true(system, f, start.states[-1])))]
        step = Unrolling(system)
        step.solver.add(term(kept(system, step.push_state())))
        step.step()
        before, after = step.states
        while left:
            given = [_true(system, f, before) for f in left]
            broken = {f for f in left if step.holds(c.conjunction([*given, c.negation(_true(system, f, after))]))}
            if not broken:
                break
            left = [f for f in left if f not in broken]
        return tuple(left)
    except TimeUp:
        return ()


def _true(system: System, function: str, state: State) -> c.Bit:
    truth = system.truth(function, state)
    return c.conjunction([truth.value, c.negation(truth.failing), c.negation(truth.left_out)])
