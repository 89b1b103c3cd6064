"""Paxos with a leader as the consensus of a group: acceptors confirm to the learners of other groups directly.

Rule: a message goes to the group by fr-mcast, its leader included: that is the forwarding of the proposal. The leader
gives it the next place in the order. Each acceptor confirms it to all learners, those of other groups too, and a
learner that has the confirmations of a majority knows the decision: three delays. When the leader fails, the next one
asks a majority what it has accepted, and goes on from there.

Source: "Optimistic Atomic Multicast in One Communication Delay", 2011, Section 4.4; Lamport, "The part-time
parliament", for what it takes over.

Below: the first `acceptors` processes are the group, all are learners. A place in the order (slot) stands for the final
timestamp, which follows it. Messages between leader, acceptors and learners are never taken back, so that who reads
later reads the same; the promises of a majority (phase 1) are collected in one step. The leader of ballot i is process
i + 1. With `suspicion` a leader may be replaced while it lives.

Readings. The text does not say which place a new leader gives a message that had one before but was not accepted by the
majority asked: the lowest free one (main class), in the order of each sender.

Found. The order is uniform, with crashes and with wrong suspicions; everything is delivered, as fr-mcast is uniform: an
acceptor confirms what nobody else may have yet (NotUniform). FIFO order is lost when a leader is replaced: place 0 has
a message of somebody else, place 1 m1.1, and only place 1 has been accepted by the majority that the new leader asks.
It keeps m1.1 in place 1, finds place 0 free, and gives it m1.2. Two acceptors suffice. One sender alone keeps its
order: the free place goes to what it sent before. The smallest repair is InOrder: acceptors confirm places in their
order, so that no later place is accepted without the earlier ones; it costs nothing where the leader's messages arrive
in order. OneAtATime (no new place before the last one is decided) keeps FIFO order too, and waits. No-ops in the gaps
(NoOps) do not: what the gap held comes later.

With a third leader InOrder does not suffice (ThreeLeaders): places of two earlier ballots are put together, one from
each, and what stood before the second place in its own ballot is gone. OneAtATime is the repair that stays.
"""

from __future__ import annotations

from checker.language import (
    Bool,
    Int,
    Map,
    Optional,
    Set,
    action,
    choose,
    const,
    derived,
    draw,
    holds,
    invariant,
    require,
    rule,
    var,
    violates,
)
from checker.language.errors import UsageError
from checker.language.multicast import Multicast
from checker.properties.multicast import (
    FifoOrder,
    NoCreation,
    NoDuplication,
    Termination,
    UniformAgreement,
    UniformTotalOrder,
)

# with a message of each sender there is no FIFO order to judge
ONE_EACH = [NoDuplication, NoCreation, UniformTotalOrder, UniformAgreement, Termination]
CALM = {"workload": (1, 1, 0, 0), "crashes": 0}
SUSPECT = {"workload": (1, 1, 0, 0), "crashes": 0, "suspicion": True}
CRASH = {"workload": (1, 1, 0)}
# the smallest configuration that loses FIFO order
TWO = {"workload": (2, 1), "acceptors": 2, "crashes": 0, "suspicion": True}
FIFO = {"workload": (2, 1, 0)}

PICTURE = [
    draw.lane("proposals", "acceptors", "ballot {0}, place {1}: {value}"),
    draw.lane("votes", "acceptors", "{0} accepts ballot {1}, place {2}"),
    draw.step("receive", "receive {m}"),
    draw.step("confirm", "accept {proposals[b][s]} in place {s}"),
    draw.step("take_over", "lead ballot {ballot}"),
    draw.aside("arrive", "ballot"),
]
PROPOSES = draw.step("propose", "propose {m} for place {s}")
LEARNS = "learn place {{{0}}} of ballot {{b}}: {{proposals[b][{0}]}}"


