# expect: holds distinct=5 transitions=4 depth=5

from checker.language import Distributed, Int, Network, Process, action, invariant, on, require, var


class M(Distributed):
    """What is no body is not in flight."""
    net = var(Network[Process, Int(0, 2)])
    n = var(Int(0, 9), 0)

    @action
    def step(self, p: Process):
        require(p.index == 0 and self.n < 4)
        self.n += 1

    @on(net)
    def receive(self, p, q, m):
        require(False)

    @invariant
    def never(self) -> bool:
        return self.n not in self.net.between(self.Process[0], self.Process[1])
