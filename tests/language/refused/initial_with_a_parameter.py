# refused: the @initial method start takes parameters

from __future__ import annotations

from checker.language import Bool, Distributed, Ids, Int, Invariant, LeadsTo, Map, Model, Network, Process, Quiescence, Reachable, StepInvariant, Set, action, anything, const, constraint, derived, initial, invariant, of, on, quiescent, reachable, require, rule, step_invariant, var


class Small(Invariant):
    seen = var(Bool)

    @initial
    def start(self, x):  # here
        self.seen = x == 0

    def holds(self) -> bool:
        return self.x < 4


class M(Model):
    x = var(Int(0, 3), 0)
    properties = [Small]


    @action
    def step(self):
        require(self.x < 3)
        self.x += 1