class OptimisticMulticastPaxos(Multicast):
    """Section 4.4."""

    processes = const(4, "number of processes")
    workload = const((2, 0, 0, 0), "how many messages each process multicasts")
    crashes = const(1, "how many processes may crash")
    acceptors = const(3, "how many of the processes are the group of acceptors")
    ballots = const(2, "how many ballots there may be: leaders, one after the other")
    suspicion = const(False, "a leader that has not crashed may be replaced")

    Process = Multicast.Process
    Message = Multicast.Message
    Ballot = Int(0, derived(lambda c: c.ballots - 1))
    Slot = Int(0, derived(lambda c: sum(c.workload) - 1))
    Quorum = Set[Process]

    received = var(Map[Process, Set[Message]], kept=True)
    ballot = var(Int(0, derived(lambda c: c.ballots - 1)), 0)  # the latest ballot with a leader
    proposals = var(Map[Ballot, Map[Slot, Optional[Message]]])  # what the leader of a ballot asks to accept
    promised = var(Map[Process, Ballot], 0)
    votes = var(Map[Process, Map[Ballot, Map[Slot, Bool]]], kept=True)  # the confirmations

    @classmethod
    def complete(cls, given):
        """As usual; refused: more acceptors than processes."""
        found = super().complete(given)
        processes = (found | given).get("processes", cls.processes.default)
        acceptors = given.get("acceptors", cls.acceptors.default)
        if acceptors > processes:
            raise UsageError(
                f"{acceptors} acceptors, but {processes} processes", remedy=f"Set acceptors={processes}, or fewer."
            )
        return found

    def send(self, p: Process, m: Message) -> None:
        """fr-mcast to everybody, p included: m is under way."""

    @action
    def receive(self, p: Process, m: Message) -> None:
        """fr-deliver, in FIFO order; from a crashed sender only what somebody has received."""
        q = self.sender(m)
        require(self.was_multicast(m) and m not in self.received[p])
        require(self.live(q) or any(self.passes_on(x) and m in self.received[x] for x in self.Process))
        require(
            all(x in self.received[p] for x in self.Message if self.sender(x) == q and self.number(x) < self.number(m))
        )
        self.received[p].add(m)
        self.emit.arrive(p, m)

    @rule
    def passes_on(self, x: Process) -> bool:
        """What x has received everybody gets, though x crashed: uniform agreement of fr-mcast."""
        return True

    @rule
    def accepts(self, p: Process) -> bool:
        """p is an acceptor."""
        return p.index < self.acceptors

    @rule
    def majority(self, members: Set[Process]) -> bool:
        """More than half of the acceptors."""
        return 2 * len(members) > self.acceptors

    @rule
    def free_place(self, b: Ballot, s: Slot) -> bool:
        """The next place that the leader of b gives away: the lowest free one."""
        return self.proposals[b][s] is None and all(self.proposals[b][x] is not None for x in self.Slot if x < s)

    @action
    def propose(self, p: Process, m: Message, s: Slot) -> None:
        """The leader gives m a place."""
        b = p.index
        require(b < self.ballots and b <= self.ballot and self.promised[p] == b and m in self.received[p])
        placed = {x for x in self.Message if any(self.proposals[b][k] == x for k in self.Slot)}
        require(m not in placed and self.free_place(b, s))
        require(
            all(
                x in placed
                for x in self.Message
                if self.sender(x) == self.sender(m) and self.number(x) < self.number(m)
            )
        )
        self.proposals[b][s] = m

    @rule
    def may_accept(self, p: Process, b: Ballot) -> bool:
        """p has promised nothing to a later ballot."""
        return self.promised[p] <= b

    @rule
    def asked(self, b: Ballot, s: Slot) -> bool:
        """The leader of b asks the acceptors to accept something at place s."""
        return self.proposals[b][s] is not None

    @action
    def confirm(self, p: Process, b: Ballot, s: Slot) -> None:
        """Acceptor p accepts what stands at place s in ballot b, and tells all learners."""
        require(self.accepts(p) and self.asked(b, s) and not self.votes[p][b][s] and self.may_accept(p, b))
        self.promised[p] = max(self.promised[p], b)
        self.votes[p][b][s] = True

    @rule
    def suspects(self, b: Ballot) -> bool:
        """The leader of ballot b is taken for crashed."""
        return self.suspicion or not self.live(self.Process[b])

    @rule
    def taken_over(self, q: Set[Process], b: Ballot, s: Slot) -> Optional[Message]:
        """What the leader of b proposes again at place s: the value of the latest ballot that a member of q accepted
        there."""
        value = None
        for x in self.Ballot:
            if self.asks() and x < b and any(self.votes[p][x][s] for p in q):
                value = self.proposals[x][s]
        return value

    @action
    def take_over(self, p: Process) -> None:
        """p becomes the leader of the next ballot: phase 1."""
        b = p.index
        require(b < self.ballots and b == self.ballot + 1 and self.accepts(p) and self.suspects(b - 1))
        q = choose(self.Quorum)
        require(p in q and self.majority(q) and all(self.accepts(x) and self.live(x) for x in q))
        self.ballot = b
        for x in q:
            self.promised[x] = b
        for s in self.Slot:
            self.proposals[b][s] = self.taken_over(q, b, s)

    @rule
    def asks(self) -> bool:
        """A new leader proposes again what a majority has accepted."""
        return True

    @rule
    def chosen(self, b: Ballot, s: Slot) -> bool:
        """A majority has confirmed place s in ballot b."""
        return self.majority({q for q in self.Process if self.votes[q][b][s]})

    @action
    def learn(self, p: Process, b: Ballot) -> None:
        """Learner p has the confirmations for its next place, and delivers."""
        s = len(self.delivered[p])
        require(s < len(self.Message) and self.chosen(b, s))
        m = self.proposals[b][s]
        require(m in self.received[p])
        self.deliver(p, m)

    picture = [*PICTURE, PROPOSES, draw.step("learn", LEARNS.format("len(before.delivered[p])"))]

    properties = [NoDuplication, NoCreation, FifoOrder, UniformTotalOrder, UniformAgreement, Termination]

    expect = [
        holds(distinct=378_150, transitions=1_964_523),
        holds(at=CALM, only=ONE_EACH, distinct=59_569, transitions=358_334),
        holds(at=CRASH, only=ONE_EACH),
        violates(FifoOrder, at=TWO, steps=15),
        violates(FifoOrder, at=FIFO, only=[FifoOrder], steps=16),
        holds(at=SUSPECT, only=ONE_EACH, thorough=True),
        violates(FifoOrder, at=FIFO, thorough=True),
    ]


