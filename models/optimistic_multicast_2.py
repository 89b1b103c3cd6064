"""Optimistic atomic multicast with periodic empty messages, so that a group with nothing to send does not hold up the
others.

Rule: Algorithm 1 as in optimistic_multicast_1. Besides, each process keeps, for each group that its own group may send
to, the timestamp of the last barrier made for it (l. 4-6). When its clock is more than a threshold ahead of that (l.
7), it proposes in its own group an empty message for that group, with the timestamp of the last barrier plus the
threshold (l. 8-12). Empty messages are treated like others, but not delivered.

Source: "Optimistic Atomic Multicast in One Communication Delay", 2011, Algorithm 2 (lines l. 1-12) with Algorithm 1,
Section 3.3, Lemmas 1-3.

Below: an empty message is named by its creator, its destination and its first timestamp (n1.2.3: p1, for g2, 3). A
clock shows what is needed, no less than before. Up to `ticks` time passes by itself; after that only while somebody
still waits for a barrier, so that runs end.

Readings. Does every process make an empty message of its own, as the text asks ("by every process"), or are those with
the same contents the same message (SameEmptyMessage)?

Found. With one single message Lemmas 4, 6 and 7 fail: an empty message and a message of the application get the same
timestamp, because l. 22 of Algorithm 1 lets both keep it, and the identifiers may be in the other order. Order holds,
thanks to the strict l. 31; >= in l. 22 repairs the lemmas and is needed before l. 31 may be made loose. The delivery of
everything (Lemma 8) holds in all runs searched. Order of two groups that both multicast is not decided as printed (no
violation in the first 26 levels, 3.4 million states); repaired it holds. Every process must make the empty messages of
its group: one that has nothing undecided does not learn what the others decide (l. 14), as the text warns.
"""

from __future__ import annotations

from typing import Any

from checker.language import Ids, Int, Map, action, const, derived, holds, require, rule, var, violates
from checker.models._group_logs import _EmptyMessages, names_of
from checker.models.optimistic_multicast_1 import SAFETY, OptimisticMulticast1
from checker.properties.atomic_multicast import (
    FinalTimestampAgreement,
    GroupAgreement,
    QuasiGenuine,
    ReceivedByTimestamp,
    SentByTimestamp,
    StampedByTimestamp,
)
from checker.properties.multicast import (
    Acyclicity,
    FifoOrder,
    NoCreation,
    NoDuplication,
    Termination,
    UniformAgreement,
    UniformTotalOrder,
)


def _latest(c: Any) -> int:
    """More than any timestamp: time goes on a little for each message; late empty messages of several processes raise
    each other, and so do those that the clocks let a group make for several groups."""
    members = max(c.groups.count(g) for g in c.groups)
    return c.ticks + members * ((c.threshold + 5) * sum(c.workload) + 4 * max(c.groups) * max(0, c.ticks - 2))


def _names(c: Any) -> list[str]:
    """The messages of the workload, then the empty ones: creator, destination, timestamp."""
    return names_of(c) + [
        f"n{i + 1}.{g + 1}.{t}"
        for i in range(c.processes)
        for g in range(max(c.groups))
        for t in range(1, _latest(c) + 1)
    ]


def _empty(c: Any, place: int) -> tuple[int, ...]:
    """For each message the number (from 0) of its sender or, of an empty one, creator (place 0) and destination (place
    1)."""
    plain = tuple(i for i, count in enumerate(c.workload) for k in range(count))
    return plain + tuple(
        (i, g)[place] for i in range(c.processes) for g in range(max(c.groups)) for t in range(_latest(c))
    )


ORDER = [NoDuplication, NoCreation, FifoOrder, UniformTotalOrder, Acyclicity, FinalTimestampAgreement, QuasiGenuine]
ONE_EACH = [p for p in ORDER if p is not FifoOrder]  # with a message of each sender there is no FIFO order to judge
# with one message
JUDGED_IN_GROUP = [
    NoDuplication,
    NoCreation,
    Acyclicity,
    FinalTimestampAgreement,
    StampedByTimestamp,
    GroupAgreement,
    UniformAgreement,
    Termination,
]
JUDGED_BETWEEN = [*JUDGED_IN_GROUP, SentByTimestamp, ReceivedByTimestamp, QuasiGenuine]
GROUP = {"workload": (1, 0), "groups": (1, 1)}  # one group of two
TWO = {"workload": (2, 0), "delivery": "drained"}  # two messages of one sender
SHARED = {"workload": (1, 1), "groups": (1, 1), "ticks": 1, "delivery": "drained"}  # both in one group multicast
BOTH = {"workload": (1, 1), "ticks": 1, "delivery": "drained"}  # two groups, both multicast


