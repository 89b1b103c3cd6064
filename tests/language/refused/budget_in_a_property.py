# refused: Small.cut: a variable of a property has no budget

from __future__ import annotations

from checker.language import Bool, Distributed, Ids, Int, Invariant, LeadsTo, Map, Model, Network, Process, Quiescence, Reachable, StepInvariant, Set, action, anything, const, constraint, derived, initial, invariant, of, on, quiescent, reachable, require, rule, step_invariant, var


class Small(Invariant):
    cut = var(Bool, budget="cuts")  # here

    def holds(self) -> bool:
        return self.x < 4


class M(Model):
    x = var(Int(0, 3), 0)
    properties = [Small]
    cuts = const(0, "")

    @action
    def step(self):
        require(self.x < 3)
        self.x += 1
