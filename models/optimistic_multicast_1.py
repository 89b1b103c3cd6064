"""Optimistic atomic multicast, the baseline: barriers between groups, consensus inside each group.

Rule: a message gets a timestamp from its sender's clock (l. 6) and is sent to the sender's group, which agrees on the
order of its messages and raises a timestamp that came too late (l. 20-23). With its final timestamp it goes to the
other destination groups (l. 28). Whoever holds the smallest timestamp among the undelivered messages delivers it once
every group that may send to its own group has shown a larger one: a barrier.

Source: "Optimistic Atomic Multicast in One Communication Delay", 2011, Algorithm 1 (lines l. 1-33), Section 3.2; lemmas
of Section 5. Below: fr-mcast and consensus as in `_group_logs`. As l. 14 stands, a process learns only while it has an
undecided message itself. A clock shows a larger value each time it is read. Nothing follows the last messages of the
workload, so the end of a run shows what is missing for liveness (the paper adds it in Algorithm 2).

A delivery (l. 29-33) is a step of its own; with delivery=drained part of the step that allows it, which hides
violations of order.

Readings. Equal timestamps are ordered by message identifier (Section 3.2) where a smallest message is chosen (l. 20, l.
30); in l. 22 and l. 31 the main class compares the bare values, as the lines are printed, in TiesEverywhere those two
lines have the order of Section 3.2 as well. Identifiers grow with each
message of a sender, which the text does not say. The lemmas are checked with the order of Section 3.2. l. 26-28 stand
outside the condition of l. 24, as the text has it; as they are indented: optimistic_indentation. Found. Two processes
in a group: a late message raised to t + 1 can be followed by one whose clock shows just t + 1; l. 22 lets both keep it,
and Lemmas 4, 6 and 7 fail, since the identifiers may be in the other order (with unique clock values too, UniqueClock).
Atomic order holds nevertheless, thanks to the strict l. 31, and FIFO order as long as identifiers follow the sending
(AnyIdentifiers: it fails). >= in l. 22 repairs all of it (AtLeast), and then l. 31 need not be strict. Uniform
agreement fails without Algorithm 2, as the paper says: groups do not get the same barriers.
"""

from __future__ import annotations

from checker.language import Bool, Int, Map, Record, action, choose, const, derived, of, require, rule, var
from checker.language.expectation import holds, violates
from checker.models._group_logs import _GroupLogs
from checker.properties.acyclicity import Acyclicity
from checker.properties.atomic_multicast import (
    DecidedInGroup,
    DeliveredByTimestamp,
    FifoTimestamps,
    FinalTimestampAgreement,
    GroupAgreement,
    QuasiGenuine,
    ReceivedByTimestamp,
    SentByTimestamp,
    StampedByTimestamp,
    StampedEverywhere,
    StampedOneByOne,
)
from checker.properties.multicast import FifoOrder, NoCreation, NoDuplication, UniformAgreement, UniformTotalOrder

SAFETY = [
    FifoOrder,
    UniformTotalOrder,
    Acyclicity,
    SentByTimestamp,
    FinalTimestampAgreement,
    ReceivedByTimestamp,
    StampedByTimestamp,
    DeliveredByTimestamp,
    FifoTimestamps,
    QuasiGenuine,
    GroupAgreement,
    DecidedInGroup,
    StampedEverywhere,
]
# those are about messages between groups
ONE_GROUP = [p for p in SAFETY if p not in (SentByTimestamp, ReceivedByTimestamp, QuasiGenuine)]
ONE = {"workload": (2, 2), "groups": (1, 1), "ticks": 3}  # one group
TRIO = {"workload": (2, 1, 0), "groups": (1, 1, 2)}  # a group of two multicasts, another one only listens
PAIR = {"workload": (2, 1, 1), "groups": (1, 1, 2)}  # two groups, one of two processes
SMALL = {"workload": (1, 1, 1), "groups": (1, 1, 2), "crashes": 1}  # the same with a crash
DRAINED = {"delivery": "drained"}  # a reduction: fewer states, and fewer violations of order
# each message leaves out one group
CIRCLE = {"workload": (2, 2, 2), "groups": (1, 2, 3), "destinations": (12, 12, 23, 23, 13, 13)}


