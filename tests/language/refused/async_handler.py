# refused: A.got: an async method is not in the language

from __future__ import annotations

from checker.language import Bool, Distributed, Network, on, Process, var


class A(Distributed):
    net = var(Network[Process, Bool])
    n = var(Bool)
    @on(net)
    async def got(self, p, q, m): self.n = True  # here
