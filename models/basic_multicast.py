"""Basic multicast: the sender sends the message to every member, a member delivers it when it arrives.

Source: lecture 'Cooperation - Multicast & Consensus', 'Basic Multicast'; slides 'Atomic multicast 2/4' ask
what happens when the sender fails while sending.

    B1  To B-multicast(g, m): for every p in g: send(p, m)
    B2  On receive(m) at p: B-deliver(m)

The guarantee claimed is only for a sender that does not crash: Termination and Validity hold with crashes,
Agreement does not. The lecture says that reliable sending is a matter of acknowledgements and repetition;
`Acknowledged` is that layer on a network that loses messages.
"""

from checker.language import (
    LeadsTo,
    Map,
    Network,
    Process,
    Record,
    Set,
    Union,
    action,
    holds,
    on,
    require,
    rule,
    var,
    violates,
)
from checker.language.multicast import Message
from checker.models._duplicates import _Duplicated
from checker.properties.multicast import (
    Agreement,
    FifoOrder,
    NoCreation,
    NoDuplication,
    Termination,
    UniformAgreement,
    Validity,
)


class BasicMulticast(_Duplicated):
    """As printed."""

    net = var(Network[Process, Message])

    def send(self, p, m):  # B1
        self.net.multicast(p, m)

    @on(net)
    def receive(self, p, q, m):  # B2
        self.deliver(p, m)

    properties = [NoDuplication, NoCreation, Validity, Termination, Agreement, UniformAgreement]
    expect = [
        violates(Validity, Termination, at={"workload": (1,), "losses": 1}, steps=2),
        violates(NoDuplication, at={"workload": (1,), "duplicates": 1}, steps=4),
        holds(),
        holds(at={"workload": (2, 1, 1)}, distinct=287438, transitions=860218),
        violates(Agreement, UniformAgreement, at={"workload": (1, 0, 0), "crashes": 1}, steps=2),
        holds(at={"workload": (1, 1, 0), "crashes": 1}, only=[NoDuplication, NoCreation, Validity, Termination]),
        holds(at={"workload": (1, 0), "crashes": 1}),
        violates(NoDuplication, at={"workload": (1, 0), "duplicates": 1}, steps=4),
        violates(Validity, Termination, Agreement, UniformAgreement, at={"workload": (1, 0), "losses": 1}, steps=3),
    ]


class InTurn(BasicMulticast):
    """READING: the sends go out in turn (slides 2/4), each a step of its own."""

    left = var(Map[Process, Map[Message, Set[Process]]])  # destinations not yet served

    def send(self, p, m):
        self.left[p][m] = set(self.Process)

    @action
    def transmit(self, p: Process, m: Message):
        require(len(self.left[p][m]) > 0)
        q = min(self.left[p][m])
        self.left[p][m].remove(q)
        self.net.send(p, q, m)

    expect = [
        holds(at={"workload": (1, 1, 0)}),
        violates(UniformAgreement, at={"workload": (1, 0), "crashes": 1}),
        violates(Agreement, UniformAgreement, at={"workload": (1, 0, 0), "crashes": 1}, steps=4),
    ]


class OthersOnly(BasicMulticast):
    """EDIT: the sender sends to the others, then delivers its own message at once: one message less."""

    def send(self, p, m):
        self.net.multicast(p, m, to={q for q in self.Process if q != p})
        self.deliver(p, m)

    expect = [
        holds(at={"workload": (2, 1, 1)}, distinct=24239),
        holds(at={"workload": (1, 0), "crashes": 1}),
        violates(Agreement, UniformAgreement, at={"workload": (1, 0, 0), "crashes": 1}, steps=2),
    ]


class DeliverFirst(BasicMulticast):
    """EDIT: the sender delivers its own message before it sends it to the others."""

    def send(self, p, m):
        self.deliver(p, m)
        self.net.multicast(p, m, to={q for q in self.Process if q != p})

    expect = [
        holds(at={"workload": (2, 1, 1)}, distinct=24239),
        violates(UniformAgreement, at={"workload": (1, 0), "crashes": 1}, steps=1),
        violates(Agreement, UniformAgreement, at={"workload": (1, 0, 0), "crashes": 1}),
    ]


class Ordered(BasicMulticast):
    """EDIT: expect messages of one sender in the order in which they were sent."""

    properties = [FifoOrder]
    expect = [
        violates(FifoOrder, at={"workload": (2,)}, steps=3),
        violates(FifoOrder, at={"workload": (2, 0)}, steps=3),
        holds(at={"workload": (2, 2, 0), "channels": "fifo"}),
    ]


