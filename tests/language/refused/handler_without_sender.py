# refused: handler down must have the parameters (receiver, sender, message)

from __future__ import annotations

from checker.language import Bool, Distributed, Network, on, Process, var


class A(Distributed):
    net = var(Network[Process, Bool])
    ok = var(Bool)
    @on(net)
    def down(self, p, m):  # here
        self.ok = False
