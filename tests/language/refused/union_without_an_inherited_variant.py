# refused: handler store: Wire has no variant Write

from checker.language import Distributed, Int, Network, Process, Record, Union, on, var


class _Base(Distributed):
    Wire = Union(Write=Record(v=Int(0, 1)))
    net = var(Network[Process, Wire])
    x = var(Int(0, 1), 0)

    @on(net, Wire.Write)
    def store(self, p, q, v):  # here
        self.x = v


class Edited(_Base):
    Wire = Union(Clear=Record())