class OptimisticMulticast1(_GroupLogs):
    """Algorithm 1."""

    processes = const(2, "number of processes")
    workload = const((3, 1), "how many messages each process multicasts")
    ticks = const(derived(lambda c: max(c.workload) + 1), "largest value of a clock")
    delivery = const(
        "apart", "a delivery is a step of its own, or part of the step that allows it", ("apart", "drained")
    )

    Process = _GroupLogs.Process
    Message = _GroupLogs.Message
    Group = _GroupLogs.Group
    Clock = Int(1, ticks)
    Time = Int(0, derived(lambda c: c.ticks + 3 * sum(c.workload)))  # room for edits under which processes disagree
    # final: to the other groups (l. 28), otherwise to the own group (l. 7)
    Entry = Record(message=of("Message"), time=of("Time"), final=Bool)

    clock_time = var(Map[of("Message"), of("Time")], 0)  # m.ts as its sender set it
    final = var(Map[Process, Map[of("Message"), of("Time")]], 0)  # m.ts as p knows it, for m in decided or stamped
    barrier = var(Map[Process, Map[Group, of("Time")]], 0)  # l. 3-4

    @rule
    def identifier(self, m: Message) -> int:
        """m.id, which orders messages with equal timestamps."""
        return m.index

    @rule
    def turn(self, m: Message):  # type: ignore[no-untyped-def]
        """l. 20: in this order an instance decides its messages."""
        return self.clock_time[m], self.identifier(m)

    def send(self, p: Process, m: Message) -> None:
        """l. 5-7."""
        t = choose(self.Clock)
        require(self.clock_shows(p, m, t))
        self.clock_time[m] = t
        self.log[p].append(self.Entry(m, t, False))

    @rule
    def clock_shows(self, p: Process, m: Message, t: Time) -> bool:
        """getTime(): later than at p's previous message, early enough for the messages still planned."""
        later = self.workload[p.index] - self.number(m) - 1
        earlier = max(
            (self.clock_time[x] for x in self.Message if self.sender(x) == p and self.number(x) < self.number(m)),
            default=0,
        )
        return earlier < t <= self.ticks - later

    def receive(self, p: Process, entry: Entry) -> None:
        """l. 8-13."""
        if not entry.final:
            self.messages[p].add(entry.message)
        else:
            self.receive_final(p, entry.message, entry.time)

    def receive_final(self, p: Process, m: Message, t: Time) -> None:
        """l. 11-13."""
        if m not in self.stamped[p]:
            self.stamp(p, m, t)
            self.barrier[p][self.source(m)] = t

    @rule
    def for_group(self, g: Group, entry: Entry) -> bool:
        """The entry was fr-mcast to g."""
        return (
            self.addressed(g, entry.message) and self.source(entry.message) != g
            if entry.final
            else self.source(entry.message) == g
        )

    @action
    def decide(self, p: Process) -> None:
        """l. 14-28: p proposes what it has undecided, and learns the decision of the next instance of its group."""
        undecided = self.messages[p] - self.decided[p]
        require(len(undecided) > 0)
        g = self.group(p)
        if self.instance[p] == len(self.decisions[g]):
            self.decisions[g].append(undecided)
        batch = self.decisions[g][self.instance[p]] - self.decided[p]
        self.instance[p] += 1
        for m in sorted(batch, key=lambda x: self.turn(x)):  # l. 20
            t = self.final_time(p, m)
            self.emit.decide(p, m, t)
            self.final[p][m] = t
            if self.addressed(g, m):
                self.stamp(p, m, t)
            self.decided[p].add(m)
            self.barrier[p][g] = t
            if self.forwards(p, m):
                self.log[p].append(self.Entry(m, t, True))
        self.deliver_ready(p)

    @rule
    def forwards(self, p: Process, m: Message) -> bool:
        """l. 28: p passes m on; every process of the source group does, if m has other destinations."""
        return any(self.addressed(h, m) for h in self.Group if h != self.group(p))

    @rule
    def final_time(self, p: Process, m: Message) -> Time:
        """l. 21-23: the timestamp of m, raised if p has decided a larger one before."""
        largest = max((self.final[p][x] for x in self.decided[p]), default=0)
        return largest + 1 if self.too_late(p, m, largest) else self.clock_time[m]

    @rule
    def too_late(self, p: Process, m: Message, largest: Time) -> bool:
        """l. 22: the timestamp of m is behind the largest one decided."""
        return largest > self.clock_time[m]

    @rule
    def smallest(self, p: Process, m: Message) -> bool:
        """l. 30: no undelivered message has a smaller timestamp."""
        return all(
            (self.final[p][m], self.identifier(m)) <= (self.final[p][x], self.identifier(x))
            for x in self.stamped[p] - self.done[p]
        )

    @rule
    def passed(self, p: Process, h: Group, m: Message) -> bool:
        """l. 31: group h has shown a timestamp that is larger than that of m."""
        return self.final[p][m] < self.barrier[p][h]

    @rule
    def deliverable(self, p: Process, m: Message) -> bool:
        """l. 29-31."""
        return (
            m in self.stamped[p] - self.done[p]
            and self.smallest(p, m)
            and all(self.passed(p, h, m) for h in self.Group if self.may_send(h, self.group(p)))
        )

    def deliver_ready(self, p: Process) -> None:
        """l. 29-33 within another step, as long as something can be delivered."""
        if self.delivery == "drained":
            ready = {m for m in self.Message if self.deliverable(p, m)}
            while len(ready) > 0:
                self.deliver_one(p, min(ready))
                ready = {m for m in self.Message if self.deliverable(p, m)}

    @action
    def deliver_next(self, p: Process) -> None:
        """l. 29-33, a step of its own."""
        ready = {m for m in self.Message if self.deliverable(p, m)}
        require(self.delivery == "apart" and len(ready) > 0)
        self.deliver_one(p, min(ready))

    def deliver_one(self, p: Process, m: Message) -> None:
        """l. 32-33."""
        self.done[p].add(m)
        self.deliver(p, m)

    properties = [NoDuplication, NoCreation, *SAFETY, UniformAgreement]

    expect = [
        violates(StampedByTimestamp, at={"workload": (1, 1), "groups": (1, 1)}, only=ONE_GROUP, steps=6),
        violates(
            SentByTimestamp,
            ReceivedByTimestamp,
            StampedByTimestamp,
            at={"workload": (1, 1, 0), "groups": (1, 1, 2)},
            only=SAFETY,
            steps=6,
        ),
        holds(distinct=11_455, transitions=27_070),
        holds(at={"workload": (2, 1)}, distinct=987, transitions=2_096),
        holds(at={"workload": (2, 2)}, distinct=6_417, transitions=15_258),
        holds(at={"workload": (3, 2)}),
        holds(at={"workload": (2, 1, 1), "groups": (1, 2, 3)}, distinct=57_238, transitions=218_801),
        # not for its own group
        holds(at=CIRCLE, only=SAFETY),
        holds(at={"workload": (1, 0), "destinations": (2,)}, only=SAFETY),
        violates(UniformAgreement, at={"workload": (2, 0), "destinations": (12, 1)}, steps=7),
        violates(UniformAgreement, at={"workload": (2, 1), "destinations": (12, 1, 12)}, steps=11),
        # sendersTo leaves out a group that does multicast
        violates(QuasiGenuine, at={"workload": (1, 0), "senders_to": (1, 2)}, only=[QuasiGenuine], steps=3),
        violates(
            DeliveredByTimestamp,
            QuasiGenuine,
            at={"workload": (2, 1), "senders_to": (1, 2)},
            only=[DeliveredByTimestamp, QuasiGenuine],
            steps=3,
        ),
        violates(
            UniformTotalOrder,
            Acyclicity,
            DeliveredByTimestamp,
            QuasiGenuine,
            at={"workload": (2, 2), "senders_to": (1, 2)},
            only=SAFETY,
            steps=3,
        ),
        violates(StampedByTimestamp, at=ONE, only=ONE_GROUP, steps=6),
        violates(SentByTimestamp, ReceivedByTimestamp, StampedByTimestamp, at=SMALL, only=SAFETY, steps=6),
        violates(
            SentByTimestamp,
            ReceivedByTimestamp,
            StampedByTimestamp,
            at=PAIR | DRAINED,
            only=SAFETY,
            steps=6,
            thorough=True,
        ),
    ]


