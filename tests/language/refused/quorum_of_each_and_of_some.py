# refused: @on has each= and at_least= or of=

from __future__ import annotations

from checker.language import Bool, Distributed, Network, on, Process, rule, var


class A(Distributed):
    net = var(Network[Process, Bool])
    ok = var(Bool)

    @rule
    def members(self):
        return set(self.Process)

    @on(net, each=Process, at_least=2)  # here
    def down(self, p, qs, m):
        self.ok = False
