"""A lock server: the first process keeps a queue of those who wait, the others ask, hold and give back."""

from checker.language import (
    Bool,
    Distributed,
    LeadsTo,
    Map,
    Network,
    Optional,
    Process,
    Record,
    Seq,
    Union,
    action,
    const,
    holds,
    invariant,
    on,
    require,
    var,
)


class Served(LeadsTo):
    """Whoever waits gets the lock sooner or later."""

    def when(self) -> bool:
        return any(self.waiting[p] for p in self.Process)

    def then(self) -> bool:
        return any(self.holding[p] for p in self.Process)


class LockServer(Distributed):
    """One holder at a time."""

    processes = const(3)
    Wire = Union(Ask=Record(), Grant=Record(), Release=Record())
    net = var(Network[Process, Wire])
    waiting = var(Map[Process, Bool])
    holding = var(Map[Process, Bool])
    owner = var(Optional[Process])
    queue = var(Seq[Process, 3])

    @action
    def ask(self, p: Process):
        require(p != self.Process[0] and not self.waiting[p] and not self.holding[p])
        self.waiting[p] = True
        self.net.send(p, self.Process[0], self.Wire.Ask())

    @on(net, Wire.Ask)
    def enqueue(self, p, q):
        self.queue.append(q)
        self.serve(p)

    @on(net, Wire.Grant)
    def take(self, p, q):
        self.waiting[p] = False
        self.holding[p] = True

    @action
    def release(self, p: Process):
        require(self.holding[p])
        self.holding[p] = False
        self.net.send(p, self.Process[0], self.Wire.Release())

    @on(net, Wire.Release)
    def released(self, p, q):
        self.owner = None
        self.serve(p)

    def serve(self, p):
        if self.owner is None and len(self.queue) > 0:
            first = self.queue.pop(0)
            self.owner = first
            self.net.send(p, first, self.Wire.Grant())

    @invariant
    def one_holder(self) -> bool:
        return sum(self.holding[p] for p in self.Process) <= 1

    properties = [Served]
    expect = holds()
