# refused: handler down: the rule members asks for m

from __future__ import annotations

from checker.language import Bool, Distributed, Network, on, Process, rule, var


class A(Distributed):
    net = var(Network[Process, Bool])
    ok = var(Bool)

    @rule
    def members(self, m: Bool):
        return set(self.Process)

    @on(net, each=members)
    def down(self, p, qs, m):  # here
        self.ok = False
