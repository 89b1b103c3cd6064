"""Parallel instances of consensus: a message may be proposed in a new instance before the last one is decided, and be
decided twice.

Rule: a process proposes a pending message in its next instance and keeps the pair (message, instance) in a set
`trying`. The decisions are handed over in the order of the instances. Then the pairs of that instance leave `trying`;
what has not been decided is proposed again. Of several decisions of a message only the first counts.

Source: "Optimistic Atomic Multicast in One Communication Delay", 2011, Section 4.3 (no printed algorithm; the rest as
in Algorithm 1).

Below: one group, and no clocks, so that any set of pending messages may be proposed at any time; fr-mcast is FIFO. The
value of an instance is what its first proposer proposed. Each process uses its own next instance that it neither
proposed in nor knows the decision of. Within a value messages stand in the order of sending (identifiers).

Readings. What is proposed: the pending messages that are not being tried (main class), or all pending ones in each new
instance (AllPending), as the text allows a message in several instances.

Found. The order is the same everywhere and everything is delivered, but FIFO order is lost: m1.1 is being tried in an
instance that another proposer's value wins, m1.2 is tried in the next one and is decided there. Lemma 10 rests on one
instance at a time. AllPending repairs it: whoever proposes m1.2 proposes m1.1 with it, unless it knows that m1.1 is
decided.
"""

from __future__ import annotations

