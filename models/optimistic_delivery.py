"""Optimistic delivery: who waits long enough can deliver by the senders' clocks; consensus confirms the order later.

Rule: a process keeps a received message until its own clock is more than a window w(p) past the message's timestamp.
Then it delivers it optimistically and proposes it for the final order. If every message arrives within the window
(assumption A2), both orders are that of the timestamps.

Source: "Optimistic Atomic Multicast in One Communication Delay", 2011, Section 4.2 (no printed algorithm).

Below: one time, `now`; the clock of p shows now + offset. A message takes at most `delay`, or `delay + late` if A2 is
broken by `late`. Time stands still while a message would otherwise come too late; it may also come at once. All
processes are one group; the group's consensus puts what its first proposer has delivered optimistically behind the
order decided so far, by timestamp; everybody delivers that order. A message that comes after its instance has, so to
say, its timestamp raised. Time passes while there is something to send or to wait for. fr-mcast is FIFO; equal
timestamps are ordered by identifier.

Found. With w(p) as defined the optimistic order is the final one, for any offsets. It is tight: one unit less fails,
and so does delivering at the end of the window instead of after it, or neglecting the clocks. When A2 fails only the
guesses go wrong, never the final order.
"""

from __future__ import annotations

from checker.language import (
    Int,
    Map,
    Record,
    Seq,
    Set,
    action,
    const,
    derived,
    draw,
    holds,
    require,
    rule,
    var,
    violates,
)
from checker.language.multicast import Multicast, total
from checker.properties.multicast import (
    FifoOrder,
    NoCreation,
    NoDuplication,
    Termination,
    UniformAgreement,
    UniformTotalOrder,
)
from checker.properties.optimistic import OptimisticAgreement, OptimisticOrder, TimestampsKept

EACH = {"workload": (1, 1)}  # a message each
SKEW = {"workload": (1, 1), "offsets": (0, 2)}  # the second clock is ahead
LATE = {"workload": (1, 1), "late": 1}  # A2 does not hold
THREE = {"workload": (1, 1, 0), "offsets": (0, 1, 2)}


class OptimisticDelivery(Multicast):
    """Section 4.2."""

    processes = const(2, "number of processes")
    workload = const((2, 1), "how many messages each process multicasts")
    delay = const(1, "the bound on the delay of a message that A2 counts on")
    late = const(0, "how much longer a message may take: above 0, A2 does not hold")
    offsets = const(derived(lambda c: (0,) * c.processes), "what the clock of each process is ahead")
    last_send = const(derived(lambda c: max(c.workload)), "the latest time of a multicast")

    Process = Multicast.Process
    Message = Multicast.Message
    Time = Int(0, derived(lambda c: c.last_send + 2 * (c.delay + c.late) + 2 * max(c.offsets) + 3))
    Stamp = Record(time=Int(0, derived(lambda c: c.last_send + max(c.offsets))), tie=Int(0, total))

    now = var(Time, 0)
    sent_at = var(Map[Message, Time], 0)
    pending = var(Map[Process, Set[Message]])  # optPending
    optimistic = var(Map[Process, Seq[Message, total]], kept=True)
    order = var(Seq[Message, total])  # decided by the group
    learned = var(Map[Process, Int(0, total)], 0)

    @rule
    def stamp(self, m: Message) -> Stamp:
        """m.ts: the clock of the sender, then the identifier."""
        return self.Stamp(self.sent_at[m] + self.offsets[self.sender(m).index], m.index)

    @rule
    def window(self, p: Process) -> int:
        """w(p): over all senders, the bound on the delay plus what the clock of p is ahead of that of the sender."""
        return max(self.delay + self.offsets[p.index] - self.offsets[q.index] for q in self.Process)

    @rule
    def waited(self, p: Process, m: Message) -> bool:
        """The clock of p is past the window of m."""
        return self.now + self.offsets[p.index] > self.stamp(m).time + self.window(p)

    def send(self, p: Process, m: Message) -> None:
        """m leaves at once; a clock shows a new value at each message."""
        require(
            self.now <= self.last_send
            and not any(
                self.was_multicast(x) and x != m and self.sender(x) == p and self.sent_at[x] == self.now
                for x in self.Message
            )
        )
        self.sent_at[m] = self.now

    @rule
    def arrived(self, p: Process, m: Message) -> bool:
        """p has received m."""
        return m in self.pending[p] or m in self.optimistic[p]

    @action
    def receive(self, p: Process, m: Message) -> None:
        """fr-deliver: into optPending."""
        require(self.was_multicast(m) and not self.arrived(p, m))
        require(
            all(
                self.arrived(p, x)
                for x in self.Message
                if self.sender(x) == self.sender(m) and self.number(x) < self.number(m)
            )
        )
        self.emit.arrive(p, m)
        self.take(p, m)

    def take(self, p: Process, m: Message) -> None:
        """What p does with a message that arrives."""
        self.pending[p].add(m)

    @rule
    def in_turn(self, p: Process, m: Message) -> bool:
        """No pending message has a smaller timestamp."""
        return all(self.stamp(m) <= self.stamp(x) for x in self.pending[p])

    @action
    def deliver_optimistically(self, p: Process, m: Message) -> None:
        """p has waited long enough: it delivers m and will propose it."""
        require(m in self.pending[p] and self.in_turn(p, m) and self.waited(p, m))
        self.pending[p].remove(m)
        self.optimistic[p].append(m)
        self.emit.opt_deliver(p, m)

    @action
    def decide(self, p: Process) -> None:
        """The next instance: the value of p, which knows all instances before."""
        batch = {m for m in self.Message if m in self.optimistic[p] and m not in self.order}
        require(len(batch) > 0 and self.learned[p] == len(self.order))
        for m in sorted(batch, key=lambda x: self.stamp(x)):
            self.order.append(m)

    @action
    def confirm(self, p: Process) -> None:
        """The conservative delivery, in the order decided."""
        require(self.learned[p] < len(self.order))
        m = self.order[self.learned[p]]
        self.learned[p] += 1
        self.deliver(p, m)

    @rule
    def due(self, p: Process, m: Message) -> bool:
        """m must reach p now."""
        return self.was_multicast(m) and not self.arrived(p, m) and self.now >= self.sent_at[m] + self.delay + self.late

    @rule
    def waits(self, p: Process) -> bool:
        """p has something to send, to receive or to wait for."""
        return (
            self.now < self.last_send
            and self.sent[p] < self.workload[p.index]
            or any(
                self.was_multicast(m) and not self.arrived(p, m) or m in self.pending[p] and not self.waited(p, m)
                for m in self.Message
            )
        )

    @action
    def pass_time(self) -> None:
        """Time goes on by one, unless some message is due."""
        require(
            any(self.waits(p) for p in self.Process if self.live(p))
            and not any(self.due(p, m) for p in self.Process if self.live(p) for m in self.Message)
        )
        self.now += 1

    picture = [
        draw.clock("now"),
        draw.lane("order", "order of the group", "{0}: {value}"),
        draw.step("receive", "receive {m}"),
        draw.step("deliver_optimistically", "opt_deliver {m}"),
        draw.step("decide", "decide the order"),
        draw.aside("arrive", "learned", "sent_at"),
    ]

    properties = [
        NoDuplication,
        NoCreation,
        FifoOrder,
        UniformTotalOrder,
        UniformAgreement,
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
        holds(at={"workload": (2, 2)}),
        holds(at=THREE),
        violates(OptimisticOrder, OptimisticAgreement, TimestampsKept, at=LATE),
    ]


