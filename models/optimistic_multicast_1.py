"""Optimistic atomic multicast, the baseline: barriers between groups, consensus inside each group.

Rule: a message gets a timestamp from its sender's clock (l. 6) and is sent to the sender's group, which agrees on the order of its messages and
raises a timestamp that came too late (l. 20-23). With its final timestamp it goes to the other destination groups (l. 28). Whoever holds the
smallest timestamp among the undelivered messages delivers it once every group that may send to its own group has shown a larger one: a barrier.

Source: "Optimistic Atomic Multicast in One Communication Delay", 2011, Algorithm 1 (lines l. 1-33), Section 3.2; lemmas of Section 5.

Below: fr-mcast appends to the log of its sender, and each addressee reads each log in order; a crash may cut a log down to what somebody has read
(uniform agreement of fr-mcast). Consensus decides the value of whoever comes first, and is learned in the order of the instances. As l. 14 stands,
a process learns only while it has an undecided message itself. A clock shows a larger value each time it is read. Nothing follows the last
messages of the workload, so the end of a run shows what is missing for liveness (the paper adds it in Algorithm 2).

Readings. Equal timestamps are ordered by message identifier (Section 3.2) where messages are compared (l. 20, l. 30); in l. 22 and l. 31 the
main class compares the bare values.
"""

from __future__ import annotations

from checker.language import Bool, Ids, Int, Map, Record, Seq, Set, action, choose, const, derived, holds, require, rule, var, violates
from checker.language.multicast import Multicast, total
from properties.atomic_multicast import (
    DeliveredByTimestamp, FifoTimestamps, FinalTimestampAgreement, QuasiGenuine, ReceivedByTimestamp, StampedByTimestamp,
)  # fmt: skip
from properties.multicast import Acyclicity, FifoOrder, NoCreation, NoDuplication, UniformAgreement, UniformTotalOrder


def _table(c, rows):  # type: ignore[no-untyped-def]
    """Rows of group numbers, each written as digits, as one flat table of booleans: row by row, group by group."""
    return tuple(str(g + 1) in str(row) for row in rows for g in range(max(c.groups)))


def _possible_senders(c):  # type: ignore[no-untyped-def]
    """For each group, the groups that the workload lets multicast to it."""
    source = [c.groups[i] for i, count in enumerate(c.workload) for _ in range(count)]
    groups = range(1, max(c.groups) + 1)
    return tuple(int("".join(str(s) for s in groups if any(source[m] == s and str(g) in str(d) for m, d in enumerate(c.destinations))) or 0) for g in groups)


