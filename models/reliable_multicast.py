"""Reliable multicast: whoever receives a message for the first time relays it, then delivers it.

Sources: lecture 'Reliable Multicast' (the code; lines numbered here); slides 'Atomic multicast 3/4' and
'4/4'.

    R1  initially Received := {}
    R2  p R-multicasts m: B-multicast(g, m), p itself included
    R3  on B-deliver(m) at q: if m not in Received
    R4      Received := Received + {m}
    R5      if q != p then B-multicast(g, m)
    R6      R-deliver m

Claims: integrity, validity, agreement.  Relaying before delivering gives uniform agreement as well, as long
as B-multicast means that the messages are sent when it returns; `NonBlocking` shows that this is needed.  The
slides ask for all or nothing among the destinations that do not fail (non-uniform).  A handler is one step; if each
copy has a handler of its own, R3 and R4 must not come apart (`TestApart`).
"""

from checker.language import (
    Int,
    Map,
    Network,
    Process,
    Seq,
    Set,
    action,
    derived,
    holds,
    on,
    require,
    rule,
    var,
    violates,
)
from checker.language.multicast import Message, Multicast
from checker.properties.multicast import Agreement, NoCreation, NoDuplication, Termination, UniformAgreement, Validity


class ReliableMulticast(Multicast):
    """As printed in the lecture: relay before delivering, the original sender does not relay."""

    received = var(Map[Process, Set[Message]])  # R1
    net = var(Network[Process, Message])

    def send(self, p, m):  # R2
        self.net.multicast(p, m)

    @on(net)
    def receive(self, q, hop, m):
        if m not in self.received[q]:  # R3
            self.received[q].add(m)  # R4
            self.pass_on(q, hop, m)

    def pass_on(self, q, hop, m):
        if self.relays(q, m):  # R5
            self.net.multicast(q, m, to=self.targets(q, hop, m))
        self.deliver(q, m)  # R6

    @rule
    def relays(self, q: Process, m: Message):
        """q passes m on."""
        return q != self.sender(m)

    @rule
    def targets(self, q: Process, hop: Process, m: Message):
        """To whom q passes on m, which it received from hop."""
        return set(self.Process)

    properties = [NoDuplication, NoCreation, Validity, Termination, Agreement, UniformAgreement]
    expect = [
        holds(at={"workload": (1, 1, 0)}, distinct=474713, transitions=3442484),
        holds(at={"workload": (1, 0, 0), "crashes": 2}),
        holds(at={"workload": (2, 1), "crashes": 1}),
        holds(at={"workload": (1, 0, 0, 0), "crashes": 2}, distinct=70789),
        holds(at={"workload": (1, 1, 0), "crashes": 1}, distinct=583582, thorough=True),
    ]


class Slides(ReliableMulticast):
    """READING (slides 3/4): every site relays, the sender's too, and only to the other sites."""

    @rule
    def relays(self, q, m):
        return True

    @rule
    def targets(self, q, hop, m):
        return {r for r in self.Process if r != q}

    expect = [holds(at={"workload": (1, 1, 0)}, distinct=250528), holds(at={"workload": (1, 0, 0, 0), "crashes": 2})]


class DeliverThenRelay(ReliableMulticast):
    """READING: deliver first, then relay: the order of the two matters only for crashed processes."""

    def pass_on(self, q, hop, m):
        self.deliver(q, m)
        if self.relays(q, m):
            self.net.multicast(q, m, to=self.targets(q, hop, m))

    expect = [
        holds(at={"workload": (1, 1, 0), "crashes": 1}, distinct=545098),
        violates(UniformAgreement, at={"workload": (1, 0, 0), "crashes": 2}, steps=2),
        violates(UniformAgreement, at={"workload": (1, 0, 0, 0), "crashes": 2}),
    ]


class NonBlocking(ReliableMulticast):
    """READING: B-multicast returns at once; the messages go out one by one later, while it lives."""

    outgoing = var(Map[Process, Map[Message, Set[Process]]])

    def send(self, p, m):
        self.outgoing[p][m] = set(self.Process)

    def pass_on(self, q, hop, m):
        if self.relays(q, m):
            self.outgoing[q][m] = self.targets(q, hop, m)
        self.deliver(q, m)

    @action
    def transmit(self, p: Process, m: Message):
        require(len(self.outgoing[p][m]) > 0)
        q = min(self.outgoing[p][m])
        self.outgoing[p][m].remove(q)
        self.net.send(p, q, m)

    expect = [
        violates(UniformAgreement, at={"workload": (1, 0), "crashes": 1}, steps=4),
        violates(UniformAgreement, at={"workload": (1, 0, 0), "crashes": 2}),
    ]


class TestApart(ReliableMulticast):
    """READING: each copy has a handler of its own, and one handler may run between R3 and R4 of another."""

    Copies = Int(0, derived(lambda c: 2 * c.processes))
    passed = var(Map[Process, Map[Message, Copies]], 0)  # handlers that have passed R3
    delivered = var(Map[Process, Seq[Message, derived(lambda c: 2 * c.processes * max(1, sum(c.workload)))]], kept=True)

    @on(ReliableMulticast.net)
    def receive(self, q, hop, m):
        if m not in self.received[q]:  # R3
            self.passed[q][m] += 1

    @action
    def go_on(self, q: Process, m: Message):
        require(self.passed[q][m] > 0)
        self.passed[q][m] -= 1
        self.received[q].add(m)  # R4
        self.pass_on(q, q, m)

    expect = [
        violates(NoDuplication, at={"workload": (1, 0)}, only=[NoDuplication, NoCreation, Termination], steps=7),
        holds(at={"workload": (1,)}, only=[NoDuplication, Termination]),
        holds(at={"workload": (1, 0, 0), "crashes": 1}, only=[NoCreation, Agreement, UniformAgreement, Termination]),
    ]


