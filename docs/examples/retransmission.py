"""A message that is sent again until it is acknowledged, with a bound on how often, or on how many are in flight."""

from checker.language import (
    Bool,
    Distributed,
    Int,
    LeadsTo,
    Map,
    Network,
    Process,
    Record,
    Set,
    Union,
    action,
    const,
    holds,
    of,
    on,
    quiescent,
    require,
    rule,
    var,
    violates,
)


class Counted(Distributed):
    """The first process stores at the others, and asks each at most so often."""

    Wire = Union(Store=Record(), Stored=Record())
    times = const(2, "how often each is asked")
    net = var(Network[Process, Wire])
    asked = var(Map[Process, Int(0, times)], 0)
    stores = var(Map[Process, Bool])
    known = var(Set[Process])

    @rule
    def may_ask(self, p, q) -> bool:
        return self.asked[q] < self.times

    @action
    def ask(self, p: Process, q: Process):
        require(p == self.Process[0] and q != p and q not in self.known)
        require(self.may_ask(p, q))
        self.count(q)
        self.net.send(p, q, self.Wire.Store())

    def count(self, q):
        self.asked[q] += 1

    @on(net, Wire.Store)
    def store(self, p, q):
        self.stores[p] = True
        self.answer(p, q)

    def answer(self, p, q):
        self.net.send(p, q, self.Wire.Stored())

    @on(net, Wire.Stored)
    def note(self, p, q):
        self.known.add(q)

    @quiescent
    def all_are_known(self) -> bool:
        return len(self.known) == self.processes - 1

    expect = [
        holds(at={"processes": 2, "losses": 1}),
        violates(all_are_known, at={"processes": 2, "losses": 2}, steps=4),
    ]


class Known(LeadsTo):
    """Each is known sooner or later: while it is not, runs go on, so that no quiescent state can say it."""

    def then(self, p: of("Process")) -> bool:
        return p in self.known or p == self.Process[0]


class OneInFlight(Counted):
    """EDIT: any number of times, but no message while the same is in flight."""

    asked = None

    def may_ask(self, p, q) -> bool:
        return self.Wire.Store() not in self.net.between(p, q)

    def count(self, q):
        pass

    def answer(self, p, q):
        if self.Wire.Stored() not in self.net.between(p, q):  # what is sent in answer needs the bound, too
            self.net.send(p, q, self.Wire.Stored())

    properties = [Known]
    expect = [holds(at={"processes": 2, "losses": 2}), holds(at={"losses": 1})]
