# expect: holds distinct=25 transitions=50 depth=7
"""A process that has crashed before the first step takes none and receives nothing, though no more may crash."""

from checker.language import (
    Distributed,
    Int,
    Map,
    Network,
    Process,
    Record,
    Union,
    action,
    initial,
    on,
    require,
    var,
)


class FromTheStart(Distributed):
    Wire = Union(Ping=Record(n=Int(0, 1)))
    net = var(Network[Process, Wire])
    got = var(Map[Process, Int(0, 3)], 0)
    sent = var(Map[Process, Int(0, 1)], 0)

    @initial
    def one_is_gone(self):
        self.crashed.add(self.Process[0])

    @action
    def say(self, p: Process):
        require(self.sent[p] == 0)
        self.sent[p] = 1
        self.net.multicast(p, self.Wire.Ping(1))

    @on(net, Wire.Ping)
    def hear(self, p, q, n):
        self.got[p] += n
