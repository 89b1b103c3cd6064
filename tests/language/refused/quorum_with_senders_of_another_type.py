# refused: handler down: parameter qs is Set[Process], not Process

from __future__ import annotations

from checker.language import Bool, Distributed, Int, Network, Process, Set, on, var


class A(Distributed):
    net = var(Network[Process, Bool])
    ok = var(Bool)

    @on(net, each=Process)
    def down(self, p, qs: Process, m):  # here
        self.ok = False