class TiesInLine22(OptimisticMulticast1):
    """The reading that orders equal timestamps by identifier in l. 22 too."""

    @rule
    def too_late(self, p, m, largest):
        return largest > self.clock_time[m] or any(
            self.final[p][x] == self.clock_time[m] and self.identifier(x) > self.identifier(m) for x in self.decided[p]
        )

    expect = [
        holds(at=ONE, only=ONE_GROUP),
        holds(at=SMALL, only=SAFETY),
        holds(at=PAIR | DRAINED, only=SAFETY, thorough=True),
    ]


class TiesEverywhere(TiesInLine22):
    """READING: equal timestamps are ordered by identifier wherever they are compared (Section 3.2), in l. 31 too: a
    barrier is a message, and has its identifier."""

    @rule
    def passed(self, p, h, m):
        return any(
            self.source(x) == h and (self.final[p][m], self.identifier(m)) < (self.final[p][x], self.identifier(x))
            for x in self.decided[p] | self.stamped[p]
        )

    expect = [holds(at=ONE, only=ONE_GROUP), holds(at=CIRCLE, only=SAFETY), holds(at=SMALL, only=SAFETY)]


class AtLeast(OptimisticMulticast1):
    """The repair of l. 22: >= for >."""

    @rule
    def too_late(self, p, m, largest):
        return largest >= self.clock_time[m]

    expect = [
        holds(at=ONE, only=ONE_GROUP),
        holds(at=CIRCLE, only=SAFETY),
        holds(at=SMALL, only=SAFETY),
        holds(at=PAIR | DRAINED, only=SAFETY, thorough=True),
    ]


