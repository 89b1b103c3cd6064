# expect: reachable one_side_hears_nothing distinct=123 transitions=292 depth=9
"""While the network is split, what crosses is lost; after it has healed, messages arrive again."""

from checker.language import (
    Bool,
    Distributed,
    Map,
    Network,
    Process,
    action,
    const,
    on,
    reachable,
    require,
    var,
)


class Split(Distributed):
    processes = const(2)
    partitions = const(1)

    sent = var(Map[Process, Bool])
    got = var(Map[Process, Bool])
    net = var(Network[Process, Process])

    @action
    def tell(self, p: Process):
        require(not self.sent[p])
        self.sent[p] = True
        self.net.multicast(p, p)

    @on(net)
    def hear(self, p, q, m):
        self.got[p] = self.got[p] or p != q

    @reachable
    def one_side_hears_nothing(self) -> bool:
        return all(self.sent[p] for p in self.Process) and len(self.net) == 0 and not self.got[self.Process[0]]
