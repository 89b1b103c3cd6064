# refused: hear(q, p, n) has the parameters of the base in another order
from checker.language import Distributed, Int, Network, Process, Record, Union, action, const, on, require, var


class Talk(Distributed):
    processes = const(2)
    Wire = Union(Hi=Record(n=Int(0, 1)))
    net = var(Network[Process, Wire])
    said = var(Int(0, 2), 0)

    @action
    def say(self, p: Process):
        require(self.said < 2)
        self.said += 1
        self.net.multicast(p, self.Wire.Hi(0))

    @on(net, Wire.Hi)
    def hear(self, p, q, n):
        require(p != q)


class Refusing(Talk):
    @on(Talk.net, Talk.Wire.Hi)
    def hear(self, q, p, n):  # here
        require(p != q)
