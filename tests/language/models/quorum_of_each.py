# expect: holds distinct=334 transitions=668 depth=9
"""each= with a rule: one message from everybody it names, whoever has crashed; copies and other values are choices."""

from checker.language import (
    Distributed,
    Int,
    Map,
    Network,
    Process,
    Record,
    Union,
    action,
    const,
    invariant,
    on,
    require,
    rule,
    var,
)


class M(Distributed):
    """The first two send numbers under a name twice, and somebody takes one from each."""

    processes = const(3)
    crashes = const(1)
    duplicates = const(1)
    Wire = Union(Told=Record(n=Int(0, 1), v=Int(0, 2)), Other=Record(n=Int(0, 1)))
    net = var(Network[Process, Wire])
    told = var(Map[Process, Int(0, 2)], 0, kept=True)
    sums = var(Map[Process, Int(0, 4)], 0)

    @action
    def tell(self, p: Process):
        require(self.told[p] < 2 and p.index < 2 and (p.index == 0 or self.told[p] == 0))
        self.told[p] += 1
        self.net.send(p, self.Process[2], self.Wire.Told(2 - self.told[p], self.told[p]))
        if p.index == 1:
            self.net.send(p, self.Process[2], self.Wire.Other(1))

    @rule
    def awaited(self, n, p: Process):
        return {q for q in self.Process if q != p and self.live(q) and (n == 1 or q.index == 0)}

    @on(net, Wire.Told, each=awaited, same="n")
    def take(self, p, senders, n, v):
        self.sums[p] = sum(v[q] for q in senders)
        self.net.multicast(p, self.Wire.Other(1 - n), to=set(self.Process) - senders)

    @invariant
    def few(self) -> bool:
        return len(self.net) < 9
