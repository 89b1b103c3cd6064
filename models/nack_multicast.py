"""Reliable multicast over IP multicast: receivers notice what they miss and ask for it (negative
acknowledgements).

Source: lecture 'Reliable Multicast over IP Multicast (R-IP-Multicast)': the sketch (data structures, start
values, piggyback) and the code. S[p]: sequence number of p.  R[p][q]: number of the last message that p
delivered from q, kept for the others only, so p delivers its own at once.

    sketch  S := 0, R[p][q] := -1;  m goes out with S and with R[p][q] for all q other than p;  then S++
    N1  p multicasts m: S++
    N2      IP-multicast <m, S, <q, R[p][q]> for all q other than p>
    N3  r receives <m, S, R'> from p: if S = R[r][p] + 1: deliver m; R[r][p]++; check the hold-back queue
    N4      else if S > R[r][p] + 1: m to the hold-back queue;  else discard
    N5      if S > R[r][p] + 1 or R'[q] > R[r][q] for some q: ask for what is missing
    text    the request may go to the originator or to a neighbour that kept a copy; validity needs processes
            that multicast for ever

The code increments S before sending, the sketch after; both start from the sketch's values.  The main class
is the code as printed. The network may lose messages (-D losses=1), requests and retransmissions too.
"""

from checker.language import (
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
    on,
    require,
    rule,
    var,
    violates,
)
from checker.language.multicast import Message, Multicast
from checker.properties.multicast import (
    Agreement,
    FifoOrder,
    NoCreation,
    NoDuplication,
    Termination,
    UniformAgreement,
    Validity,
)


class Recovery(LeadsTo):
    """Sooner or later every live process has what any live process has delivered."""

    def then(self) -> bool:
        return all(
            m in self.delivered[q]
            for p in self.Process
            if self.live(p)
            for m in self.delivered[p]
            for q in self.Process
            if self.live(q)
        )


class NackMulticast(Multicast):
    """As printed in the code: the first message has number 1, the receivers wait for number 0."""

    workload = const((2, 1, 0), "how many messages each process multicasts")
    Number = Int(-1, Multicast.workload.max())
    Vector = Map[Process, Number]
    Wire = Union(
        Data=Record(m=Message, number=Number, seen=Vector),
        Copy=Record(m=Message, number=Number),  # a retransmission
        Nack=Record(of=Process, number=Number),  # the message of `of` with this number is missing
        Beat=Record(seen=Vector),  # variant Heartbeat only
    )

    sequence = var(Map[Process, Number], 0)  # S
    last = var(Map[Process, Vector], -1)  # R; a process's own entry stays -1
    held = var(Map[Process, Set[Message]])
    net = var(Network[Process, Wire])

    def send(self, p, m):
        self.sequence[p] += 1  # N1
        self.transmit(p, m, self.sequence[p])

    def transmit(self, p, m, number):  # N2
        self.net.multicast(p, self.Wire.Data(m, number, self.last[p]), to={q for q in self.Process if q != p})
        self.deliver(p, m)

    @on(net, Wire.Data)
    def receive(self, r, p, m, number, seen):
        self.accept(r, m, number)
        self.ask(r, p, p, number)  # N5
        for q in self.Process:
            if q != p and q != r:
                self.ask(r, p, q, seen[q])

    def accept(self, r, m, number):
        p = self.sender(m)
        if number == self.last[r][p] + 1:  # N3
            self.take(r, m)
            self.check_queue(r, p)
        elif number > self.last[r][p] + 1:  # N4
            self.held[r].add(m)

    def take(self, r, m):
        self.deliver(r, m)
        self.last[r][self.sender(m)] += 1

    def check_queue(self, r, p):
        for m in self.Message:
            if m in self.held[r] and self.sender(m) == p and self.numbered(m) == self.last[r][p] + 1:
                self.held[r].remove(m)
                self.take(r, m)

    def ask(self, r, hop, q, number):
        """r has learned from hop that q has sent messages up to this number."""
        for k in range(self.last[r][q] + 1, number + 1):
            if not any(self.sender(m) == q and self.numbered(m) == k for m in self.held[r]):
                self.net.send(r, self.helper(hop, q), self.Wire.Nack(q, k))

    @on(net, Wire.Nack)
    def requested(self, p, r, of, number):
        for m in self.Message:
            if self.sender(m) == of and self.numbered(m) == number and self.keeps(p, m):
                self.net.send(p, r, self.Wire.Copy(m, number))

    @on(net, Wire.Copy)
    def receive_copy(self, r, p, m, number):
        self.accept(r, m, number)

    @rule
    def numbered(self, m: Message):
        """The number that m was sent with."""
        return self.number(m) + 1

    @rule
    def helper(self, hop: Process, q: Process):
        """Who is asked for a message of q that hop has told about."""
        return q

    @rule
    def keeps(self, p: Process, m: Message):
        """p can retransmit m: the history is unbounded."""
        return m in self.delivered[p]

    properties = [NoDuplication, NoCreation, FifoOrder, Validity, Termination, Agreement, UniformAgreement]
    expect = [
        violates(Termination, Agreement, UniformAgreement, at={"workload": (1, 0)}, steps=3),
        violates(Termination, Agreement, UniformAgreement, at={"workload": (1, 1, 0)}),
        violates(Termination, Agreement, UniformAgreement, steps=15),
        holds(at={"workload": (2, 1), "losses": 1}, only=[NoDuplication, NoCreation, FifoOrder, Validity]),
    ]


