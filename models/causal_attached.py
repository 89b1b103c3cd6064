"""Causal multicast that attaches to a message all the messages that precede it.

Rule: a message is sent with everything that its sender has delivered, in that order. A receiver delivers what it has
not delivered yet, in the order in which it stands there, and then the message. Nothing ever waits.

Source: slides "Causally ordered multicast" 1/3: the sender could attach all the messages that it received before, since
it has them. A vector timestamp (causal_vector_clock) is their "better solution". The ISIS system did it so at first
(K. Birman, T. Joseph, ACM TOCS 5(1), 1987).

Below: basic multicast to the others; the sender delivers its own message at once, so that it is among those attached.

Found. Causal order holds, and termination too with crashes, which vector timestamps lose over basic multicast: who
gets an answer gets the message that it answers. Agreement does not: what nobody answers may be missing.
"""

from checker.language import Network, Process, Seq, choose, holds, on, var, violates
from checker.language.multicast import Message, Multicast, total
from checker.properties.multicast import (
    Agreement,
    CausalOrder,
    NoCreation,
    NoDuplication,
    Termination,
    UniformAgreement,
)


class CausalAttached(Multicast):
    """All that the sender has delivered, in that order, and then the message."""

    net = var(Network[Process, Seq[Message, total]])

    def send(self, p, m):
        self.net.multicast(p, self.attached(p) + [m], to={q for q in self.Process if q != p})
        self.deliver(p, m)

    def attached(self, p):
        """What p attaches."""
        return list(self.delivered[p])

    @on(net)
    def receive(self, q, p, packet):
        for m in packet:
            if m not in self.delivered[q]:
                self.deliver(q, m)

    properties = [NoDuplication, NoCreation, CausalOrder, Termination, Agreement, UniformAgreement]

    expect = [
        holds(),
        holds(at={"workload": (2, 1, 0)}),
        holds(at={"workload": (1, 1, 1)}),
        holds(at={"workload": (2, 0), "duplicates": 1}),
        holds(at={"workload": (1, 1, 0), "crashes": 1}, only=[CausalOrder, Termination, NoDuplication]),
        holds(at={"workload": (2, 1, 0), "crashes": 2}, only=[CausalOrder, Termination, NoDuplication]),
        violates(Agreement, UniformAgreement, at={"workload": (1, 0, 0), "crashes": 1}, steps=2),
    ]


class ReceivedOnly(CausalAttached):
    """READING: "received by the sender" leaves out what the sender has multicast itself."""

    def attached(self, p):
        return [m for m in self.delivered[p] if self.sender(m) != p]

    expect = violates(CausalOrder, at={"workload": (2, 0)}, steps=3)


class AttachedInAnyOrder(CausalAttached):
    """EDIT: what is attached is a set; the receiver delivers it in any order before the message."""

    @on(CausalAttached.net)
    def receive(self, q, p, packet):
        new = {m for m in packet if m not in self.delivered[q] and m != packet[-1]}
        while len(new) > 0:
            m = choose(new)
            new.remove(m)
            self.deliver(q, m)
        if packet[-1] not in self.delivered[q]:
            self.deliver(q, packet[-1])

    expect = violates(CausalOrder, at={"workload": (3, 0)}, steps=4)


class DeliverLast(CausalAttached):
    """EDIT: the message is delivered before what is attached to it."""

    @on(CausalAttached.net)
    def receive(self, q, p, packet):
        if packet[-1] not in self.delivered[q]:
            self.deliver(q, packet[-1])
        for m in packet:
            if m not in self.delivered[q]:
                self.deliver(q, m)

    expect = violates(CausalOrder, at={"workload": (2, 0)}, steps=3)