from checker.language import (
    Int,
    Map,
    Seq,
    Set,
    action,
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
from checker.language.multicast import Multicast
from checker.properties.multicast import (
    FifoOrder,
    NoCreation,
    NoDuplication,
    Termination,
    UniformAgreement,
    UniformTotalOrder,
)

FULL = {"workload": (2, 1)}
# with a message of each sender there is no FIFO order to judge
ONE_EACH = [NoDuplication, NoCreation, UniformTotalOrder, UniformAgreement, Termination]
TRIO = {"workload": (1, 1, 1)}
CRASH = {"workload": (1, 1, 0), "crashes": 1}


class ParallelConsensus(Multicast):
    """Section 4.3."""

    processes = const(2, "number of processes")
    workload = const((2, 1), "how many messages each process multicasts")
    instances = const(derived(lambda c: 5 * sum(c.workload)), "room for instances")

    Process = Multicast.Process
    Message = Multicast.Message
    Instance = Int(0, instances)

    received = var(Map[Process, Set[Message]], kept=True)  # fr-delivered: what somebody has, everybody gets
    decisions = var(Seq[Set[Message], instances])  # the value of each instance that has one
    next_instance = var(Map[Process, Instance], 0)
    learned = var(Map[Process, Instance], 0)  # instances handed over to p
    # the latest instance, from 1; 0: none
    trying = var(Map[Process, Map[Message, Int(0, derived(lambda c: c.instances + 1))]], 0)
    decided = var(Map[Process, Set[Message]])

    def send(self, p: Process, m: Message) -> None:
        """fr-mcast to the group."""
        self.received[p].add(m)

    @action
    def receive(self, p: Process, m: Message) -> None:
        """fr-deliver, in FIFO order; from a crashed sender only what somebody has received."""
        q = self.sender(m)
        require(self.was_multicast(m) and m not in self.received[p])
        require(self.live(q) or any(self.live(x) and m in self.received[x] for x in self.Process))
        require(
            all(x in self.received[p] for x in self.Message if self.sender(x) == q and self.number(x) < self.number(m))
        )
        self.received[p].add(m)
        self.emit.arrive(p, m)

    @rule
    def proposal(self, p: Process) -> Set[Message]:
        """What p proposes: what is neither decided nor being tried."""
        return {m for m in self.received[p] - self.decided[p] if self.trying[p][m] == 0}

    @action
    def propose(self, p: Process) -> None:
        """p starts its next instance, without waiting for the last one."""
        value = self.proposal(p)
        require(len(value) > 0)
        i = max(self.next_instance[p], self.learned[p])
        require(i <= len(self.decisions))
        self.emit.propose(p, i)
        self.emit.value(p, value)
        self.next_instance[p] = i + 1
        for m in value:
            self.trying[p][m] = i + 1
        if i == len(self.decisions):
            self.decisions.append(value)

    @rule
    def comes_next(self, p: Process, i: Instance) -> bool:
        """p is handed instance i: in ascending order."""
        return i == self.learned[p]

    @rule
    def counts(self, p: Process, m: Message) -> bool:
        """The decision of m counts: it is the first."""
        return m not in self.decided[p]

    @rule
    def gives_up(self, p: Process, m: Message, i: Instance) -> bool:
        """(m, i) leaves trying."""
        return self.trying[p][m] == i + 1

    @action
    def learn(self, p: Process) -> None:
        """p is handed the next decision and delivers what counts."""
        i = self.learned[p]
        require(i < len(self.decisions) and self.comes_next(p, i))
        self.learned[p] = i + 1
        for m in sorted(self.decisions[i]):
            if self.counts(p, m):
                self.decided[p].add(m)
                self.deliver(p, m)
        for m in self.Message:
            if m in self.decided[p]:
                self.trying[p][m] = 0
            elif self.gives_up(p, m, i):
                self.trying[p][m] = 0

    picture = [
        draw.lane("decisions", "consensus", "instance {0}: {value}"),
        draw.step("receive", "receive {m}"),
        draw.step("propose", "propose in instance {before.next_instance[p]}"),
        draw.step("learn", "learn instance {before.learned[p]}: {decisions[before.learned[p]]}"),
        draw.aside("arrive", "propose", "next_instance", "learned", "decided"),
    ]

    properties = [NoDuplication, NoCreation, FifoOrder, UniformTotalOrder, UniformAgreement, Termination]

    expect = [
        violates(FifoOrder, at=FULL),
        holds(at=TRIO, only=ONE_EACH, thorough=True),
        holds(at=CRASH, only=ONE_EACH),
    ]


class AllPending(ParallelConsensus):
    """The repair: each new instance gets all that is not known to be decided, if some of it is not yet being tried."""

    @rule
    def proposal(self, p):
        pending = self.received[p] - self.decided[p]
        return pending if any(self.trying[p][m] == 0 for m in pending) else set()

    expect = [holds(at=FULL), holds(at={"workload": (2, 2)}), holds(at=TRIO), holds(at=CRASH)]


class OneAtATime(ParallelConsensus):
    """EDIT: no new instance before the last one has been handed over, as in Algorithm 1."""

    @rule
    def proposal(self, p):
        return {m for m in self.received[p] - self.decided[p] if self.next_instance[p] <= self.learned[p]}

    expect = [holds(at=FULL), holds(at={"workload": (2, 2)}), holds(at=CRASH)]


class EveryDecisionCounts(AllPending):
    """EDIT: a message that is decided again is delivered again (once is enough to see it)."""

    @rule
    def counts(self, p, m):
        return m not in self.decided[p] or len(self.delivered[p]) == len(self.decided[p])

    expect = [violates(NoDuplication, at={"workload": (2,)}, steps=6), violates(NoDuplication)]


class TryOnce(ParallelConsensus):
    """EDIT: no message is proposed twice by one process."""

    @rule
    def gives_up(self, p, m, i):
        return False

    expect = [violates(Termination, at={"workload": (1, 1)}, steps=12), violates(FifoOrder, Termination)]


class GiveUpEarly(ParallelConsensus):
    """EDIT: with each decision handed over all pairs leave `trying`, those of later instances too."""

    @rule
    def gives_up(self, p, m, i):
        return True

    expect = violates(FifoOrder)


class OldestPerSender(ParallelConsensus):
    """EDIT: propose only the oldest undecided message of each sender."""

    @rule
    def proposal(self, p):
        pending = self.received[p] - self.decided[p]
        return {
            m
            for m in pending
            if self.trying[p][m] == 0
            and not any(self.sender(x) == self.sender(m) and self.number(x) < self.number(m) for x in pending)
        }

    expect = [holds(at=FULL), holds(at={"workload": (2, 2)}), holds(at=CRASH)]


class LostInstances(ParallelConsensus):
    """CLAIM (Section 4.3): with parallel instances a message takes one instance of consensus, w + T + delta in all. It
    does if somebody has it decided in the first instance in which it is tried; a process tries again only after T."""

    Process = ParallelConsensus.Process
    Message = ParallelConsensus.Message

    in_vain = var(Map[Process, Set[Message]])  # what p tried in an instance that another value has won

    @action
    def learn(self, p: Process) -> None:
        """As above, with a record of what was tried in vain."""
        tried = {m for m in self.Message if self.trying[p][m] == self.learned[p] + 1}
        super().learn(p)
        for m in tried - self.decided[p]:
            self.in_vain[p].add(m)

    @invariant
    def first_try_somewhere(self) -> bool:
        """No message has been tried in vain by all processes."""
        return all(any(m not in self.in_vain[p] for p in self.Process) for m in self.Message)

    properties = []

    expect = [violates("first_try_somewhere", at={"workload": (1, 1)}, steps=11)]
