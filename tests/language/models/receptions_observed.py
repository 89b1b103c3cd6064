# expect: holds distinct=9 transitions=8 depth=5
"""A property watches receptions, beside sending: told before the handler acts, and not if the handler is not enabled."""

from checker.language import (
    Distributed,
    Int,
    Invariant,
    Map,
    Network,
    Process,
    action,
    const,
    of,
    on,
    require,
    var,
)


class Counted(Invariant):
    sent = var(Map[of("Process"), Int(0, 4)], 0)
    received = var(Map[of("Process"), Map[of("Process"), Int(0, 4)]], 0)

    def on_send(self, p, q):
        self.sent[p] += 1

    def on_receive(self, p, q):
        self.received[p][q] += 1

    def holds(self) -> bool:
        received = sum(self.received[p][q] for p in self.Process for q in self.Process)
        return sum(self.sent[p] for p in self.Process) == received + len(self.net) and received == self.handled


class Answered(Distributed):
    processes = const(2, "how many")
    net = var(Network[Process, Int(0, 1)])
    handled = var(Int(0, 4), 0)
    asked = var(Int(0, 1), 0)

    @action
    def ask(self, p: Process):
        require(self.asked == 0)
        self.asked = 1
        self.net.multicast(p, 0)

    @on(net)
    def answer(self, p, q, kind):
        require(kind == 1 or p == q or self.handled > 0)
        self.handled += 1
        if kind == 0 and p != q:
            self.net.send(p, q, 1)

    properties = [Counted]
