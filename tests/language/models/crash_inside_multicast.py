# expect: quiescence all_or_nobody distinct=93 transitions=290 depth=7
"""A sender may crash when only some of the other live destinations were reached."""

from checker.language import (
    Bool,
    Distributed,
    Int,
    Map,
    Network,
    Process,
    action,
    const,
    on,
    quiescent,
    require,
    var,
)


class CrashInsideMulticast(Distributed):
    processes = const(3, "processes")
    crashes = const(2, "crashes")
    net = var(Network[Process, Int(0, 0)])
    got = var(Map[Process, Bool], kept=True)
    sent = var(Bool)

    @action
    def start(self, p: Process):
        require(p == self.Process[0] and not self.sent)
        self.sent = True
        self.net.multicast(p, 0)

    @on(net)
    def receive(self, p, q, x):
        self.emit.deliver(p, x)
        self.got[p] = True
        if q == self.Process[0] and p != q:
            self.net.multicast(p, x, to={r for r in self.Process if r > p})

    @quiescent
    def all_or_nobody(self) -> bool:
        correct = [p for p in self.Process if self.live(p)]
        return all(self.got[p] == self.got[q] for p in correct for q in correct)
