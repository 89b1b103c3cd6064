"""Causal multicast with vector timestamps: a message waits until everything its sender had delivered has been
delivered here.

Source: slides 'Causally ordered multicast 1/3' to '3/3' (the protocol is CBCAST of Birman, Schiper,
Stephenson, ACM TOCS 9(3), 1991). VT[p][q] counts the messages of q delivered at p.

    C1  to multicast m, p increments VT[p][p] and sends m with TS = VT[p]
    C2  the sender delivers m immediately
    C3  any other process puts m on its hold-back queue
    C4  m from i is delivered at j when TS[i] = VT[j][i] + 1 and VT[j][k] >= TS[k] for all k other than i;
            then VT[j][i] := TS[i]

The slides do not say which multicast lies below.  The main class sends to the others once (basic multicast);
`OverReliable` relays.
"""

from checker.language import (
    Int,
    Map,
    Network,
    Process,
    Record,
    Set,
    draw,
    holds,
    invariant,
    on,
    quiescent,
    rule,
    var,
    violates,
)
from checker.language.multicast import Message, Multicast
from checker.properties.multicast import (
    Agreement,
    CausalOrder,
    NoCreation,
    NoDuplication,
    Termination,
    UniformAgreement,
)


class CausalVectorClock(Multicast):
    """As printed, over basic multicast."""

    Clock = Map[Process, Int(0, 2 * Multicast.workload.sum())]
    Packet = Record(m=Message, stamp=Clock)

    clock = var(Map[Process, Clock], 0)  # VT
    stamps = var(Map[Process, Map[Message, Clock]], 0)  # TS of held messages, zero otherwise
    held = var(Map[Process, Set[Message]])
    net = var(Network[Process, Packet])

    def send(self, p, m):
        self.clock[p][p] += 1  # C1
        self.net.multicast(p, self.Packet(m, self.clock[p]), to={q for q in self.Process if q != p})
        self.deliver(p, m)  # C2

    @on(net)
    def receive(self, q, p, packet):
        self.hold(q, packet)

    def hold(self, q, packet):  # C3
        self.held[q].add(packet.m)
        self.stamps[q][packet.m] = packet.stamp
        self.check_queue(q)

    def check_queue(self, q):
        while any(self.ready(q, m) for m in self.held[q]):
            for m in list(self.held[q]):
                if self.ready(q, m):
                    self.take(q, m)

    def take(self, q, m):
        p = self.sender(m)
        self.deliver(q, m)
        self.clock[q][p] = self.stamps[q][m][p]
        self.held[q].remove(m)
        for r in self.Process:
            self.stamps[q][m][r] = 0

    @rule
    def ready(self, q: Process, m: Message):  # C4
        """q may deliver m."""
        return self.next_of_sender(q, m) and self.past_delivered(q, m)

    @rule
    def next_of_sender(self, q: Process, m: Message):
        """m is the next message of its sender."""
        p = self.sender(m)
        return self.stamps[q][m][p] == self.clock[q][p] + 1

    @rule
    def past_delivered(self, q: Process, m: Message):
        """q has delivered what the sender had delivered from the others."""
        return all(self.clock[q][k] >= self.stamps[q][m][k] for k in self.Process if k != self.sender(m))

    picture = [draw.clock("clock")]

    properties = [NoDuplication, NoCreation, CausalOrder, Termination, Agreement, UniformAgreement]
    expect = [
        holds(at={"workload": (2, 1, 0)}),
        holds(at={"workload": (1, 1, 1)}),
        holds(at={"workload": (2, 0), "duplicates": 1}),
        violates(Agreement, UniformAgreement, at={"workload": (1, 0, 0), "crashes": 1}, steps=2),
        violates(Termination, Agreement, UniformAgreement, at={"workload": (1, 1, 0), "crashes": 1}, steps=4),
    ]