class AsSketched(NackMulticast):
    """READING: the sketch, increment afterwards.  The loss of the last message is never noticed."""

    def send(self, p, m):
        number = self.sequence[p]
        self.sequence[p] += 1
        self.transmit(p, m, number)

    @rule
    def numbered(self, m):
        return self.number(m)

    expect = [
        holds(at={"workload": (2, 1, 0)}),
        holds(at={"workload": (3, 0), "duplicates": 1}),
        violates(Termination, Agreement, UniformAgreement, at={"workload": (1, 0), "losses": 1}, steps=2),
        violates(Termination, Agreement, UniformAgreement, at={"workload": (2, 1, 0), "losses": 1}),
    ]


class AskHop(AsSketched):
    """READING: ask the process whose message told of the gap; it has delivered what is missing."""

    @rule
    def helper(self, hop, q):
        return hop

    expect = [
        holds(at={"workload": (2, 1, 0)}),
        violates(Termination, Agreement, UniformAgreement, at={"workload": (1, 0), "losses": 1}, steps=2),
    ]


class Heartbeat(AsSketched):
    """REPAIR: processes multicast for ever: an empty message when all is quiet and somebody can be helped."""

    @action
    def heartbeat(self, p: Process):
        require(len(self.net) == 0 and self.useful(p))
        seen = {q: self.known(p, q) for q in self.Process}
        self.net.multicast(p, self.Wire.Beat(seen), to={q for q in self.Process if q != p})

    @rule
    def known(self, p: Process, q: Process):
        """The number of the last message of q that p has sent or delivered."""
        return self.sequence[p] - 1 if p == q else self.last[p][q]

    @rule
    def useful(self, p: Process):
        """Some live process lacks what p knows of and can ask for it."""
        return any(
            self.live(r) and r != p and r != q and self.known(p, q) > self.last[r][q] and self.live(self.helper(p, q))
            for r in self.Process
            for q in self.Process
        )

    @on(AsSketched.net, AsSketched.Wire.Beat)
    def beat(self, r, p, seen):
        for q in self.Process:
            if q != r:
                self.ask(r, p, q, seen[q])

    properties = [*NackMulticast.properties, Recovery]
    expect = [
        holds(at={"workload": (1, 1, 0), "losses": 1}),
        holds(at={"workload": (3, 0), "losses": 2}, only=[FifoOrder, Termination, Agreement]),
        holds(at={"workload": (2, 0), "losses": 1, "duplicates": 1}),
        violates(Agreement, UniformAgreement, Recovery, at={"workload": (1, 0, 0), "crashes": 1}),
    ]