class AnyIdentifiers(OptimisticMulticast1):
    """The reading in which a later message of a sender may have a smaller identifier."""

    @rule
    def identifier(self, m):
        return len(self.Message) - m.index

    expect = [
        violates(StampedByTimestamp, at={"workload": (1, 1), "groups": (1, 1)}, only=ONE_GROUP, steps=6),
        violates(
            StampedByTimestamp, FifoTimestamps, at={"workload": (2, 1), "groups": (1, 1)}, only=ONE_GROUP, steps=6
        ),
        violates(
            FifoOrder,
            StampedByTimestamp,
            FifoTimestamps,
            at={"workload": (3, 1), "groups": (1, 1), "ticks": 4},
            only=ONE_GROUP,
            steps=6,
        ),
    ]


class AnyIdentifiersAtLeast(AnyIdentifiers):
    """The smallest repair of AnyIdentifiers: >= in l. 22, so that equal timestamps do not come out of one group."""

    too_late = AtLeast.too_late

    expect = holds(at={"workload": (3, 1), "groups": (1, 1), "ticks": 4}, only=ONE_GROUP)


class StandingClock(OptimisticMulticast1):
    """The reading in which a clock may show the same value twice."""

    @rule
    def clock_shows(self, p, m, t):
        return (
            max(
                (self.clock_time[x] for x in self.Message if self.sender(x) == p and self.number(x) < self.number(m)),
                default=1,
            )
            <= t
        )

    expect = [
        violates(StampedByTimestamp, at={"workload": (1, 1), "groups": (1, 1)}, only=ONE_GROUP, steps=6),
        violates(StampedByTimestamp, at={"workload": (2, 1), "groups": (1, 1)}, only=ONE_GROUP, steps=6),
    ]


class UniqueClock(OptimisticMulticast1):
    """The reading in which no two clocks ever show the same value (Section 3.1: a unique timestamp)."""

    @rule
    def clock_shows(self, p, m, t):
        later = self.workload[p.index] - self.number(m) - 1
        earlier = max(
            (self.clock_time[x] for x in self.Message if self.sender(x) == p and self.number(x) < self.number(m)),
            default=0,
        )
        return earlier < t <= self.ticks - later and not any(
            self.clock_time[x] == t for x in self.Message if self.was_multicast(x)
        )

    expect = [
        violates(StampedByTimestamp, at={"workload": (2, 1), "groups": (1, 1)}, only=ONE_GROUP, steps=9),
        violates(StampedByTimestamp, at={"workload": (2, 2), "groups": (1, 1), "ticks": 4}, only=ONE_GROUP, steps=9),
        holds(at={"workload": (1, 1, 0), "groups": (1, 1, 2)}, only=SAFETY),
        violates(SentByTimestamp, at=TRIO, only=[SentByTimestamp], steps=8),
        violates(ReceivedByTimestamp, at=TRIO, only=[ReceivedByTimestamp], steps=10),
    ]