class OverReliable(CausalVectorClock):
    """READING: on top of reliable multicast, which relays what is new before it passes it up."""

    received = var(Map[Process, Set[Message]])

    @on(CausalVectorClock.net)
    def receive(self, q, hop, packet):
        m = packet.m
        if m not in self.received[q] and q != self.sender(m):
            self.received[q].add(m)
            self.net.multicast(q, packet, to={r for r in self.Process if r != q})
            self.hold(q, packet)

    expect = [
        holds(at={"workload": (1, 1, 0), "crashes": 1}),
        holds(at={"workload": (1, 0, 0), "crashes": 2}),
        holds(at={"workload": (2, 1, 0)}, distinct=441644),
        holds(at={"workload": (1, 1, 1)}, distinct=1592592, thorough=True),
    ]


class Identified(CausalVectorClock):
    """CLAIM (slides 3/3): timestamps allow missing messages, and who sent them, to be identified. They do if something
    that follows the message arrives."""

    @rule
    def named(self, q: Process, m: Message, x: Message):
        """The timestamp of m, held back at q, counts x, which q has not delivered."""
        own = 1 if self.sender(x) == self.sender(m) else 0
        return x != m and self.number(x) + own < self.stamps[q][m][self.sender(x)] and x not in self.delivered[q]

    @invariant
    def what_is_missing_is_named(self):
        """What is held back waits for something that its timestamp names, and everything that it names was
        multicast."""
        return all(
            any(self.named(q, m, x) for x in self.Message)
            and all(self.was_multicast(x) for x in self.Message if self.named(q, m, x))
            for q in self.Process
            for m in self.held[q]
        )

    @quiescent
    def every_loss_shows(self):
        """Who never gets a message holds back another one."""
        return all(
            len(self.held[q]) > 0 or m in self.delivered[q]
            for m in self.Message
            if self.was_multicast(m) and self.live(self.sender(m))
            for q in self.Process
            if self.live(q)
        )

    properties = [CausalOrder]
    expect = [
        violates("every_loss_shows", at={"workload": (1, 0), "losses": 1}, steps=2),
        holds(at={"workload": (2, 1, 0), "losses": 2}, only=["what_is_missing_is_named", "CausalOrder"]),
    ]


class DeliverBeforeSending(OverReliable):
    """READING: the sender delivers its own message before it is sent."""

    def send(self, p, m):
        self.deliver(p, m)
        self.clock[p][p] += 1
        self.net.multicast(p, self.Packet(m, self.clock[p]), to={q for q in self.Process if q != p})

    expect = [
        violates(UniformAgreement, at={"workload": (1, 0), "crashes": 1}, steps=1),
        holds(at={"workload": (2, 1, 0)}),
    ]


class TickOnDelivery(CausalVectorClock):
    """READING: 'updated as usual' counts events: the own entry ticks at each delivery."""

    def take(self, q, m):
        p = self.sender(m)
        self.deliver(q, m)
        self.clock[q][p] = self.stamps[q][m][p]
        self.clock[q][q] += 1
        self.held[q].remove(m)
        for r in self.Process:
            self.stamps[q][m][r] = 0

    expect = [
        holds(at={"workload": (3, 0)}),
        violates(Termination, Agreement, UniformAgreement, at={"workload": (1, 1)}, steps=4),
    ]


class MaxOnDelivery(CausalVectorClock):
    """READING: 'updated as usual' is the maximum of two vectors: the same, since a message is not delivered before all
    that it follows."""

    def take(self, q, m):
        self.deliver(q, m)
        for r in self.Process:
            self.clock[q][r] = max(self.clock[q][r], self.stamps[q][m][r])
        self.held[q].remove(m)
        for r in self.Process:
            self.stamps[q][m][r] = 0

    expect = [holds(at={"workload": (2, 1, 0)}), holds(at={"workload": (1, 1, 1)})]


