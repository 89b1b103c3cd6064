# expect: invariant empty distinct=2 transitions=1 depth=2

from checker.language import Distributed, Fifo, Int, Process, action, invariant, on, require, var


class M(Distributed):
    """What between(p, q) gave does not change with the queue."""
    net = var(Fifo[Process, Int(0, 2)])
    n = var(Int(0, 9), 0)
    done = var(Int(0, 1), 0)

    @action
    def step(self, p: Process):
        require(p.index == 0 and self.done == 0)
        self.done = 1
        x = self.net.between(p, self.Process[1])
        self.net.send(p, self.Process[1], 1)
        self.n = len(x)

    @on(net)
    def receive(self, p, q, m):
        require(False)

    @invariant
    def empty(self) -> bool:
        return self.done == 0 or self.n == 1
