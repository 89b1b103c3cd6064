# refused: M.outcom: this name means nothing to the language; did you mean outcome?

from __future__ import annotations

from checker.language import Bool, Distributed, Ids, Int, Invariant, LeadsTo, Map, Model, Network, Process, Quiescence, Reachable, StepInvariant, Set, action, anything, const, constraint, derived, initial, invariant, of, on, quiescent, reachable, require, rule, step_invariant, var


class M(Model):
    x = var(Int(0, 3), 0)
    LIMIT = 3
    outcom = ("x",)  # here

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
    pass
