# refused: handler down: a parameter has a default value

from __future__ import annotations

from checker.language import Bool, Distributed, Int, Network, Process, Set, on, var


class A(Distributed):
    net = var(Network[Process, Bool])
    ok = var(Bool)

    @on(net, each=Process)
    def down(self, p, qs, m=False):  # here
        self.ok = False