class AllAcknowledged(LeadsTo):
    """The sender of a message stops repeating it sooner or later."""

    def then(self) -> bool:
        return all(
            not self.live(p) or not self.live(q) or q not in self.unacknowledged[p][m]
            for p in self.Process
            for m in self.Message
            for q in self.Process
        )


class Acknowledged(BasicMulticast):
    """REPAIR for loss: receivers acknowledge and drop repetitions; the sender repeats after a time-out."""

    Wire = Union(Data=Record(m=Message), Ack=Record(m=Message))
    net = var(Network[Process, Wire])
    unacknowledged = var(Map[Process, Map[Message, Set[Process]]])

    def send(self, p, m):
        self.unacknowledged[p][m] = set(self.Process)
        self.net.multicast(p, self.Wire.Data(m))

    @on(net, Wire.Data)
    def receive(self, p, q, m):
        if self.fresh(p, m):
            self.deliver(p, m)
        self.net.send(p, q, self.Wire.Ack(m))

    @on(net, Wire.Ack)
    def acknowledged(self, p, q, m):
        self.unacknowledged[p][m].discard(q)

    @action
    def repeat(self, p: Process, q: Process, m: Message):
        require(q in self.unacknowledged[p][m] and self.live(q) and self.timed_out(p, q, m))
        self.net.send(p, q, self.Wire.Data(m))

    @rule
    def fresh(self, p: Process, m: Message):
        """p has not delivered m yet."""
        return m not in self.delivered[p]

    @rule
    def timed_out(self, p: Process, q: Process, m: Message):
        """The time-out is long enough: neither the message nor its acknowledgement is on the way."""
        return self.Wire.Data(m) not in self.net.between(p, q) and self.Wire.Ack(m) not in self.net.between(q, p)

    properties = [*BasicMulticast.properties, AllAcknowledged]
    expect = [
        holds(at={"workload": (1, 1), "losses": 2}, only=[NoDuplication, Validity, Termination, Agreement]),
        holds(at={"workload": (1, 0), "losses": 1, "duplicates": 1}),
        violates(Agreement, UniformAgreement, at={"workload": (1, 0, 0), "crashes": 1}),
    ]


class DeliverRepetitions(Acknowledged):
    """EDIT: deliver every copy that arrives."""

    @rule
    def fresh(self, p, m):
        return True

    expect = [
        violates(NoDuplication, at={"workload": (1,), "losses": 1}, steps=5),
        violates(NoDuplication, at={"workload": (1, 0), "losses": 1}, steps=5),
    ]


class AcknowledgeOnce(Acknowledged):
    """EDIT: acknowledge a message only when it is delivered, not when a repetition arrives."""

    @on(Acknowledged.net, Acknowledged.Wire.Data)
    def receive(self, p, q, m):
        if self.fresh(p, m):
            self.deliver(p, m)
            self.net.send(p, q, self.Wire.Ack(m))

    expect = [
        violates(AllAcknowledged, at={"workload": (1,), "losses": 1}, steps=5),
        violates(AllAcknowledged, at={"workload": (1, 0), "losses": 1}),
    ]


class Gathering(Acknowledged):
    """VARIANT: the sender takes the acknowledgements of a message in one step, when all are there: a quorum reception.
    What a repetition makes a receiver acknowledge again stays in flight, and changes nothing."""

    @rule
    def waited_for(self, p: Process, m: Message):
        """Whose acknowledgements of m the sender waits for; those of who has crashed may never come."""
        return {q for q in self.unacknowledged[p][m] if self.live(q)}

    @on(Acknowledged.net, Acknowledged.Wire.Ack, each=waited_for, same="m")
    def acknowledged(self, p, senders, m):
        self.unacknowledged[p][m] -= senders

    expect = [
        holds(at={"workload": (1, 1), "losses": 1}, distinct=359, transitions=898),
        holds(at={"workload": (1, 1, 0), "losses": 1}, distinct=1_953, transitions=6_404),
        holds(at={"workload": (1, 1, 1)}, distinct=10_430, transitions=28_848),
        holds(at={"workload": (1, 0), "losses": 1, "duplicates": 1}),
        violates(Agreement, UniformAgreement, at={"workload": (1, 0, 0), "crashes": 1}),
    ]
