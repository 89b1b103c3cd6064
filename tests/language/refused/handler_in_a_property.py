# refused: Small.got: @on means nothing in a property class

from __future__ import annotations

from checker.language import Bool, Distributed, Ids, Int, Invariant, LeadsTo, Map, Model, Network, Process, Quiescence, Reachable, StepInvariant, Set, action, anything, const, constraint, derived, initial, invariant, of, on, quiescent, reachable, require, rule, step_invariant, var


net = var(Network[Process, Bool])


class Small(Invariant):


    @on(net)
    def got(self, p, q, m):  # here
        pass

    def holds(self) -> bool:
        return self.x < 4


class M(Distributed):
    x = var(Int(0, 3), 0)
    properties = [Small]


    @action
    def step(self):
        require(self.x < 3)
        self.x += 1