class OneByOne(OptimisticMulticast1):
    """CLAIM (Lemma 7), also of messages that one instance decides: l. 20-28 stamp them one after the other."""

    properties = [StampedOneByOne]

    expect = [
        violates(StampedOneByOne, at={"workload": (1, 1), "groups": (1, 1)}, steps=6),
        violates(StampedOneByOne, at={"workload": (2, 1), "groups": (1, 1)}, steps=6),
        holds(at={"workload": (2, 0), "groups": (1, 1)}),
    ]


class OneByOneUniqueClock(UniqueClock):
    """READING: the same with clocks of which no two ever show the same value: one instance raises one message to the
    value of the next."""

    properties = [StampedOneByOne]

    expect = [
        violates(StampedOneByOne, at={"workload": (2, 1), "groups": (1, 1)}, steps=8),
        holds(at={"workload": (1, 1), "groups": (1, 1)}),
        holds(at={"workload": (3, 0), "groups": (1, 1)}),
    ]


class OneByOneAtLeast(AtLeast):
    """The same with the repair of l. 22."""

    properties = [StampedOneByOne]

    expect = [holds(at=ONE), holds(at=TRIO)]


class OwnGroupIsNoBarrier(OptimisticMulticast1):
    """EDIT: a message is itself the barrier of its source group (Section 4.1), and l. 22 stays as printed."""

    @rule
    def passed(self, p, h, m):
        return h == self.source(m) or self.final[p][m] < self.barrier[p][h]

    expect = [
        violates(
            UniformTotalOrder,
            Acyclicity,
            StampedByTimestamp,
            DeliveredByTimestamp,
            at={"workload": (1, 1), "groups": (1, 1)},
            only=ONE_GROUP,
            steps=6,
        ),
        violates(UniformTotalOrder, at={"workload": (1, 1), "groups": (1, 1)}, only=[UniformTotalOrder], steps=13),
        violates(
            UniformTotalOrder,
            Acyclicity,
            SentByTimestamp,
            ReceivedByTimestamp,
            StampedByTimestamp,
            DeliveredByTimestamp,
            at={"workload": (1, 1, 0), "groups": (1, 1, 2)},
            only=SAFETY,
            steps=6,
        ),
        holds(at={"workload": (2, 0), "groups": (1, 1)}, only=[FifoOrder, FifoTimestamps]),
        # within other steps: no disagreement with two messages
        violates(
            StampedByTimestamp,
            DeliveredByTimestamp,
            at={"workload": (1, 1), "groups": (1, 1)} | DRAINED,
            only=ONE_GROUP,
            steps=6,
        ),
        violates(UniformTotalOrder, at=TRIO | DRAINED, only=[UniformTotalOrder], steps=11),
        violates(
            UniformTotalOrder,
            Acyclicity,
            SentByTimestamp,
            ReceivedByTimestamp,
            StampedByTimestamp,
            DeliveredByTimestamp,
            at=PAIR | DRAINED,
            only=SAFETY,
            thorough=True,
        ),
    ]


class OwnGroupIsNoBarrierUniqueClock(OwnGroupIsNoBarrier):
    """EDIT: a message is itself the barrier of its source group, with l. 22 as printed and clocks of which no two ever
    show the same value."""

    clock_shows = UniqueClock.clock_shows

    expect = [
        holds(at={"workload": (1, 1), "groups": (1, 1)}, only=[UniformTotalOrder]),
        violates(UniformTotalOrder, at={"workload": (2, 1), "groups": (1, 1)}, only=[UniformTotalOrder], steps=20),
    ]


