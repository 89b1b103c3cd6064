# refused: @on stands before down without a network

from __future__ import annotations

from checker.language import Bool, Distributed, Network, on, Process, var


class A(Distributed):
    net = var(Network[Process, Bool])
    ok = var(Bool)
    @on  # here
    def down(self, p, q, v):
        self.ok = False