class SkipKnown(ReliableMulticast):
    """EDIT: do not relay to those known to have it: itself, the original sender, the process it came from."""

    @rule
    def targets(self, q, hop, m):
        return {r for r in self.Process if r not in (q, hop, self.sender(m))}

    expect = [
        holds(at={"workload": (1, 1, 0)}, distinct=1062),
        holds(at={"workload": (1, 0, 0, 0), "crashes": 2}),
        holds(at={"workload": (1, 1, 0), "crashes": 1}),
    ]


class RelayToNext(ReliableMulticast):
    """EDIT: relay only to the next process on a ring."""

    @rule
    def targets(self, q, hop, m):
        return {self.Process[(q.index + 1) % self.processes]}

    expect = [
        holds(at={"workload": (1, 1, 0)}),
        violates(Agreement, UniformAgreement, at={"workload": (1, 0, 0), "crashes": 1}, steps=2),
    ]


class RelayOnlyFromSender(ReliableMulticast):
    """EDIT: relay only what came from the original sender itself, not what was relayed already."""

    def pass_on(self, q, hop, m):
        if hop == self.sender(m) and q != hop:
            self.net.multicast(q, m)
        self.deliver(q, m)

    expect = [
        holds(at={"workload": (1, 1, 0), "crashes": 2}, distinct=232851),
        holds(at={"workload": (1, 0, 0), "crashes": 2}),
        violates(Agreement, UniformAgreement, at={"workload": (1, 0, 0, 0), "crashes": 2}, steps=3),
    ]


class OneRelay(ReliableMulticast):
    """EDIT: only the successor of the original sender relays."""

    @rule
    def relays(self, q, m):
        return q.index == (self.sender(m).index + 1) % self.processes

    expect = [
        holds(at={"workload": (1, 1, 0)}),
        violates(Agreement, UniformAgreement, at={"workload": (1, 0, 0), "crashes": 1}, steps=2),
    ]


class NoDuplicateTest(ReliableMulticast):
    """EDIT: do not remember what was received; relay only what came from its original sender."""

    @on(ReliableMulticast.net)
    def receive(self, q, hop, m):
        if hop == self.sender(m) and q != hop:
            self.net.multicast(q, m)
        self.deliver(q, m)

    expect = violates(NoDuplication, at={"workload": (1, 0)}, steps=3)


class RelayOnFailure(ReliableMulticast):
    """READING (slides 4/4): relay only when the original sender has failed; the detector is perfect."""

    relayed = var(Map[Process, Set[Message]])

    def pass_on(self, q, hop, m):
        self.deliver(q, m)

    @action
    def relay(self, p: Process, m: Message):
        require(m in self.received[p] and m not in self.relayed[p] and self.suspects(p, m))
        self.relayed[p].add(m)
        self.net.multicast(p, m, to={q for q in self.Process if q != p})

    @rule
    def suspects(self, p: Process, m: Message):
        """p takes the sender of m to have failed."""
        return self.sender(m) in self.crashed

    expect = [
        holds(at={"workload": (1, 1, 0), "crashes": 1}),
        violates(UniformAgreement, at={"workload": (1, 0, 0), "crashes": 2}, steps=3),
        violates(UniformAgreement, at={"workload": (1, 0, 0, 0), "crashes": 2}),
    ]


class RelayOnSuspicion(RelayOnFailure):
    """READING: the detector is complete but makes mistakes: it may suspect a live process at any time."""

    mistaken = var(Map[Process, Set[Process]])

    @action(fault=True)
    def suspect(self, p: Process, q: Process):
        require(self.workload[q.index] > 0)  # suspecting the others changes nothing
        require(p != q and self.live(p) and self.live(q) and q not in self.mistaken[p])
        self.mistaken[p].add(q)

    @rule
    def suspects(self, p, m):
        return self.sender(m) in self.crashed or self.sender(m) in self.mistaken[p]

    expect = [
        holds(at={"workload": (1, 1, 0), "crashes": 1}, distinct=263436),
        violates(UniformAgreement, at={"workload": (1, 0, 0), "crashes": 2}, steps=3),
        violates(UniformAgreement, at={"workload": (1, 0, 0, 0), "crashes": 2}),
    ]


class RelayOnReport(RelayOnFailure):
    """READING: the detector is accurate but incomplete: it may or may not report a crash to a process."""

    reported = var(Map[Process, Set[Process]])

    @action(fault=True)
    def report(self, p: Process, q: Process):
        require(self.live(p) and not self.live(q) and q not in self.reported[p])
        self.reported[p].add(q)

    @rule
    def suspects(self, p, m):
        return self.sender(m) in self.reported[p]

    expect = violates(Agreement, UniformAgreement, at={"workload": (1, 0, 0), "crashes": 1}, steps=2)


class RelayWhatWasHeld(RelayOnFailure):
    """EDIT: on the report of a failure relay what was received so far; what arrives later is not relayed."""

    noticed = var(Map[Process, Set[Process]])

    @action
    def relay(self, p: Process, m: Message):
        q = self.sender(m)
        require(q in self.crashed and q not in self.noticed[p])
        require(m == min(self.Message, key=lambda x: self.sender(x) != q))
        self.noticed[p].add(q)
        for x in self.Message:
            if x in self.received[p] and self.sender(x) == q:
                self.net.multicast(p, x, to={r for r in self.Process if r != p})

    expect = violates(Agreement, UniformAgreement, at={"workload": (1, 0, 0), "crashes": 1}, steps=4)