class OwnGroupIsNoBarrierAtLeast(AtLeast):
    """EDIT: a message is itself the barrier of its source group (Section 4.1), with the repaired l. 22."""

    passed = OwnGroupIsNoBarrier.passed

    expect = [
        holds(at=ONE, only=ONE_GROUP),
        holds(at=CIRCLE, only=SAFETY),
        holds(at=PAIR | DRAINED, only=SAFETY, thorough=True),
    ]


class LooseBarrier(OptimisticMulticast1):
    """EDIT: an equal barrier suffices (<= in l. 31), and l. 22 stays as printed."""

    @rule
    def passed(self, p, h, m):
        return self.final[p][m] <= self.barrier[p][h]

    expect = [
        violates(
            UniformTotalOrder,
            Acyclicity,
            StampedByTimestamp,
            DeliveredByTimestamp,
            at={"workload": (1, 1), "groups": (1, 1)},
            only=ONE_GROUP,
            steps=6,
        ),
        violates(UniformTotalOrder, at={"workload": (1, 1), "groups": (1, 1)}, only=[UniformTotalOrder], steps=13),
        violates(
            UniformTotalOrder,
            Acyclicity,
            SentByTimestamp,
            ReceivedByTimestamp,
            StampedByTimestamp,
            DeliveredByTimestamp,
            at={"workload": (1, 1, 0), "groups": (1, 1, 2)},
            only=SAFETY,
            steps=6,
        ),
        holds(at={"workload": (2, 0), "groups": (1, 1)}, only=[FifoOrder, FifoTimestamps]),
        # within other steps: no disagreement with two messages
        violates(
            StampedByTimestamp,
            DeliveredByTimestamp,
            at={"workload": (1, 1), "groups": (1, 1)} | DRAINED,
            only=ONE_GROUP,
            steps=6,
        ),
        violates(UniformTotalOrder, at=TRIO | DRAINED, only=[UniformTotalOrder], steps=11),
        violates(
            UniformTotalOrder,
            Acyclicity,
            SentByTimestamp,
            ReceivedByTimestamp,
            StampedByTimestamp,
            DeliveredByTimestamp,
            at=PAIR | DRAINED,
            only=SAFETY,
            thorough=True,
        ),
    ]


class LooseBarrierAtLeast(AtLeast):
    """EDIT: an equal barrier suffices (<= in l. 31), with the repaired l. 22."""

    passed = LooseBarrier.passed

    expect = [
        holds(at=ONE, only=ONE_GROUP),
        holds(at=CIRCLE, only=SAFETY),
        holds(at=PAIR | DRAINED, only=SAFETY, thorough=True),
    ]


class ConcernedBarriers(AtLeast):
    """EDIT: wait only for the barriers of the groups that m concerns, its source and its destinations."""

    @rule
    def passed(self, p, h, m):
        return not (h == self.source(m) or self.addressed(h, m)) or self.final[p][m] < self.barrier[p][h]

    expect = [
        violates(
            DeliveredByTimestamp,
            at={"workload": (2, 0, 1), "groups": (1, 2, 3), "destinations": (12, 12, 13)},
            only=[DeliveredByTimestamp],
            steps=9,
        ),
        # no two processes disagree
        violates(Acyclicity, DeliveredByTimestamp, at=CIRCLE, only=SAFETY, steps=9),
        holds(at={"workload": (2, 1), "groups": (1, 1), "ticks": 3}, only=[FifoOrder]),
    ]


class ClockIsFinal(OptimisticMulticast1):
    """EDIT: the timestamp of the sender's clock is final (l. 21-23 left out)."""

    @rule
    def final_time(self, p, m):
        return self.clock_time[m]

    expect = [
        violates(StampedByTimestamp, at={"workload": (1, 1), "groups": (1, 1)}, only=ONE_GROUP, steps=6),
        violates(
            StampedByTimestamp,
            DeliveredByTimestamp,
            GroupAgreement,
            at={"workload": (2, 1), "groups": (1, 1)},
            only=ONE_GROUP,
            steps=6,
        ),
    ]


