"""Mutual exclusion with logical clocks: enter when your request is the oldest and everybody has answered.

Source: L. Lamport, "Time, Clocks, and the Ordering of Events in a Distributed System", CACM 21(7), 1978; the TLA+
module LamportMutex.  Channels are FIFO. Clocks grow without bound, so a state with a clock above `clock` is checked but
not explored: the verdict is for runs below that bound.
"""

from __future__ import annotations

from checker.language import (
    Fifo,
    Ids,
    Int,
    Map,
    Model,
    Record,
    Set,
    Union,
    action,
    const,
    constraint,
    holds,
    invariant,
    on,
    require,
    rule,
    var,
)


class LamportMutex(Model):
    """Lamport's mutual exclusion for three processes; request 0 means "none"."""

    clock = const(3, "largest clock value explored")
    Process = Ids("p", 3)
    Time = Int(0, clock)
    Wire = Union(Req=Record(c=Time), Ack=Record(), Rel=Record())

    time = var(Map[Process, Int(1, clock + 1)], 1)
    req = var(Map[Process, Map[Process, Time]], 0)
    ack = var(Map[Process, Set[Process]])
    crit = var(Set[Process])
    net = var(Fifo[Process, Wire])

    @action
    def request(self, p: Process):
        require(self.req[p][p] == 0)
        self.req[p][p] = self.time[p]
        self.ack[p] = {p}
        for q in self.Process:
            if q != p:
                self.net.send(p, q, self.Wire.Req(self.time[p]))

    @on(net, Wire.Req)
    def receive_request(self, p, q, c):
        self.req[p][q] = c
        self.time[p] = max(c, self.time[p]) + 1
        self.net.send(p, q, self.Wire.Ack())

    @on(net, Wire.Ack)
    def receive_ack(self, p, q):
        self.ack[p].add(q)

    @rule
    def oldest(self, p: Process) -> bool:
        """The request of p precedes every other request p knows of."""
        return all(self.req[p][q] == 0 or (self.req[p][p], p) < (self.req[p][q], q) for q in self.Process if q != p)

    @action
    def enter(self, p: Process):
        require(len(self.ack[p]) == len(self.Process) and self.oldest(p))
        self.crit.add(p)

    @action
    def exit(self, p: Process):
        require(p in self.crit)
        self.crit.remove(p)
        self.req[p][p] = 0
        self.ack[p] = set()
        for q in self.Process:
            if q != p:
                self.net.send(p, q, self.Wire.Rel())

    @on(net, Wire.Rel)
    def receive_release(self, p, q):
        self.req[p][q] = 0

    @constraint
    def clocks_bounded(self) -> bool:
        return all(self.time[p] <= self.clock for p in self.Process)

    @invariant
    def mutual_exclusion(self) -> bool:
        """At most one process is in its critical section."""
        return len(self.crit) <= 1

    @invariant
    def short_queues(self) -> bool:
        """At most three messages are in flight between two processes."""
        return all(len(self.net.between(p, q)) <= 3 for p in self.Process for q in self.Process)

    expect = [
        holds(at={"clock": 3}, distinct=10_209, transitions=41_532, depth=31, within=["clocks_bounded"]),
        holds(at={"clock": 4}, distinct=70_472, transitions=276_113, depth=41, within=["clocks_bounded"]),
        holds(at={"clock": 6}, distinct=724_274, transitions=2_729_078, depth=61, within=["clocks_bounded"]),
        holds(
            at={"clock": 8},
            distinct=2_763_329,
            transitions=10_216_215,
            depth=72,
            within=["clocks_bounded"],
            thorough=True,
        ),
    ]
