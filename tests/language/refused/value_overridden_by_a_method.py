# refused: Edited.LIMIT: a value of M is overridden by a method

from __future__ import annotations

from checker.language import Bool, Distributed, Ids, Int, Invariant, LeadsTo, Map, Model, Network, Process, Quiescence, Reachable, StepInvariant, Set, action, anything, const, constraint, derived, initial, invariant, of, on, quiescent, reachable, require, rule, step_invariant, var


class M(Model):
    x = var(Int(0, 3), 0)
    LIMIT = 3


    @action
    def step(self):
        require(self.x < self.LIMIT)
        self.x += 1

    @rule
    def low(self):
        return self.x < 2

    @invariant
    def fine(self) -> bool:
        return self.x < 4 or self.low()


class Edited(M):
    """EDIT: one line."""
    def LIMIT(self):  # here
        return 2
