# refused: the union has no variant Dat

from __future__ import annotations

from checker.language import Bool, Distributed, Network, on, Process, Record, Union, var


class A(Distributed):
    Wire = Union(Data=Record(v=Bool, w=Bool))
    net = var(Network[Process, Wire])
    ok = var(Bool)
    @on(net, Wire.Dat)  # here
    def down(self, p, q, v):
        self.ok = False