class MaxOnReceipt(CausalVectorClock):
    """READING: the maximum is taken when a message arrives, before it is delivered: what it counts is then never waited
    for, and it never comes to its turn."""

    def hold(self, q, packet):
        for r in self.Process:
            self.clock[q][r] = max(self.clock[q][r], packet.stamp[r])
        self.held[q].add(packet.m)
        self.stamps[q][packet.m] = packet.stamp
        self.check_queue(q)

    expect = [
        violates(Termination, Agreement, UniformAgreement, at={"workload": (1, 0)}, steps=2),
        holds(at={"workload": (2, 0)}, only=[CausalOrder]),
    ]


class IgnorePast(CausalVectorClock):
    """EDIT: compare only the sender's own entry (FIFO)."""

    @rule
    def past_delivered(self, q, m):
        return True

    expect = [holds(at={"workload": (3, 0)}), violates(CausalOrder, at={"workload": (1, 1, 0)}, steps=4)]


class IgnoreOwnEntry(CausalVectorClock):
    """EDIT: compare only the entries of the others."""

    @rule
    def next_of_sender(self, q, m):
        return True

    expect = [holds(at={"workload": (1, 1, 1)}), violates(CausalOrder, at={"workload": (2, 0)}, steps=3)]


class AtLeastNext(CausalVectorClock):
    """EDIT: TS[i] > VT[j][i] instead of TS[i] = VT[j][i] + 1."""

    @rule
    def next_of_sender(self, q, m):
        p = self.sender(m)
        return self.stamps[q][m][p] > self.clock[q][p]

    expect = [
        holds(at={"workload": (1, 1, 1)}),
        violates(CausalOrder, Termination, Agreement, UniformAgreement, at={"workload": (2, 0)}, steps=3),
    ]


class StrictlyMore(CausalVectorClock):
    """EDIT: VT[j][k] > TS[k] instead of >= where TS[k] is not zero."""

    @rule
    def past_delivered(self, q, m):
        stamp = self.stamps[q][m]
        return all(self.clock[q][k] > stamp[k] or stamp[k] == 0 for k in self.Process if k != self.sender(m))

    expect = [
        holds(at={"workload": (3, 0)}),
        violates(Termination, Agreement, UniformAgreement, at={"workload": (1, 1)}, steps=4),
    ]


class StampBeforeCounting(CausalVectorClock):
    """EDIT: take the timestamp before incrementing the clock; receivers expect VT[j][i] and count it then."""

    def send(self, p, m):
        self.net.multicast(p, self.Packet(m, self.clock[p]), to={q for q in self.Process if q != p})
        self.clock[p][p] += 1
        self.deliver(p, m)

    def take(self, q, m):
        self.deliver(q, m)
        self.clock[q][self.sender(m)] += 1
        self.held[q].remove(m)
        for r in self.Process:
            self.stamps[q][m][r] = 0

    @rule
    def next_of_sender(self, q, m):
        p = self.sender(m)
        return self.stamps[q][m][p] == self.clock[q][p]

    expect = [holds(at={"workload": (2, 1, 0)}), holds(at={"workload": (1, 1, 1)})]


class CheckOnce(CausalVectorClock):
    """EDIT: walk once through the hold-back queue."""

    def check_queue(self, q):
        for m in list(self.held[q]):
            if self.ready(q, m):
                self.take(q, m)

    expect = [
        holds(at={"workload": (3, 0)}),
        violates(Termination, Agreement, UniformAgreement, at={"workload": (1, 1, 0)}, steps=6),
    ]


class CheckArrival(CausalVectorClock):
    """EDIT: test only the message that has just arrived."""

    def hold(self, q, packet):
        self.held[q].add(packet.m)
        self.stamps[q][packet.m] = packet.stamp
        if self.ready(q, packet.m):
            self.take(q, packet.m)

    expect = violates(Termination, Agreement, UniformAgreement, at={"workload": (2, 0)}, steps=4)
