"""ISIS total order: receivers propose timestamps, the sender makes the largest one final, and everybody delivers in the order of final timestamps.

Rule.  A receiver puts a message into its hold-back queue, undeliverable, and proposes a timestamp larger than any it has proposed or received.  The sender
waits for all proposals and announces the largest.  The receiver gives the message this final timestamp, marks it deliverable and reorders the queue; while the
head of the queue is deliverable it is delivered.

Sources: slides "Totally ordered multicast" 4/9-8/9 (a timestamp is made unique by the proposer's identity as suffix); lecture "Total Multicast", part B
(timestamps are plain numbers, and equal ones are ordered by sender): `TieBySender`.  Both after K. Birman and T. Joseph, ACM TOCS 5(1), 1987.
The network is reliable, without order.  Neither text says what happens when a process fails: the sender waits for the proposals of all.
"""

from checker.language import Bool, Int, Map, Network, Optional, Process, Record, Union, choose, const, on, rule, var
from checker.language.multicast import Message, Multicast, total
from properties.multicast import (
    Agreement,
    GapFreeTotalOrder,
    NoCreation,
    NoDuplication,
    Termination,
    TotalOrder,
    UniformTotalOrder,
    Validity,
)


class Isis(Multicast):
    """The protocol of the slides: the proposer breaks ties."""

    highest = const(Multicast.processes * total, "largest timestamp")
    Time = Int(0, highest)
    Stamp = Record(time=Time, by=Process)
    Held = Record(stamp=Stamp, final=Bool)
    Wire = Union(Data=Record(m=Message), Proposal=Record(m=Message, stamp=Stamp), Final=Record(m=Message, stamp=Stamp))

    clock = var(Map[Process, Time], 0)  # largest timestamp proposed or received
    held = var(Map[Process, Map[Message, Optional[Held]]])  # hold-back queue
    replies = var(Map[Process, Map[Message, Int(0, Multicast.processes)]], 0)
    largest = var(Map[Process, Map[Message, Optional[Stamp]]])  # of the proposals the sender has got
    net = var(Network[Process, Wire])

    def send(self, p, m):
        self.net.multicast(p, self.Wire.Data(m))

    @on(net, Wire.Data)
    def propose(self, p, q, m):
        """p holds m back and answers its sender q."""
        self.clock[p] += 1
        stamp = self.Stamp(self.clock[p], p)
        self.held[p][m] = self.Held(stamp, False)
        self.net.send(p, q, self.Wire.Proposal(m, stamp))

    @on(net, Wire.Proposal)
    def collect(self, p, q, m, stamp):
        """p, the sender of m, gets the proposal of q; after the last it announces the largest."""
        largest = self.largest[p][m]
        final = stamp if largest is None else self.pick(largest, stamp)
        self.replies[p][m] += 1
        if self.enough(p, m):
            self.replies[p][m] = 0
            self.largest[p][m] = None
            self.net.multicast(p, self.Wire.Final(m, final))
        else:
            self.largest[p][m] = final

    @rule
    def enough(self, p, m):
        """p has the proposals it waits for."""
        return self.replies[p][m] == len(self.Process)

    @rule
    def pick(self, a, b):
        return max(a, b)

    @on(net, Wire.Final)
    def agree(self, p, q, m, stamp):
        self.clock[p] = max(self.clock[p], stamp.time)
        self.held[p][m] = self.Held(stamp, True)
        ready = [x for x in self.Message if self.deliverable(p, x)]
        while len(ready) > 0:
            x = choose(ready)
            self.deliver(p, x)
            self.held[p][x] = None
            ready = [y for y in self.Message if self.deliverable(p, y)]

    @rule
    def deliverable(self, p: Process, m: Message) -> bool:
        """m is final and heads the hold-back queue of p."""
        mine = self.held[p][m]
        return mine is not None and mine.final and all(self.not_after(p, m, x) for x in self.Message)

    @rule
    def not_after(self, p: Process, m: Message, x: Message) -> bool:
        """m does not stand behind x in the hold-back queue of p."""
        mine, other = self.held[p][m], self.held[p][x]
        return other is None or mine.stamp <= other.stamp

    properties = [NoDuplication, NoCreation, TotalOrder, UniformTotalOrder, GapFreeTotalOrder, Agreement, Termination, Validity]
