"""Parallel instances of consensus under a leader that is replaced: Section 4.3 with Section 4.4.

Rule: the leader puts all messages that it has, and that it is not trying in another instance, into the next instance
that is free, without waiting for the last one. Acceptors and learners are those of optimistic_multicast_paxos; the
decisions are handed over in the order of the instances, and of several decisions of a message only the first counts.
When the leader fails, the next one asks a majority what it has accepted, proposes that again in the same instances, and
goes on with the lowest instance that is free.

Source: "Optimistic Atomic Multicast in One Communication Delay", 2011, Sections 4.3 and 4.4 (no printed algorithm).

Below: as in optimistic_multicast_paxos; an instance has a set of messages instead of one message, and within a value
messages stand in the order of sending.

Readings. Does a new leader try what it proposes again (main class), or only what it puts into an instance itself
(TakenOverIsUntried)? FIFO order fails in both.

Found. FIFO order fails as in both sections: the first leader tries m2.1 in instance 0 and m1.1 in instance 1; the next
leader learns of instance 1 alone and puts m1.2 into instance 0. One sender with three messages suffices. The repair of
Section 4.3 alone (AllPending) restores the order, but the group can block for ever, with two messages: m1.1 is tried in
instance 0, and both messages in instance 1; the next leader learns of instance 1 alone and has nothing left to try in
instance 0. An empty value in each such instance alone (EmptyValues) does not keep the order. Both together
(ClosedGaps) repair it: a value holds, with a message, all earlier ones of its sender that are not decided before it.
One instance at a time (OneAtATime) holds too.
"""

from __future__ import annotations

from checker.language import Int, Map, Set, action, const, derived, draw, holds, require, rule, var, violates
from checker.models.optimistic_multicast_paxos import LEARNS, PICTURE, OptimisticMulticastPaxos
from checker.properties.multicast import (
    FifoOrder,
    NoCreation,
    NoDuplication,
    Termination,
    UniformAgreement,
    UniformTotalOrder,
)

PAIR = {"workload": (1, 1)}
ONE_SENDER = {"workload": (2, 0)}
CRASH = {"workload": (2, 0, 0), "processes": 3, "acceptors": 3, "crashes": 1, "suspicion": False}
# with a message of each sender there is no FIFO order to judge
ONE_EACH = [NoDuplication, NoCreation, UniformTotalOrder, UniformAgreement, Termination]


class ParallelLeaders(OptimisticMulticastPaxos):
    """Sections 4.3 and 4.4: two acceptors, and a leader that may be replaced while it lives."""

    processes = const(2, "number of processes")
    workload = const((2, 1), "how many messages each process multicasts")
    crashes = const(0, "how many processes may crash")
    acceptors = const(2, "how many of the processes are the group of acceptors")
    suspicion = const(True, "a leader that has not crashed may be replaced")

    Process = OptimisticMulticastPaxos.Process
    Message = OptimisticMulticastPaxos.Message
    Ballot = OptimisticMulticastPaxos.Ballot
    # a leader tries each message once; it also tries again what it takes over
    Slot = Int(0, derived(lambda c: c.ballots * sum(c.workload) - 1))
    Quorum = OptimisticMulticastPaxos.Quorum
    Learned = Int(0, derived(lambda c: c.ballots * sum(c.workload)))

    proposals = var(Map[Ballot, Map[Slot, Set[Message]]])
    learned = var(Map[Process, Learned], 0)  # the instances handed over to p

    @rule
    def proposal(self, p: Process) -> Set[Message]:
        """What the leader tries next: what is neither decided nor being tried."""
        b = p.index
        return {
            m
            for m in self.received[p] - set(self.delivered[p])
            if not any(m in self.proposals[b][s] for s in self.Slot if s >= self.learned[p])
        }

    @rule
    def free_place(self, b: Ballot, s: Slot) -> bool:
        """Instance s is the lowest in which the leader of b has proposed nothing."""
        return not self.asked(b, s) and all(self.asked(b, x) for x in self.Slot if x < s)

    @action
    def propose(self, p: Process, s: Slot) -> None:
        """The leader starts an instance."""
        b = p.index
        require(b < self.ballots and b <= self.ballot and self.promised[p] == b and self.free_place(b, s))
        value = self.proposal(p)
        require(len(value) > 0 and s >= self.learned[p])
        self.proposals[b][s] = value

    @rule
    def asked(self, b: Ballot, s: Slot) -> bool:
        return len(self.proposals[b][s]) > 0

    @rule
    def taken_over(self, q: Set[Process], b: Ballot, s: Slot) -> Set[Message]:
        value = set()
        for x in self.Ballot:
            if self.asks() and x < b and any(self.votes[p][x][s] for p in q):
                value = set(self.proposals[x][s])
        return value

    @action
    def learn(self, p: Process, b: Ballot) -> None:
        """p is handed the next decision and delivers what was not decided before."""
        s = self.learned[p]
        require(s < self.ballots * len(self.Message) and self.chosen(b, s))
        value = set(self.proposals[b][s])
        require(all(m in self.received[p] for m in value))
        self.learned[p] = s + 1
        for m in sorted(value - set(self.delivered[p])):
            self.deliver(p, m)

    picture = [
        *PICTURE,
        draw.step("propose", "propose {proposals[p.index][s]} for place {s}"),
        draw.step("learn", LEARNS.format("before.learned[p]")),
    ]

    expect = [
        violates(FifoOrder, only=[FifoOrder], steps=15),
        violates(FifoOrder, at={"workload": (3, 0)}, only=[FifoOrder], steps=16),
        violates(Termination, only=[Termination], steps=21),
        holds(at=ONE_SENDER, distinct=2_812),
        holds(at=PAIR, only=ONE_EACH, distinct=7_009),
    ]