class OptimisticMulticast1(Multicast):
    """Algorithm 1."""

    processes = const(2, "number of processes")
    workload = const((2, 1), "how many messages each process multicasts")
    groups = const(derived(lambda c: tuple(1 + i % 2 for i in range(c.processes))), "the group of each process")
    destinations = const(
        derived(lambda c: (int("".join(str(g + 1) for g in range(max(c.groups)))),) * sum(c.workload)),
        "the groups each message goes to, as digits: 12 is g1 and g2",
    )
    senders_to = const(derived(_possible_senders), "for each group, the groups that may multicast to it, as digits")
    ticks = const(derived(lambda c: max(c.workload) + 1), "largest value of a clock")
    addressed_table = derived(lambda c: _table(c, c.destinations))
    senders_table = derived(lambda c: _table(c, c.senders_to))

    Process = Multicast.Process
    Message = Multicast.Message
    Group = Ids("g", derived(lambda c: max(c.groups)))
    Clock = Int(1, ticks)
    Time = Int(0, derived(lambda c: c.ticks + sum(c.workload)))
    Entry = Record(message=Message, time=Time, final=Bool)  # final: to the other groups (l. 28), otherwise to the own group (l. 7)
    Count = Int(0, derived(lambda c: 2 * sum(c.workload)))

    clock_time = var(Map[Message, Time], 0)  # m.ts as its sender set it
    log = var(Map[Process, Seq[Entry, derived(lambda c: 2 * sum(c.workload))]], kept=True)
    read = var(Map[Process, Map[Process, Count]], 0, kept=True)  # how far p has read the log of q
    decisions = var(Map[Group, Seq[Set[Message], total]])
    instance = var(Map[Process, Int(0, total)], 0)  # k (l. 2)
    messages = var(Map[Process, Set[Message]])
    decided = var(Map[Process, Set[Message]])
    stamped = var(Map[Process, Set[Message]])
    done = var(Map[Process, Set[Message]])  # the set `delivered` of l. 2
    final = var(Map[Process, Map[Message, Time]], 0)  # m.ts as p knows it, for m in decided or stamped
    barrier = var(Map[Process, Map[Group, Time]], 0)  # l. 3-4

    @rule
    def group(self, p: Process) -> Group:
        """The group of p."""
        return self.Group[self.groups[p.index] - 1]

    @rule
    def source(self, m: Message) -> Group:
        """m.src."""
        return self.group(self.sender(m))

    @rule
    def addressed(self, g: Group, m: Message) -> bool:
        """g is in m.dst."""
        return self.addressed_table[m.index * len(self.Group) + g.index]

    @rule
    def may_send(self, h: Group, g: Group) -> bool:
        """h is in sendersTo(g)."""
        return self.senders_table[g.index * len(self.Group) + h.index]

    @rule
    def destination(self, p, m):
        return self.addressed(self.group(p), m)

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
        earlier = max((self.clock_time[x] for x in self.Message if self.sender(x) == p and self.number(x) < self.number(m)), default=0)
        return earlier < t <= self.ticks - later

    @action
    def fr_deliver(self, p: Process, q: Process) -> None:
        """l. 8-13: p reads the next entry for it in the log of q."""
        index = self.read[p][q]
        while index < len(self.log[q]) and not self.for_group(self.group(p), self.log[q][index]):
            index += 1
        require(index < len(self.log[q]))
        self.read[p][q] = index + 1
        entry = self.log[q][index]
        m = entry.message
        if not entry.final:
            self.messages[p].add(m)
        elif m not in self.stamped[p]:
            self.stamp(p, m, entry.time)
            self.barrier[p][self.source(m)] = entry.time
        self.deliver_ready(p)

    @rule
    def for_group(self, g: Group, entry: Entry) -> bool:
        """The entry was fr-mcast to g."""
        return self.addressed(g, entry.message) and self.source(entry.message) != g if entry.final else self.source(entry.message) == g

    def stamp(self, p: Process, m: Message, t: Time) -> None:
        """p knows m and its final timestamp."""
        self.final[p][m] = t
        self.stamped[p].add(m)

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
        for m in sorted(batch, key=lambda x: (self.clock_time[x], x)):  # l. 20
            t = self.final_time(p, m)
            self.final[p][m] = t
            if self.addressed(g, m):
                self.stamp(p, m, t)
            self.decided[p].add(m)
            self.barrier[p][g] = t
            if any(self.addressed(h, m) for h in self.Group if h != g):
                self.forward(p, m, t)
        self.deliver_ready(p)

    def forward(self, p: Process, m: Message, t: Time) -> None:
        """l. 28."""
        self.log[p].append(self.Entry(m, t, True))

    @rule
    def final_time(self, p: Process, m: Message) -> Time:
        """l. 21-23: the timestamp of m, raised if p has decided a larger one before."""
        largest = max((self.final[p][x] for x in self.decided[p]), default=0)
        return largest + 1 if largest > self.clock_time[m] else self.clock_time[m]

    @rule
    def smallest(self, p: Process, m: Message) -> bool:
        """l. 30: no undelivered message has a smaller timestamp."""
        return all((self.final[p][m], m) <= (self.final[p][x], x) for x in self.stamped[p] - self.done[p])

    @rule
    def passed(self, p: Process, h: Group, m: Message) -> bool:
        """l. 31: group h has shown a timestamp that is larger than that of m."""
        return self.final[p][m] < self.barrier[p][h]

    @rule
    def deliverable(self, p: Process, m: Message) -> bool:
        """l. 29-31."""
        return m in self.stamped[p] - self.done[p] and self.smallest(p, m) and all(self.passed(p, h, m) for h in self.Group if self.may_send(h, self.group(p)))

    def deliver_ready(self, p: Process) -> None:
        """l. 29-33, as long as something can be delivered."""
        ready = {m for m in self.Message if self.deliverable(p, m)}
        while len(ready) > 0:
            m = min(ready)
            self.done[p].add(m)
            self.deliver(p, m)
            ready = {m for m in self.Message if self.deliverable(p, m)}

    @action(fault=True)
    def truncate(self, q: Process) -> None:
        """The last entry of a crashed process is lost if nobody has read it."""
        require(not self.live(q) and len(self.log[q]) > max(self.read[p][q] for p in self.Process))
        self.log[q].pop()

    properties = [
        NoDuplication, NoCreation, FifoOrder, UniformTotalOrder, Acyclicity, FinalTimestampAgreement, ReceivedByTimestamp,
        StampedByTimestamp, DeliveredByTimestamp, FifoTimestamps, QuasiGenuine, UniformAgreement,
    ]  # fmt: skip
