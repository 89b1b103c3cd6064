# refused: go has two decorators of the language

from checker.language import action, Distributed, Int, Network, on, Process, Record, require, Union, var


class A(Distributed):
    W = Union(A=Record(), B=Record())
    net = var(Network[Process, W])
    x = var(Int(0, 3), 0)
    @on(net, W.A)  # here
    @on(net, W.B)
    def go(self, p, q):
        self.x = 1
    @action
    def s(self, p: Process):
        require(self.x == 0)
        self.net.send(p, p, self.W.A())