class HeartbeatAskHop(Heartbeat):
    """REPAIR for crashes as well: heartbeats, and any process that has a copy is asked for it."""

    @rule
    def helper(self, hop, q):
        return hop

    expect = [
        holds(at={"workload": (1, 1, 0), "losses": 1}),
        holds(at={"workload": (1, 0, 0), "crashes": 1}),
        holds(at={"workload": (2, 1, 0), "losses": 1, "crashes": 1}, only=[FifoOrder, Termination, Agreement]),
        violates(UniformAgreement, at={"workload": (1, 0), "losses": 1, "crashes": 1}),
    ]


class OwnMessagesOnly(HeartbeatAskHop):
    """EDIT: retransmit only own messages, keep no copies of others'."""

    @rule
    def keeps(self, p, m):
        return self.sender(m) == p and m in self.delivered[p]

    expect = [
        holds(at={"workload": (3, 0), "losses": 2}, only=[FifoOrder, Termination, Agreement]),
        violates(Recovery, at={"workload": (1, 0, 0), "crashes": 1}),
    ]


class NoPiggyback(Heartbeat):
    """EDIT: no acknowledgements on messages; a gap shows only in the numbers of its own sender. It is safe only because
    heartbeats carry what messages leave out: what it costs is the time until the next one."""

    @on(Heartbeat.net, Heartbeat.Wire.Data)
    def receive(self, r, p, m, number, seen):
        self.accept(r, m, number)
        self.ask(r, p, p, number)

    expect = [
        holds(at={"workload": (1, 1, 0), "losses": 1}),
        holds(at={"workload": (3, 0), "losses": 2}, only=[FifoOrder, Termination, Agreement]),
    ]


class AskAgain(Heartbeat):
    """EDIT: ask for everything between, also for what is held already."""

    def ask(self, r, hop, q, number):
        for k in range(self.last[r][q] + 1, number + 1):
            self.net.send(r, self.helper(hop, q), self.Wire.Nack(q, k))

    expect = [
        holds(at={"workload": (1, 1, 0), "losses": 1}),
        holds(at={"workload": (3, 0), "losses": 2}, only=[FifoOrder, Termination, Agreement]),
    ]


class NoHoldBack(Heartbeat):
    """EDIT: no hold-back queue: drop what is early and ask for it with the rest."""

    def accept(self, r, m, number):
        if number == self.last[r][self.sender(m)] + 1:
            self.take(r, m)

    expect = [
        holds(at={"workload": (1, 1, 0), "losses": 1}),
        holds(at={"workload": (3, 0), "losses": 2}, only=[FifoOrder, Termination, Agreement]),
    ]


class KeepLastOnly(Heartbeat):
    """EDIT: keep a copy of one's last message only."""

    @rule
    def keeps(self, p, m):
        return self.sender(m) == p and self.number(m) == self.sent[p] - 1 and m in self.delivered[p]

    expect = [holds(at={"workload": (1, 1, 0), "losses": 1}), violates(Recovery, at={"workload": (2, 0), "losses": 1})]


class DeliverGap(Heartbeat):
    """EDIT: deliver early messages at once, ask for what was skipped and deliver it when it comes."""

    def accept(self, r, m, number):
        if m not in self.delivered[r]:
            self.deliver(r, m)
            self.last[r][self.sender(m)] = max(self.last[r][self.sender(m)], number)

    def ask(self, r, hop, q, number):
        for k in range(number + 1):
            if not any(self.sender(m) == q and self.numbered(m) == k for m in self.delivered[r]):
                self.net.send(r, self.helper(hop, q), self.Wire.Nack(q, k))

    expect = [
        violates(FifoOrder, at={"workload": (2, 0)}, steps=3),
        violates(FifoOrder, Termination, Agreement, UniformAgreement, Recovery, at={"workload": (2, 0), "losses": 2}),
    ]
