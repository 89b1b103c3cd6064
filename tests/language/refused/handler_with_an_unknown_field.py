# refused: handler got: its parameters must be (receiver, sender, v, w)

from __future__ import annotations

from checker.language import Bool, Distributed, Network, on, Process, Record, Union, var


class A(Distributed):
    Wire = Union(Data=Record(v=Bool, w=Bool))
    net = var(Network[Process, Wire])
    n = var(Bool)
    @on(net, Wire.Data)
    def got(self, p, q, x): self.n = x  # here
