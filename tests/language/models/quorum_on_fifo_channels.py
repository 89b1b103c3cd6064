# expect: holds distinct=135 transitions=360 depth=7
"""On FIFO channels the heads of the queues make a quorum; a fitting message behind another one waits."""

from checker.language import (
    Bool,
    Distributed,
    Int,
    Invariant,
    Network,
    Optional,
    Process,
    Record,
    Set,
    Union,
    action,
    chain,
    choose,
    const,
    on,
    require,
    var,
)


class Chains(Invariant):
    """Whoever takes several messages has heard of the longest of their chains."""

    hops = chain(3)
    received = var(Int(0, 20), 0)

    def on_begin(self, p):
        self.hops[p] = 1

    def on_receive(self, p, q):
        self.received += 1

    def holds(self) -> bool:
        return all(self.hops[p] < 5 for p in self.Process) and self.received < 12


class M(Distributed):
    """Asked, each answers by way of another or at once."""

    processes = const(3)
    channels = const("fifo", "", ("unordered", "fifo"))
    Wire = Union(Ask=Record(), Ack=Record(v=Optional[Bool]))
    net = var(Network[Process, Wire])
    begun = var(Bool)
    yes = var(Set[Process])
    first = var(Optional[Bool])

    @action
    def ask(self):
        require(not self.begun)
        self.begun = True
        self.emit.begin(self.Process[0])
        self.net.multicast(self.Process[0], self.Wire.Ask())

    @on(net, Wire.Ask)
    def answer(self, p, q):
        if choose({False, True}) and p.index == 1:
            self.net.send(p, self.Process[2], self.Wire.Ask())
        else:
            self.net.send(p, self.Process[0], self.Wire.Ack(choose([None, True])))

    @on(net, Wire.Ack, at_least=2)
    def done(self, p, qs, v):
        self.yes = {q for q in qs if v[q] is not None}
        self.first = v[self.Process[1]]

    properties = [Chains]
