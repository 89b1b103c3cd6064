# refused: M.lose_net: this is the name of a fault action of the language

from __future__ import annotations

from checker.language import Bool, Distributed, Network, on, Process, var


class M(Distributed):
    net = var(Network[Process, Bool])
    x = var(Bool)
    @on(net)
    def lose_net(self, p, q, m):  # here
        self.x = m
