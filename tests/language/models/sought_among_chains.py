# expect: error 29 distinct=1 transitions=2 depth=1
"""A body looked for among messages with chains is evaluated first and may fail, also where nothing is in flight."""

from checker.language import Distributed, Int, Invariant, Network, Process, Seq, action, chain, const, var


class Hops(Invariant):
    """Every message carries a chain."""

    hops = chain(2)

    def on_send(self, p, q):
        if self.hops[p] == 0:
            self.hops[p] = 1

    def holds(self) -> bool:
        return all(self.hops[p] < 4 for p in self.Process)


class SoughtAmongChains(Distributed):
    processes = const(2, "processes")
    net = var(Network[Process, Int(0, 3)])
    line = var(Seq[Int(0, 3), 2])
    found = var(bool, False)
    properties = [Hops]

    @action
    def seek(self, p: Process):
        self.found = self.line[0] in self.net.between(p, p)
