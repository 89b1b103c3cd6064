"""Discarding stale messages: what comes too late for the order of the first timestamps is not delivered at all.

Rule: as in optimistic_delivery, but no timestamp is ever raised. A message is thrown away if one with a larger
timestamp comes before it in the order. Validity is promised only while the assumption A2 holds, and only for one
process.

Source: "Optimistic Atomic Multicast in One Communication Delay", 2011, Section 4.5 (no printed algorithm).

Readings. Who throws a message away? The group, when it is decided (main class): all processes agree on it. Or each
process by itself, when a message arrives after it has delivered a later one optimistically (EachForItself): a process
that has it in time still proposes it.

Found. The order is that of the first timestamps whatever the delays, and with A2 nothing is lost. Without A2 validity
fails, as announced, and also FIFO order in the strict sense of Section 2.3: a later message of a sender is delivered
without the earlier one. Left to each process the discarding keeps neither validity nor the timestamps.
"""

from __future__ import annotations

from checker.language import Map, Set, action, holds, require, rule, var, violates
from checker.models.optimistic_delivery import EACH, LATE, SKEW, THREE, OptimisticDelivery
from checker.properties.multicast import (
    FifoOrder,
    NoCreation,
    NoDuplication,
    Termination,
    UniformAgreement,
    UniformTotalOrder,
)
from checker.properties.optimistic import OptimisticAgreement, OptimisticOrder, OptimisticValidity, TimestampsKept

TWO_LATE = {"workload": (2, 1), "late": 1}


class StaleDiscard(OptimisticDelivery):
    """Section 4.5: the group throws away."""

    Message = OptimisticDelivery.Message
    Process = OptimisticDelivery.Process

    discarded = var(Set[Message])

    @rule
    def stale(self, m: Message) -> bool:
        """m comes too late for the order."""
        return any(self.stamp(x) > self.stamp(m) for x in self.order)

    @action
    def decide(self, p: Process) -> None:
        """The next instance; what is stale is not put into the order."""
        batch = {m for m in self.Message if m in self.optimistic[p] and m not in self.order and m not in self.discarded}
        require(len(batch) > 0 and self.learned[p] == len(self.order))
        for m in sorted(batch, key=lambda x: self.stamp(x)):
            if self.stale(m):
                self.discarded.add(m)
                self.emit.discard(p, m)
            else:
                self.order.append(m)

    properties = [
        NoDuplication,
        NoCreation,
        FifoOrder,
        UniformTotalOrder,
        UniformAgreement,
        OptimisticValidity,
        Termination,
        OptimisticOrder,
        OptimisticAgreement,
        TimestampsKept,
    ]

    expect = [
        holds(distinct=9_021, transitions=29_445),
        holds(at=EACH),
        holds(at=SKEW),
        holds(at={"workload": (2, 1), "offsets": (0, 2)}),
        holds(at=THREE),
        violates(OptimisticValidity, Termination, OptimisticOrder, OptimisticAgreement, at=LATE),
        violates(FifoOrder, OptimisticValidity, Termination, OptimisticOrder, OptimisticAgreement, at=TWO_LATE),
    ]


class EachForItself(OptimisticDelivery):
    """The reading in which each process throws away what arrives behind its own optimistic deliveries."""

    Message = OptimisticDelivery.Message
    Process = OptimisticDelivery.Process

    ignored = var(Map[Process, Set[Message]])

    @rule
    def arrived(self, p, m):
        return m in self.pending[p] or m in self.optimistic[p] or m in self.ignored[p]

    def take(self, p, m):
        if any(self.stamp(x) > self.stamp(m) for x in self.optimistic[p]):
            self.ignored[p].add(m)
        else:
            self.pending[p].add(m)

    properties = StaleDiscard.properties

    expect = [holds(), violates(OptimisticValidity, Termination, OptimisticOrder, TimestampsKept, at=LATE)]


class ShortWindow(StaleDiscard):
    """EDIT: the window is one unit shorter: sooner, but messages get lost."""

    @rule
    def window(self, p):
        return max(self.delay + self.offsets[p.index] - self.offsets[q.index] for q in self.Process) - 1

    expect = [
        violates(OptimisticValidity, Termination, OptimisticOrder, OptimisticAgreement, at=EACH),
        violates(FifoOrder, OptimisticValidity, Termination, OptimisticOrder, OptimisticAgreement),
    ]


class NoWindow(StaleDiscard):
    """EDIT: no window: every message is delivered optimistically and proposed when it arrives."""

    @rule
    def waited(self, p, m):
        return True

    expect = [
        violates(OptimisticValidity, Termination, OptimisticOrder, OptimisticAgreement, at=EACH),
        violates(FifoOrder, OptimisticValidity, Termination, OptimisticOrder, OptimisticAgreement),
    ]


class StaleBehindLast(StaleDiscard):
    """EDIT: compare only with the last message of the order."""

    @rule
    def stale(self, m):
        return len(self.order) > 0 and self.stamp(self.order[len(self.order) - 1]) > self.stamp(m)

    expect = [holds(), violates(OptimisticValidity, Termination, OptimisticOrder, OptimisticAgreement, at=LATE)]


class StaleByTime(StaleDiscard):
    """EDIT: throw away also what has the same time as a message in the order."""

    @rule
    def stale(self, m):
        return any(self.stamp(x).time >= self.stamp(m).time for x in self.order)

    expect = [violates(OptimisticValidity, Termination, at=EACH), violates(OptimisticValidity, Termination)]


class StaleSender(StaleDiscard):
    """EDIT: throw away only what would come behind a later message of the same sender."""

    @rule
    def stale(self, m):
        return any(self.sender(x) == self.sender(m) and self.stamp(x) > self.stamp(m) for x in self.order)

    expect = [holds(), violates(OptimisticAgreement, TimestampsKept, OptimisticOrder, at=LATE)]
