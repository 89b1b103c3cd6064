# refused: Small.seen: a list in the class body is no variable

from __future__ import annotations

from checker.language import Bool, Distributed, Ids, Int, Invariant, LeadsTo, Map, Model, Network, Process, Quiescence, Reachable, StepInvariant, Set, action, anything, const, constraint, derived, initial, invariant, of, on, quiescent, reachable, require, rule, step_invariant, var


class Small(Invariant):
    seen = []  # here

    def holds(self) -> bool:
        return self.x < 4


class M(Model):
    x = var(Int(0, 3), 0)
    properties = [Small]


    @action
    def step(self):
        require(self.x < 3)
        self.x += 1
