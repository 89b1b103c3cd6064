# expect: holds distinct=21 transitions=32 depth=7
"""Equal messages with different chains are different messages for a quorum; each process= type means all."""

from checker.language import (
    Bool,
    Distributed,
    Int,
    Invariant,
    Map,
    Network,
    Process,
    action,
    chain,
    const,
    on,
    require,
    var,
)


class Chains(Invariant):
    """The longest chain."""

    hops = chain(3)

    def on_begin(self, p, n):
        self.hops[p] = n

    def holds(self) -> bool:
        return all(self.hops[p] < 5 for p in self.Process)


class M(Distributed):
    """Both send to the first, before and after they have heard of something."""

    processes = const(2)
    net = var(Network[Process, Bool])
    sent = var(Map[Process, Int(0, 2)], 0)
    taken = var(Map[Process, Int(0, 4)], 0)

    @action
    def send(self, p: Process):
        require(self.sent[p] < 2)
        self.emit.begin(p, self.sent[p] + 1)
        self.sent[p] += 1
        self.net.send(p, self.Process[0], True)

    @on(net, each=Process)
    def take(self, p, qs, b):
        self.taken[p] += 1

    properties = [Chains]