class RaisedToEqual(OptimisticMulticast1):
    """EDIT: a late timestamp is raised to the largest one, not above it (l. 23 without + 1)."""

    @rule
    def final_time(self, p, m):
        return max(max((self.final[p][x] for x in self.decided[p]), default=0), self.clock_time[m])

    expect = [
        violates(StampedByTimestamp, at={"workload": (1, 1), "groups": (1, 1)}, only=ONE_GROUP, steps=6),
        violates(StampedByTimestamp, at={"workload": (2, 1), "groups": (1, 1)}, only=ONE_GROUP, steps=6),
    ]


class LargestSeen(AtLeast):
    """EDIT: a timestamp is raised above all that p has seen, of other groups too (l. 21 looks at the stamped messages
    as well)."""

    @rule
    def final_time(self, p, m):
        return max(
            max((self.final[p][x] for x in self.decided[p] | self.stamped[p]), default=0) + 1, self.clock_time[m]
        )

    expect = [
        violates(FinalTimestampAgreement, at={"workload": (1, 0, 1), "groups": (1, 1, 2)}, only=SAFETY, steps=9),
        holds(at=TRIO, only=SAFETY),
        violates(
            FinalTimestampAgreement,
            ReceivedByTimestamp,
            StampedByTimestamp,
            GroupAgreement,
            at={"workload": (1, 1, 1), "groups": (1, 1, 2)},
            only=SAFETY,
            steps=9,
        ),
    ]


class SenderForwards(AtLeast):
    """EDIT: only the sender of a message passes it on to other groups."""

    @rule
    def forwards(self, p, m):
        return p == self.sender(m) and any(self.addressed(h, m) for h in self.Group if h != self.group(p))

    expect = [
        violates(
            ReceivedByTimestamp,
            StampedByTimestamp,
            at={"workload": (1, 1, 0), "groups": (1, 1, 2)},
            only=SAFETY,
            steps=6,
        ),
        violates(ReceivedByTimestamp, StampedByTimestamp, DeliveredByTimestamp, at=TRIO, only=SAFETY, steps=6),
        violates(
            GroupAgreement, at={"workload": (1, 1, 0, 0), "groups": (1, 1, 2, 2)}, only=[GroupAgreement], steps=15
        ),
    ]


class LeaderForwards(AtLeast):
    """EDIT: only the first process of a group passes messages on to other groups: fewer messages, and none if it
    crashes."""

    @rule
    def forwards(self, p, m):
        return not any(q < p and self.group(q) == self.group(p) for q in self.Process) and any(
            self.addressed(h, m) for h in self.Group if h != self.group(p)
        )

    expect = [
        holds(at=TRIO, only=SAFETY),
        violates(
            StampedEverywhere, at={"workload": (0, 1, 0), "groups": (1, 1, 2), "crashes": 1}, only=SAFETY, steps=4
        ),
        holds(at=PAIR | DRAINED, only=SAFETY, thorough=True),
    ]


class AnyStamped(AtLeast):
    """EDIT: deliver any stamped message that the barriers allow, not the smallest (l. 30 left out)."""

    @rule
    def smallest(self, p, m):
        return True

    expect = [
        violates(
            UniformTotalOrder,
            Acyclicity,
            DeliveredByTimestamp,
            at={"workload": (2, 1), "groups": (1, 1)},
            only=ONE_GROUP,
            steps=8,
        ),
        violates(DeliveredByTimestamp, at={"workload": (2, 1), "groups": (1, 1)} | DRAINED, only=ONE_GROUP, steps=7),
        violates(
            UniformTotalOrder,
            Acyclicity,
            DeliveredByTimestamp,
            at=TRIO,
            only=[UniformTotalOrder, Acyclicity, DeliveredByTimestamp],
        ),
        violates(UniformTotalOrder, Acyclicity, DeliveredByTimestamp, at=PAIR | DRAINED, only=SAFETY, thorough=True),
    ]


class BarrierEachTime(AtLeast):
    """EDIT: every copy of a message moves the barrier (l. 13 outside the condition of l. 11)."""

    def receive_final(self, p, m, t):
        if m not in self.stamped[p]:
            self.stamp(p, m, t)
        self.barrier[p][self.source(m)] = t

    expect = [holds(at=SMALL, only=SAFETY), holds(at=TRIO, only=SAFETY)]