class OptimisticMulticast2(_EmptyMessages, OptimisticMulticast1):
    """Algorithms 1 and 2."""

    workload = const((1, 0), "how many messages each process multicasts")
    threshold = const(1, "barrierThreshold")
    latest = derived(lambda c: _latest(c))
    creators = derived(lambda c: _empty(c, 0))
    receivers = derived(lambda c: _empty(c, 1))

    Process = OptimisticMulticast1.Process
    Group = OptimisticMulticast1.Group
    Message = Ids("m", derived(_names))
    Time = Int(0, latest)
    Clock = Int(1, latest)  # beyond `ticks` after an empty message, see clock_shows
    room = derived(lambda c: len(_names(c)))

    clock = var(Map[Process, Time], 0)  # the last value read
    last = var(Map[Process, Map[Group, Time]], 0)  # lastBarrierCreated (l. 1-3)

    @rule
    def addressed(self, g: Group, m: Message) -> bool:
        return (
            self.receivers[m.index] == g.index
            if self.empty(m)
            else self.addressed_table[m.index * len(self.Group) + g.index]
        )

    @rule
    def clock_shows(self, p: Process, m: Message, t: Time) -> bool:
        """getTime(): later than at p's previous message, no earlier than what p has read; more than `ticks` only if it
        must."""
        later = self.workload[p.index] - self.number(m) - 1
        earlier = max(
            (self.clock_time[x] for x in self.Message if self.was_multicast(x) and self.sender(x) == p and x != m),
            default=0,
        )
        return max(earlier + 1, self.clock[p]) <= t <= max(self.ticks - later, earlier + 1, self.clock[p])

    @rule
    def waited_for(self, p: Process, h: Group) -> bool:
        """Somebody in h cannot deliver a message without a barrier of p's group, and p has made none that is large
        enough."""
        return any(
            self.group(q) == h
            and not self.empty(m)
            and not self.passed(q, self.group(p), m)
            and self.last[p][h] <= self.final[q][m]
            for q in self.Process
            if self.live(q)
            for m in self.stamped[q] - self.done[q]
        )

    @rule
    def null_time(self, p: Process, h: Group) -> Time:
        """l. 9."""
        return self.last[p][h] + self.threshold

    @rule
    def makes_empty(self, p: Process, h: Group) -> bool:
        """Who creates empty messages: everybody."""
        return True

    @rule
    def identity(self, p: Process) -> Process:
        """The creator that stands in the name of an empty message: p itself."""
        return p

    @action
    def create_empty(self, p: Process, h: Group) -> None:
        """l. 7-12."""
        g = self.group(p)
        require(self.may_send(g, h) and self.makes_empty(p, h))
        t, shown = self.null_time(p, h), self.last[p][h] + self.threshold + 1
        require(shown <= self.ticks or self.waited_for(p, h))  # l. 7: the clock shows at least this
        self.clock[p] = max(self.clock[p], shown)
        null = self.Message[self.planned + (self.identity(p).index * len(self.Group) + h.index) * self.latest + t - 1]
        self.clock_time[null] = t
        self.emit.empty(p, null)
        self.last[p][h] = t
        self.propose_empty(p, null)
        self.deliver_ready(p)

    def propose_empty(self, p: Process, m: Message) -> None:
        """l. 11."""
        self.messages[p].add(m)

    @action
    def decide(self, p: Process) -> None:
        """Algorithm 1, l. 14-28, with Algorithm 2, l. 4-6."""
        undecided = self.messages[p] - self.decided[p]
        require(len(undecided) > 0)
        g = self.group(p)
        if self.instance[p] == len(self.decisions[g]):
            self.decisions[g].append(undecided)
        batch = self.decisions[g][self.instance[p]] - self.decided[p]
        self.instance[p] += 1
        for m in sorted(batch, key=lambda x: self.turn(x)):
            t = self.final_time(p, m)
            self.emit.decide(p, m, t)
            self.final[p][m] = t
            if self.addressed(g, m):
                self.stamp(p, m, t)
            self.decided[p].add(m)
            for h in self.Group:
                if self.addressed(h, m) or h == g:
                    self.last[p][h] = t
            self.barrier[p][g] = t
            if self.forwards(p, m):
                self.log[p].append(self.Entry(m, t, True))
        self.deliver_ready(p)

    def deliver(self, p: Process, m: Message) -> None:
        """p delivers m, unless m is empty."""
        if not self.empty(m):
            self.emit.deliver(p, m)
            self.delivered[p].append(m)

    properties = [NoDuplication, NoCreation, *SAFETY, UniformAgreement, Termination]

    expect = [
        violates(StampedByTimestamp, at={"workload": (1,)}, only=JUDGED_IN_GROUP, steps=5),
        violates(SentByTimestamp, ReceivedByTimestamp, StampedByTimestamp, steps=5),
        violates(StampedByTimestamp, at=GROUP, only=JUDGED_IN_GROUP),
        violates(SentByTimestamp, ReceivedByTimestamp, StampedByTimestamp, at=TWO),
        holds(at=SHARED, only=[*ORDER, Termination], distinct=71_933),
    ]