class TakenOverIsUntried(ParallelLeaders):
    """The reading in which a leader is not trying what it takes over, only what it has put into an instance itself."""

    tried = var(Map[ParallelLeaders.Process, Set[ParallelLeaders.Message]])

    @rule
    def proposal(self, p):
        return self.received[p] - set(self.delivered[p]) - self.tried[p]

    @action
    def propose(self, p, s):
        value = self.proposal(p)
        super().propose(p, s)
        for m in value:
            self.tried[p].add(m)

    expect = [violates(FifoOrder, only=[FifoOrder], steps=17), holds(at=ONE_SENDER)]


class AllPending(ParallelLeaders):
    """The repair of Section 4.3: each new instance gets all that is not known to be decided, if some of it is not yet
    being tried."""

    @rule
    def proposal(self, p):
        pending = self.received[p] - set(self.delivered[p])
        b = p.index
        return (
            pending
            if any(not any(m in self.proposals[b][s] for s in self.Slot if s >= self.learned[p]) for m in pending)
            else set()
        )

    expect = [violates(Termination, at=ONE_SENDER, steps=12), violates(Termination, at=PAIR, only=ONE_EACH, steps=12)]


class EmptyValues(ParallelLeaders):
    """EDIT: a leader has an empty value accepted in each instance below those that it takes over; what is proposed
    stays as in the text."""

    Ballot = ParallelLeaders.Ballot
    Slot = ParallelLeaders.Slot
    Learned = ParallelLeaders.Learned

    closed = var(Map[Ballot, Learned], 0)  # below this the leader of a ballot proposes something in each instance

    @action
    def take_over(self, p):
        super().take_over(p)
        b = p.index
        asked = {x for x in self.Process if self.promised[x] == b and self.accepts(x)}
        self.closed[b] = max(
            (s + 1 for s in self.Slot if any(self.votes[x][y][s] for x in asked for y in self.Ballot if y < b)),
            default=0,
        )

    @rule
    def asked(self, b, s):
        return len(self.proposals[b][s]) > 0 or s < self.closed[b]

    expect = [violates(FifoOrder, at=ONE_SENDER, steps=13)]


class ClosedGaps(EmptyValues):
    """REPAIR: all pending messages, and empty values below the instances that are taken over."""

    proposal = AllPending.proposal

    expect = [
        holds(at=ONE_SENDER),
        holds(at=PAIR, only=ONE_EACH),
        holds(at=CRASH),
        holds(thorough=True, distinct=637_156),
    ]


class OneAtATime(ParallelLeaders):
    """EDIT: no new instance before the last one is decided."""

    @rule
    def free_place(self, b, s):
        return not self.asked(b, s) and all(self.asked(b, x) and self.chosen(b, x) for x in self.Slot if x < s)

    expect = [holds(at=ONE_SENDER), holds(distinct=60_609)]
