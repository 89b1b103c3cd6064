# refused: chain(0) tells no chains apart

from __future__ import annotations

from checker.language import Bool, Distributed, Invariant, Network, Process, chain, on, var


class Short(Invariant):
    hops = chain(0)  # here
    def holds(self) -> bool: return True


class M(Distributed):
    net = var(Network[Process, Bool])
    x = var(Bool)
    @on(net)
    def go(self, p, q, b): self.x = b
    properties = [Short]
