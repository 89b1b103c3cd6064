# refused: Small has two @initial methods, start and begin

from __future__ import annotations

from checker.language import Bool, Distributed, Ids, Int, Invariant, LeadsTo, Map, Model, Network, Process, Quiescence, Reachable, StepInvariant, Set, action, anything, const, constraint, derived, initial, invariant, of, on, quiescent, reachable, require, rule, step_invariant, var


class Small(Invariant):
    seen = var(Bool)

    @initial
    def start(self):
        self.seen = True

    @initial
    def begin(self):  # here
        self.seen = True

    def holds(self) -> bool:
        return self.x < 4


class M(Model):
    x = var(Int(0, 3), 0)
    properties = [Small]


    @action
    def step(self):
        require(self.x < 3)
        self.x += 1
