# refused: handler down: members is no rule

from __future__ import annotations

from checker.language import Bool, Distributed, Network, on, Process, rule, var


class A(Distributed):
    net = var(Network[Process, Bool])
    ok = var(Bool)

    def members(self):
        return set(self.Process)

    @on(net, each=members)
    def down(self, p, qs, m):  # here
        self.ok = False
