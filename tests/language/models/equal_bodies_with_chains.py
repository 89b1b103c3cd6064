# expect: invariant once distinct=4 transitions=4 depth=4

from checker.language import (
    Distributed,
    Int,
    Invariant,
    Network,
    Process,
    action,
    chain,
    invariant,
    on,
    require,
    var,
)


class Hops(Invariant):
    """Counts something that messages carry."""
    hops = chain(5)

    def on_begin(self, p, n):
        self.hops[p] = n

    def holds(self) -> bool:
        return all(self.hops[p] < 6 for p in self.Process)


class M(Distributed):
    """Two equal bodies with chains of their own are one item of between(p, q)."""
    net = var(Network[Process, Int(0, 2)])
    sent = var(Int(0, 2), 0)
    n = var(Int(0, 9), 0)
    properties = [Hops]

    @action
    def start(self, p: Process):
        require(p.index == 0 and self.sent < 2)
        self.sent += 1
        self.emit.begin(p, self.sent)
        self.net.send(p, self.Process[1], 1)

    @action
    def look(self, p: Process):
        require(p.index == 1 and self.sent == 2)
        self.n = len([x for x in self.net.between(self.Process[0], p)])

    @on(net)
    def receive(self, p, q, m):
        require(self.n > 0 and self.sent == 0)

    @invariant
    def once(self) -> bool:
        return self.n != 1