class OneAtATime(OptimisticMulticastPaxos):
    """The repair: the leader gives no new place before all earlier ones are decided."""

    @rule
    def free_place(self, b, s):
        return self.proposals[b][s] is None and all(
            self.proposals[b][x] is not None and self.chosen(b, x) for x in self.Slot if x < s
        )

    expect = [holds(), holds(at=TWO, distinct=49_797), holds(at=CRASH, only=ONE_EACH), holds(at=FIFO, thorough=True)]


class InOrder(OptimisticMulticastPaxos):
    """The smaller repair: an acceptor confirms places in their order, as FIFO channels from the leader would have it
    anyway."""

    @action
    def confirm(self, p, b, s):
        require(all(self.votes[p][b][x] for x in self.Slot if x < s))
        super().confirm(p, b, s)

    expect = [holds(), holds(at=TWO), holds(at=CRASH, only=ONE_EACH), holds(at=FIFO, thorough=True)]


class ThreeLeaders(InOrder):
    """CLAIM: InOrder suffices with three leaders. What is multicast is with everybody at once, and places are judged
    when they are chosen: acceptors confirm in order, so that all places before a chosen one are chosen."""

    workload = const((2, 1, 0), "how many messages each process multicasts")
    processes = const(3, "number of processes")
    crashes = const(0, "how many processes may crash")
    ballots = const(3, "how many ballots there may be: leaders, one after the other")
    suspicion = const(True, "a leader that has not crashed may be replaced")

    Message = InOrder.Message
    Slot = InOrder.Slot
    Ballot = InOrder.Ballot

    receive, learn = None, None

    def send(self, p, m):
        for q in self.Process:
            self.received[q].add(m)

    @rule
    def chosen_at(self, m: Message, s: Slot) -> bool:
        """m is chosen for place s."""
        return any(self.proposals[b][s] == m and self.chosen(b, s) for b in self.Ballot)

    @invariant
    def one_place(self) -> bool:
        """No message is chosen for two places."""
        return all(
            not (self.chosen_at(m, s) and self.chosen_at(m, t))
            for m in self.Message
            for s in self.Slot
            for t in self.Slot
            if s < t
        )

    @invariant
    def places_in_order(self) -> bool:
        """What is chosen stands behind what its sender multicast before."""
        return all(
            any(self.chosen_at(x, t) for t in self.Slot if t < s)
            for m in self.Message
            for s in self.Slot
            if self.chosen_at(m, s)
            for x in self.Message
            if self.sender(x) == self.sender(m) and self.number(x) < self.number(m)
        )

    properties = []

    expect = [
        violates("one_place", at={"workload": (1, 1, 0)}, only=["one_place"], steps=14),
        violates("places_in_order", only=["places_in_order"], steps=15),
    ]


