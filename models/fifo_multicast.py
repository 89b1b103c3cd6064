"""FIFO multicast: number the messages of each sender, deliver them in the order of the numbers.

Source: lecture 'FIFO Multicast (cont.)', on top of any B-multicast.  S: number of the sender's next message;
R[p]: number of the last message delivered from p.

    F1  initially S = 0
    F2  p FO-multicasts m: B-multicast(g, <m, S>); S++
    F3  on B-deliver(<m, S>) at q from p: if S = R[p] + 1
    F4      FO-deliver(m); R[p]++; check the hold-back queue
    F5  else if S > R[p] + 1: store m in the hold-back queue

The slide states no initial value of R.  Here it is -1, as for reliable IP multicast in the same lecture;
`ReceiveFromZero` starts it like S.
"""

from checker.language import Int, Map, Network, Process, Record, Set, const, holds, on, rule, var, violates
from checker.language.multicast import Message, Multicast
from checker.properties.multicast import Agreement, FifoOrder, NoCreation, NoDuplication, Termination, UniformAgreement


class FifoMulticast(Multicast):
    """As printed, R initially -1."""

    workload = const((2, 1, 0), "how many messages each process multicasts")

    Number = Int(-1, Multicast.workload.max())
    Packet = Record(m=Message, number=Number)

    next = var(Map[Process, Number], 0)  # S, F1
    last = var(Map[Process, Map[Process, Number]], -1)  # R
    held = var(Map[Process, Set[Packet]])
    net = var(Network[Process, Packet])

    def send(self, p, m):  # F2
        number = self.next[p]
        self.next[p] += 1
        self.net.multicast(p, self.Packet(m, number))

    @on(net)
    def receive(self, q, p, packet):
        self.accept(q, p, packet)

    def accept(self, q, p, packet):
        if self.expected(q, p, packet.number):  # F3
            self.take(q, p, packet)  # F4
            self.check_queue(q, p)
        elif self.early(q, p, packet.number):  # F5
            self.held[q].add(packet)

    def take(self, q, p, packet):
        self.deliver(q, packet.m)
        self.last[q][p] = packet.number

    def check_queue(self, q, p):
        for packet in sorted(list(self.held[q]), key=lambda x: x.number):
            if self.sender(packet.m) == p and self.expected(q, p, packet.number):
                self.held[q].remove(packet)
                self.take(q, p, packet)

    @rule
    def expected(self, q: Process, p: Process, number: Number):
        """The message with this number is the next one that q is to deliver from p."""
        return number == self.last[q][p] + 1

    @rule
    def early(self, q: Process, p: Process, number: Number):
        """It is worth keeping."""
        return number > self.last[q][p] + 1

    properties = [NoDuplication, NoCreation, FifoOrder, Termination, Agreement, UniformAgreement]
    expect = [
        holds(distinct=1_537),
        holds(at={"workload": (4, 0)}),
        holds(at={"workload": (2, 2), "duplicates": 1}),
        violates(Agreement, UniformAgreement, at={"workload": (1, 0, 0), "crashes": 1}, steps=2),
    ]


class ReceiveFromZero(FifoMulticast):
    """READING: R starts at 0, the value that the slide gives to S."""

    last = var(Map[Process, Map[Process, FifoMulticast.Number]], 0)

    expect = [
        violates(Termination, at={"workload": (1,)}, steps=2),
        violates(FifoOrder, Termination, at={"workload": (2,)}, steps=3),
        violates(Termination, at={"workload": (1, 0)}, only=[NoDuplication, Termination], steps=3),
        violates(FifoOrder, Termination, at={"workload": (2, 0)}, steps=3),
    ]


class CountFirst(ReceiveFromZero):
    """REPAIR of ReceiveFromZero: increment S before sending, so that the first number is 1."""

    def send(self, p, m):
        self.next[p] += 1
        self.net.multicast(p, self.Packet(m, self.next[p]))

    expect = [holds(at={"workload": (2, 1, 0)}), holds(at={"workload": (4, 0)})]


class OverReliable(FifoMulticast):
    """READING: on top of reliable multicast, which relays what is new before it passes it up."""

    received = var(Map[Process, Set[Message]])

    @on(FifoMulticast.net)
    def receive(self, q, hop, packet):
        p = self.sender(packet.m)
        if packet.m not in self.received[q]:
            self.received[q].add(packet.m)
            if q != p:
                self.net.multicast(q, packet)
            self.accept(q, p, packet)

    expect = [
        holds(at={"workload": (2, 0, 0), "crashes": 1}),
        holds(at={"workload": (1, 0, 0), "crashes": 2}),
        holds(at={"workload": (2, 2)}),
    ]


class CheckQueueOnce(FifoMulticast):
    """EDIT: after a delivery deliver at most one held message."""

    def check_queue(self, q, p):
        for packet in sorted(list(self.held[q]), key=lambda x: x.number):
            if self.sender(packet.m) == p and self.expected(q, p, packet.number):
                self.held[q].remove(packet)
                self.take(q, p, packet)
                break

    expect = [
        violates(Termination, at={"workload": (3,)}, steps=6),
        holds(at={"workload": (2, 2)}),
        violates(Termination, Agreement, UniformAgreement, at={"workload": (3, 0)}, steps=9),
    ]


class DropEarly(FifoMulticast):
    """EDIT: no hold-back queue; what comes too early is dropped."""

    @rule
    def early(self, q, p, number):
        return False

    expect = [
        violates(Termination, at={"workload": (2,)}, steps=4),
        violates(Termination, Agreement, UniformAgreement, at={"workload": (2, 0)}, steps=6),
        holds(at={"workload": (3, 2), "channels": "fifo"}),
    ]


class AcceptNewer(FifoMulticast):
    """EDIT: deliver whatever is newer than the last delivery."""

    @rule
    def expected(self, q, p, number):
        return number > self.last[q][p]

    expect = [
        violates(FifoOrder, Termination, at={"workload": (2,)}, steps=3),
        violates(FifoOrder, Termination, Agreement, UniformAgreement, at={"workload": (2, 0)}, steps=3),
        holds(at={"workload": (3, 2), "channels": "fifo"}),
    ]


class HoldAllElse(FifoMulticast):
    """EDIT: keep whatever is not expected, old messages too."""

    @rule
    def early(self, q, p, number):
        return True

    expect = [holds(at={"workload": (2, 1, 0)}), holds(at={"workload": (2, 0), "duplicates": 1})]


class OneCounter(FifoMulticast):
    """EDIT: one counter of deliveries for all senders together."""

    def take(self, q, p, packet):
        self.deliver(q, packet.m)
        for r in self.Process:
            self.last[q][r] = packet.number

    expect = [
        violates(Termination, Agreement, UniformAgreement, at={"workload": (1, 1)}, steps=6),
        violates(FifoOrder, Termination, Agreement, UniformAgreement, at={"workload": (2, 1)}, steps=5),
        holds(at={"workload": (4, 0)}),
        violates(FifoOrder, Termination, Agreement, UniformAgreement, at={"workload": (2, 2)}),
    ]


class ExpectAny(FifoMulticast):
    """EDIT: trust the channels; deliver on arrival."""

    @rule
    def expected(self, q, p, number):
        return True

    expect = [
        violates(FifoOrder, at={"workload": (2,)}, steps=3),
        violates(FifoOrder, at={"workload": (2, 0)}, steps=3),
        holds(at={"workload": (3, 2), "channels": "fifo"}),
    ]
