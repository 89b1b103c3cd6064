# refused: @on names several variants

from checker.language import Distributed, Int, Network, on, Process, Record, Union, var


class A(Distributed):
    W = Union(A=Record(), B=Record())
    net = var(Network[Process, W])
    x = var(Int(0, 3), 0)
    @on(net, W.A, W.B)  # here
    def go(self, p, q):
        self.x = 1
