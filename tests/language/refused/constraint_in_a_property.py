# refused: Small.low: @constraint means nothing in a property class

from __future__ import annotations

from checker.language import Bool, Distributed, Ids, Int, Invariant, LeadsTo, Map, Model, Network, Process, Quiescence, Reachable, StepInvariant, Set, action, anything, const, constraint, derived, initial, invariant, of, on, quiescent, reachable, require, rule, step_invariant, var


class Small(Invariant):
    @constraint
    def low(self):  # here
        return self.x < 2

    def holds(self) -> bool:
        return self.x < 4


class M(Model):
    x = var(Int(0, 3), 0)
    properties = [Small]


    @action
    def step(self):
        require(self.x < 3)
        self.x += 1
