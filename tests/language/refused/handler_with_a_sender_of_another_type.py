# refused: handler down: parameter q is Process, not Int(0, 5)

from __future__ import annotations

from checker.language import Bool, Distributed, Int, Network, Process, Set, on, var


class A(Distributed):
    net = var(Network[Process, Bool])
    ok = var(Bool)

    @on(net)
    def down(self, p, q: Int(0, 5), m):  # here
        self.ok = False