class ThreeLeadersOneAtATime(ThreeLeaders):
    """REPAIR: no new place before the last one is decided."""

    free_place = OneAtATime.free_place

    expect = [holds(at={"workload": (1, 1, 0)}), holds(at={"workload": (2, 0, 0)}), holds(thorough=True)]


class OneIsEnough(OptimisticMulticastPaxos):
    """EDIT: one acceptor of three is enough to decide."""

    @rule
    def majority(self, members):
        return 2 * len(members) >= self.acceptors - 1

    expect = violates(NoDuplication, UniformTotalOrder, UniformAgreement, Termination, at=CRASH, only=ONE_EACH)


class NothingTakenOver(OptimisticMulticastPaxos):
    """EDIT: a new leader starts afresh, without asking what was accepted."""

    @rule
    def asks(self):
        return False

    expect = violates(NoDuplication, UniformTotalOrder, UniformAgreement, Termination, at=CRASH, only=ONE_EACH)


class PromisesForgotten(OptimisticMulticastPaxos):
    """EDIT: an acceptor accepts from old leaders, too."""

    @rule
    def may_accept(self, p, b):
        return True

    expect = violates(NoDuplication, UniformTotalOrder, UniformAgreement, Termination, at=CRASH, only=ONE_EACH)


class AnyGap(OptimisticMulticastPaxos):
    """EDIT: a new leader puts new messages behind all taken over, and leaves gaps."""

    @rule
    def free_place(self, b, s):
        return (
            self.proposals[b][s] is None
            and all(self.proposals[b][x] is None for x in self.Slot if x > s)
            and (s == 0 or self.proposals[b][s - 1] is not None)
        )

    expect = violates(Termination, at=CRASH, only=ONE_EACH)


class NoOps(AnyGap):
    """EDIT: new messages go behind all taken over, and the new leader has a no-op accepted in each gap before them (two
    ballots)."""

    Slot = Int(0, derived(lambda c: 2 * sum(c.workload) - 1))
    # the places that a learner has behind it
    passed = var(Map[AnyGap.Process, Int(0, derived(lambda c: 2 * sum(c.workload)))], 0)
    picture = [*PICTURE, PROPOSES, draw.step("learn", LEARNS.format("before.passed[p]"))]

    @rule
    def asked(self, b, s):
        return any(self.proposals[b][x] is not None for x in self.Slot if x >= s)

    @action
    def learn(self, p, b):
        s = self.passed[p]
        require(s < 2 * len(self.Message) and self.chosen(b, s))
        m = self.proposals[b][s]
        self.passed[p] += 1
        if m is not None:
            require(m in self.received[p])
            self.deliver(p, m)

    expect = [
        holds(at=CRASH, only=ONE_EACH),
        violates(FifoOrder, at={"workload": (2, 0), "acceptors": 2, "crashes": 0, "suspicion": True}, steps=13),
    ]


class NotUniform(OptimisticMulticastPaxos):
    """EDIT: fr-mcast is reliable, but not uniform: only what a live process has received gets to everybody."""

    @rule
    def passes_on(self, x):
        return self.live(x)

    expect = [
        violates(UniformAgreement, at={"workload": (1, 0, 0)}, only=[UniformAgreement], steps=10),
        violates(UniformAgreement, Termination, at=CRASH, only=ONE_EACH),
    ]
