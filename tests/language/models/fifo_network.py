# expect: holds distinct=13 transitions=18 depth=8
"""On a FIFO network messages between two processes arrive in the order they were sent."""

from checker.language import Distributed, Fifo, Int, Process, Record, Union, action, const, on, require, var


class FifoNetwork(Distributed):
    processes = const(2, "processes")
    Wire = Union(Number=Record(n=Int(0, 2)), Done=Record())
    net = var(Fifo[Process, Wire])
    sent = var(Int(0, 3), 0)
    expected = var(Int(0, 3), 0)

    @action
    def send(self, p: Process):
        require(p == self.Process[0] and self.sent < 3)
        self.net.send(p, self.Process[1], self.Wire.Number(self.sent))
        self.sent += 1

    @action
    def finish(self, p: Process):
        require(
            p == self.Process[0]
            and self.sent == 3
            and self.Wire.Done() not in self.net.between(p, self.Process[1])
        )
        require(len(self.net) < 3)
        self.net.send(p, self.Process[1], self.Wire.Done())

    @on(net, Wire.Number)
    def number(self, p, q, n):
        assert n == self.expected
        self.expected += 1

    @on(net, Wire.Done)
    def done(self, p, q):
        assert self.expected == 3
