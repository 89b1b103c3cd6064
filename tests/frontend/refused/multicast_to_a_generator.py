# refused: a generator is used as a value: it can be walked once, has no items and is always true

from checker.language import Distributed, Int, Network, Process, action, invariant, on, require, var


class Refusing(Distributed):
    """The check of to= walks the generator, nobody is left."""
    net = var(Network[Process, Int(0, 2)])
    done = var(Int(0, 1), 0)

    @action
    def step(self, p: Process):
        require(p.index == 0 and self.done == 0)
        self.done = 1
        self.net.multicast(p, 1, to=(q for q in self.Process if q != p))  # here

    @on(net)
    def receive(self, p, q, m):
        require(False)

    @invariant
    def someone(self) -> bool:
        return self.done == 0 or len(self.net) > 0