class SameEmptyMessage(OptimisticMulticast2):
    """The reading in which empty messages with the same contents, made by several processes of a group, are one
    message."""

    @rule
    def identity(self, p):
        return min(q for q in self.Process if self.group(q) == self.group(p))

    expect = [
        violates(StampedByTimestamp, at={"workload": (1,)}, only=JUDGED_IN_GROUP, steps=5),
        violates(StampedByTimestamp, at=GROUP, only=JUDGED_IN_GROUP),
    ]


class AtLeast(OptimisticMulticast2):
    """The repair of Algorithm 1, l. 22: >= for >, so that a group never gives two messages the same timestamp."""

    @rule
    def too_late(self, p, m, largest):
        return largest >= self.clock_time[m]

    expect = [
        holds(),
        holds(at=GROUP),
        holds(at=TWO),
        holds(
            at={"senders_to": (12, 12), "delivery": "drained"}, distinct=254_864, thorough=True
        ),  # both make empty ones
        holds(at=BOTH, only=ORDER, thorough=True),
    ]


class LooseBarrier(AtLeast):
    """EDIT: with the repair, an equal barrier suffices (<= in Algorithm 1, l. 31): fewer empty messages."""

    @rule
    def passed(self, p, h, m):
        return self.final[p][m] <= self.barrier[p][h]

    expect = [holds(), holds(at=GROUP), holds(at=TWO)]


class LooseBarrierAsPrinted(OptimisticMulticast2):
    """EDIT: an equal barrier suffices (<= in Algorithm 1, l. 31), and l. 22 stays as printed."""

    @rule
    def passed(self, p, h, m):
        return self.final[p][m] <= self.barrier[p][h]

    expect = [
        violates(StampedByTimestamp, at={"workload": (1,)}, only=JUDGED_IN_GROUP, steps=5),
        violates(SentByTimestamp, ReceivedByTimestamp, StampedByTimestamp, only=JUDGED_BETWEEN, steps=5),
        violates(UniformTotalOrder, Acyclicity, at=BOTH, only=ONE_EACH),
    ]


class FirstMakesEmpty(AtLeast):
    """EDIT: only the first process of a group makes empty messages."""

    @rule
    def makes_empty(self, p, h):
        return not any(q < p and self.group(q) == self.group(p) for q in self.Process)

    # the others do not learn
    expect = violates(GroupAgreement, UniformAgreement, Termination, at=GROUP, only=JUDGED_IN_GROUP, steps=8)


class OnlyToOthers(AtLeast):
    """EDIT: no empty messages for the own group, since what a group decides is a barrier for itself."""

    @rule
    def makes_empty(self, p, h):
        return h != self.group(p)

    expect = [
        violates(Termination, at={"workload": (1,)}, only=[FinalTimestampAgreement, Termination], steps=3),
        violates(Termination, at=GROUP, only=[FinalTimestampAgreement, Termination], steps=5),  # nothing is delivered
    ]


class LastTimestamp(AtLeast):
    """EDIT: an empty message takes the timestamp of the last barrier plus one, whatever the threshold (l. 9)."""

    @rule
    def null_time(self, p, h):
        return self.last[p][h] + 1

    expect = [holds(), holds(at=GROUP), holds(at=TWO), holds(at={"threshold": 2})]


class Unagreed(AtLeast):
    """EDIT: an empty message goes to its destination at once, without consensus in the group of its creator."""

    def propose_empty(self, p, m):
        if self.addressed(self.group(p), m):
            self.barrier[p][self.group(p)] = max(self.barrier[p][self.group(p)], self.clock_time[m])
        else:
            self.log[p].append(self.Entry(m, self.clock_time[m], True))

    expect = [
        violates(SentByTimestamp, ReceivedByTimestamp, StampedByTimestamp, only=JUDGED_BETWEEN, steps=4),
        holds(at=GROUP, only=[p for p in JUDGED_IN_GROUP if p is not StampedByTimestamp]),
        violates(UniformTotalOrder, Acyclicity, at=BOTH, only=ONE_EACH, steps=16),
    ]