class ShortWindow(OptimisticDelivery):
    """EDIT: the window is one unit shorter."""

    @rule
    def window(self, p):
        return max(self.delay + self.offsets[p.index] - self.offsets[q.index] for q in self.Process) - 1

    expect = [
        violates(OptimisticOrder, OptimisticAgreement, TimestampsKept, at=EACH),
        violates(OptimisticOrder, OptimisticAgreement, TimestampsKept),
    ]


class AtTheEnd(OptimisticDelivery):
    """EDIT: deliver optimistically at the end of the window, not after it (>= for >)."""

    @rule
    def waited(self, p, m):
        return self.now + self.offsets[p.index] >= self.stamp(m).time + self.window(p)

    expect = [
        violates(OptimisticOrder, OptimisticAgreement, TimestampsKept, at=EACH),
        violates(OptimisticOrder, OptimisticAgreement, TimestampsKept),
    ]


class DelayOnly(OptimisticDelivery):
    """EDIT: the window counts the delay only, not the clocks."""

    @rule
    def window(self, p):
        return self.delay

    expect = [holds(), holds(at=EACH), violates(OptimisticOrder, OptimisticAgreement, TimestampsKept, at=SKEW)]


class AsReceived(OptimisticDelivery):
    """EDIT: deliver any pending message whose window is over, not the smallest first."""

    @rule
    def in_turn(self, p, m):
        return True

    expect = [
        violates(FifoOrder, OptimisticOrder, OptimisticAgreement, TimestampsKept, at={"workload": (2,)}, steps=9),
        violates(OptimisticOrder, OptimisticAgreement, TimestampsKept, at=EACH),
        violates(FifoOrder, OptimisticOrder, OptimisticAgreement, TimestampsKept),
    ]


class ProposeAtOnce(OptimisticDelivery):
    """EDIT: propose a message as soon as it is received, and wait only before delivering it optimistically."""

    @action
    def decide(self, p):
        batch = {m for m in self.Message if self.arrived(p, m) and m not in self.order}
        require(len(batch) > 0 and self.learned[p] == len(self.order))
        for m in sorted(batch, key=lambda x: self.stamp(x)):
            self.order.append(m)

    expect = [violates(OptimisticOrder, TimestampsKept, at=EACH), violates(OptimisticOrder, TimestampsKept)]
