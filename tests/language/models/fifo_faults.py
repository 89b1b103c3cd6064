# expect: holds distinct=89 transitions=171 depth=9
"""Loss and duplication on a FIFO network: any place in the queue; a copy stands behind the original."""

from checker.language import (
    Distributed,
    Int,
    Network,
    Process,
    Seq,
    action,
    const,
    invariant,
    on,
    require,
    var,
)


class FifoFaults(Distributed):
    processes = const(2, "processes")
    losses = const(1, "losses")
    duplicates = const(1, "duplicates")
    channels = const("fifo", "order", ("unordered", "fifo"))
    net = var(Network[Process, Int(0, 2)])
    sent = var(Int(0, 3), 0)
    got = var(Seq[Int(0, 2), 4])

    @action
    def send(self, p: Process):
        require(p == self.Process[0] and self.sent < 3)
        self.net.send(p, self.Process[1], self.sent)
        self.sent += 1

    @on(net)
    def receive(self, p, q, x):
        self.got.append(x)

    @invariant
    def in_order(self) -> bool:
        return all(self.got[i] <= self.got[i + 1] for i in range(len(self.got) - 1))
