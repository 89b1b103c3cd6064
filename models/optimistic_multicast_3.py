"""Optimistic atomic multicast with barriers on request: a group makes an empty message when another group needs one.

Rule: as in Algorithm 1, a group agrees on the order and the timestamps of its messages. A decided message goes to its
destinations and also to the groups that could hold it up, its blockers, as a request (l. 35). A blocker that gets it
makes an empty message with the same timestamp for the destinations (l. 15-20). Timestamps are pairs: the clock, and a
number that is raised when a message comes too late (l. 29-30).

Source: "Optimistic Atomic Multicast in One Communication Delay", 2011, Algorithm 3 (lines l. 1-45), Section 4.1.

Below: (0, 0) stands for minus infinity. The first value proposed for an instance is decided, so that nextProp = k says
that the instance has no value yet. A proposal of which nothing would be decided (l. 27) is not made: the next instance
would stand where this one did. Empty messages that one process makes for one message are one message (n2.1.1: p2, for
m1.1). A clock shows a larger value each time it is read.

A delivery (l. 40-45) is a step of its own; with delivery=drained part of the step that allows it.

Found. As printed no empty message is ever decided: they go to local_msgs, which is read nowhere (l. 20). So a message
is delivered only in groups that send nothing, and there only if a later message of each other group is its barrier.
Equal timestamps are in no order then (l. 41), and two processes of such a group deliver in opposite orders. Repaired in
l. 20 (Proposed), the group that multicasts is still no barrier for its own message, though the text says so, and no
group is a barrier for itself (l. 33 sets none). With that too (OwnBarrier) an empty message, whose timestamp equals the
one it is made for, does not pass the strict l. 40. All three together (Unblocked) may still deliver in different orders
or nothing: equal timestamps of two groups are in no order (l. 41), and two equal ones of one group are never decided
(l. 27). OrderedByIdentifier orders them. What is left: a second copy of a request, which a blocker does not recognize
(l. 11) if it is no destination, lowers a barrier (l. 12). Repaired takes the maximum. Besides, l. 35 sends requests
between groups of which neither may multicast to the other: Algorithm 3 is not quasi-genuine. Where the destinations
ask, it is: optimistic_requests.
"""

from __future__ import annotations

from typing import Any

from checker.language import (
    Bool,
    Ids,
    Int,
    Map,
    Optional,
    Record,
    Set,
    action,
    choose,
    const,
    derived,
    holds,
    require,
    rule,
    var,
    violates,
)
from checker.models._group_logs import _EmptyMessages, names_of
from checker.properties.atomic_multicast import FinalTimestampAgreement, NoStrangers, QuasiGenuine
from checker.properties.multicast import (
    Acyclicity,
    FifoOrder,
    NoCreation,
    NoDuplication,
    Termination,
    UniformAgreement,
    UniformTotalOrder,
)


def _plain(c: Any) -> list[tuple[int, int]]:
    """Sender and number of each message."""
    return [(i, k) for i, count in enumerate(c.workload) for k in range(count)]


def _names(c: Any) -> list[str]:
    """The messages of the workload, then the empty ones: creator, message asked for."""
    return names_of(c) + [f"n{p + 1}.{i + 1}.{k + 1}" for p in range(c.processes) for i, k in _plain(c)]


def _creators(c: Any) -> tuple[int, ...]:
    return tuple(i for i, _ in _plain(c)) + tuple(p for p in range(c.processes) for _ in _plain(c))


UNDELIVERED = [FinalTimestampAgreement, Termination]  # what can be judged though nothing is delivered
ORDER = [UniformTotalOrder, Acyclicity, FinalTimestampAgreement]
ONE = {"workload": (1, 1), "groups": (1, 1)}  # one group of two
# g1 may hold up m2.1, which does not go to it
THREE = {"workload": (1, 1, 0), "groups": (1, 2, 3), "destinations": (12, 23), "ticks": 1}
# the second messages are barriers for the first
LATER = {"workload": (2, 2, 0, 0), "groups": (1, 2, 3, 3), "destinations": (3, 3, 3, 3)}
# g2 is asked for the message of g1 by both its processes, and needs a barrier of g1 for its own message
SECOND_COPY = {"workload": (1, 0, 1), "groups": (1, 1, 2), "destinations": (1, 2), "senders_to": (12, 12), "ticks": 1}
ANSWERS = {"workload": (1, 0, 0), "groups": (1, 2, 2), "senders_to": (12, 12), "ticks": 1}  # a group of two is asked


class OptimisticMulticast3(_EmptyMessages):
    """Algorithm 3 as printed."""

    processes = const(2, "number of processes")
    workload = const((1, 1), "how many messages each process multicasts")
    ticks = const(derived(lambda c: max(c.workload) + 1), "largest value of a clock")
    delivery = const(
        "apart", "a delivery is a step of its own, or part of the step that allows it", ("apart", "drained")
    )
    creators = derived(_creators)
    room = derived(lambda c: len(_names(c)) + sum(c.workload))

    Process = _EmptyMessages.Process
    Group = _EmptyMessages.Group
    Message = Ids("m", derived(_names))
    Clock = Int(1, ticks)
    Stamp = Record(rtc=Int(0, ticks), seq=Int(0, room))
    Entry = Record(message=Message, time=Stamp, final=Bool)  # final: by l. 35 or 37, otherwise by l. 7
    Key = Record(time=Stamp, tie=Int(0, room))

    first_time = var(Map[Message, Stamp], (0, 0))  # m.ts as it was when m was made
    final = var(Map[Process, Map[Message, Stamp]], (0, 0))
    barrier = var(Map[Process, Map[Group, Stamp]], (0, 0))

    @rule
    def addressed(self, g: Group, m: Message) -> bool:
        """g is in m.dst; for an empty message l. 19."""
        return self.addressed_table[m.index % self.planned * len(self.Group) + g.index] and (
            not self.empty(m) or self.may_send(self.source(m), g)
        )

    @rule
    def blocks(self, h: Group, m: Message) -> bool:
        """h is in blockers(m)."""
        return h != self.source(m) and any(self.addressed(g, m) and self.may_send(h, g) for g in self.Group)

    def send(self, p: Process, m: Message) -> None:
        """l. 5-7."""
        t = choose(self.Clock)
        require(self.clock_shows(p, m, t))
        self.first_time[m] = self.Stamp(t, 0)
        self.log[p].append(self.Entry(m, self.Stamp(t, 0), False))

    @rule
    def clock_shows(self, p: Process, m: Message, t: Clock) -> bool:
        """getTime(): later than at p's previous message, early enough for the messages still planned."""
        earlier = max(
            (self.first_time[x].rtc for x in self.Message if not self.empty(x) and self.sender(x) == p), default=0
        )
        return earlier < t <= self.ticks - (self.workload[p.index] - self.number(m) - 1)

    @rule
    def for_group(self, g: Group, entry: Entry) -> bool:
        """The entry was fr-mcast to g: l. 7, l. 35 or l. 37."""
        m = entry.message
        if not entry.final:
            return self.source(m) == g
        if self.empty(m):
            return self.addressed(g, m)
        return g != self.source(m) and self.addressed(g, m) or self.blocks(g, m)

    def receive(self, p: Process, entry: Entry) -> None:
        """l. 8-20."""
        g, m = self.group(p), entry.message
        if g == self.source(m):
            if m not in self.decided[p]:  # l. 22 takes it out again otherwise
                self.messages[p].add(m)
        elif m not in self.stamped[p] | self.done[p]:
            self.show_barrier(p, m, entry.time)
            if self.addressed(g, m):
                self.stamp(p, m, entry.time)
            if self.blocks(g, m) and not self.empty(m):
                self.make_empty(p, m, entry.time)

    def show_barrier(self, p: Process, m: Message, t: Stamp) -> None:
        """l. 12: the timestamp of m is the barrier of its group."""
        self.barrier[p][self.source(m)] = t

    def make_empty(self, p: Process, m: Message, t: Stamp) -> None:
        """l. 16-20."""
        null = self.Message[self.planned * (p.index + 1) + m.index]
        self.emit.empty(p, null)
        if self.proposes_empty() and null not in self.decided[p]:
            self.first_time[null] = t
            self.messages[p].add(null)

    @rule
    def proposes_empty(self) -> bool:
        """l. 20: an empty message gets into messages_g."""
        return False

    @rule
    def key(self, m: Message, t: Stamp) -> Key:
        """What timestamps are compared by: in l. 27 and 41 the bare values."""
        return self.Key(t, 0)

    @action
    def propose(self, p: Process) -> None:
        """l. 21-25."""
        g = self.group(p)
        pending = self.messages[p] - self.decided[p]
        require(len(pending) > 0 and self.instance[p] == len(self.decisions[g]))
        require(any(self.first_of(m, pending) for m in pending))
        self.messages[p] = pending
        self.decisions[g].append(pending)

    @rule
    def first_of(self, m: Message, batch: Set[Message]) -> bool:
        """l. 27."""
        return all(self.key(m, self.first_time[m]) < self.key(x, self.first_time[x]) for x in batch if x != m)

    @action
    def learn(self, p: Process) -> None:
        """l. 26-39."""
        g = self.group(p)
        require(self.instance[p] < len(self.decisions[g]))
        batch = set(self.decisions[g][self.instance[p]])
        self.instance[p] += 1
        for m in sorted(batch, key=lambda x: (self.first_time[x], x.index)):
            if not self.first_of(m, batch):
                break
            batch.remove(m)
            self.finish(p, m)
        self.messages[p] -= self.decided[p]
        self.deliver_ready(p)

    def finish(self, p: Process, m: Message) -> None:
        """l. 29-37."""
        g = self.group(p)
        t = self.first_time[m]
        largest = max((self.final[p][x] for x in self.decided[p]), default=self.Stamp(0, 0))
        if self.too_late(p, m, largest):
            t = self.Stamp(largest.rtc, largest.seq + 1)
        self.emit.decide(p, m, t)
        self.final[p][m] = t
        if self.addressed(g, m):
            self.stamped[p].add(m)
        self.decided[p].add(m)
        if self.own_barrier():
            self.show_barrier(p, m, t)
        if any(self.for_group(h, self.Entry(m, t, True)) for h in self.Group):
            self.log[p].append(self.Entry(m, t, True))

    @rule
    def too_late(self, p: Process, m: Message, largest: Stamp) -> bool:
        """l. 29: p has decided a timestamp that is not smaller than that of m."""
        return largest >= self.first_time[m]

    @rule
    def own_barrier(self) -> bool:
        """What a group decides is a barrier for itself, and a message is a barrier of its group: in the text, not in l.
        33 and 40."""
        return False

    @rule
    def passed(self, p: Process, h: Group, m: Message) -> bool:
        """l. 40: the barrier of h lets m pass."""
        return self.final[p][m] < self.barrier[p][h]

    @rule
    def deliverable(self, p: Process, m: Message) -> bool:
        """l. 40-41."""
        t = self.final[p][m]
        return (
            m in self.stamped[p]
            and all(
                self.own_barrier() and h == self.source(m) or self.passed(p, h, m)
                for h in self.Group
                if self.may_send(h, self.group(p))
            )
            and not any(self.key(x, self.final[p][x]) < self.key(m, t) for x in self.stamped[p])
        )

    def deliver_ready(self, p: Process) -> None:
        """l. 40-45 within another step, as long as something can be delivered; any of several."""
        if self.delivery == "drained":
            ready = {m for m in self.Message if self.deliverable(p, m)}
            while len(ready) > 0:
                self.deliver_one(p, choose(ready))
                ready = {x for x in self.Message if self.deliverable(p, x)}

    @action
    def deliver_next(self, p: Process) -> None:
        """l. 40-45, a step of its own; any of several."""
        ready = {m for m in self.Message if self.deliverable(p, m)}
        require(self.delivery == "apart" and len(ready) > 0)
        self.deliver_one(p, choose(ready))

    def deliver_one(self, p: Process, m: Message) -> None:
        """l. 42-45."""
        self.stamped[p].remove(m)
        self.done[p].add(m)
        if not self.empty(m):
            self.deliver(p, m)

    properties = [
        NoDuplication,
        NoCreation,
        FifoOrder,
        UniformTotalOrder,
        Acyclicity,
        FinalTimestampAgreement,
        UniformAgreement,
        Termination,
    ]

    expect = [
        violates(Termination, at={"workload": (1,)}, only=UNDELIVERED, steps=4),
        violates(Termination, only=UNDELIVERED, steps=10),
        violates(UniformTotalOrder, Acyclicity, at=LATER, only=[UniformTotalOrder, Acyclicity], steps=24),
    ]


class QuasiGenuinely(OptimisticMulticast3):
    """CLAIM (Sections 1 and 2.3): only groups exchange messages of which one may multicast to the other; in the narrow
    sense, that one sends, too."""

    properties = [QuasiGenuine, NoStrangers]

    expect = [
        holds(),
        violates(QuasiGenuine, at={"workload": (0, 1), "destinations": (2,), "senders_to": (1, 12)}, steps=4),
        violates(
            QuasiGenuine,
            NoStrangers,
            at={"workload": (1, 0, 0), "groups": (1, 2, 3), "destinations": (13,), "senders_to": (1, 2, 123)},
            steps=4,
        ),
    ]


class TiesByIdentifier(OptimisticMulticast3):
    """READING: equal timestamps are ordered by identifier wherever they are compared (Section 3.2): l. 27, 29, 40 and
    41."""

    Process = OptimisticMulticast3.Process
    Message = OptimisticMulticast3.Message
    Group = OptimisticMulticast3.Group
    Tie = Int(0, OptimisticMulticast3.room)

    # the identifier of the message that is the barrier
    tie = var(Map[Process, Map[Group, Tie]], 0)

    @rule
    def key(self, m, t):
        return self.Key(t, m.index + 1)

    def show_barrier(self, p, m, t):
        self.barrier[p][self.source(m)] = t
        self.tie[p][self.source(m)] = m.index + 1

    @rule
    def too_late(self, p, m, largest):
        return any(self.key(x, self.final[p][x]) > self.key(m, self.first_time[m]) for x in self.decided[p])

    @rule
    def passed(self, p, h, m):
        return self.key(m, self.final[p][m]) < self.Key(self.barrier[p][h], self.tie[p][h])

    expect = [violates(Termination, at={"workload": (1,)}, only=UNDELIVERED), violates(Termination, only=UNDELIVERED)]


class Proposed(OptimisticMulticast3):
    """The repair of l. 20: messages_g for local_msgs."""

    @rule
    def proposes_empty(self):
        return True

    expect = [
        violates(Termination, at={"workload": (1,)}, only=UNDELIVERED, steps=4),
        violates(Termination, only=UNDELIVERED),
    ]


class OwnBarrier(Proposed):
    """Also: a group never holds up its own messages (Section 4.1), and what it decides is its barrier for itself."""

    @rule
    def own_barrier(self):
        return True

    expect = [
        violates(UniformTotalOrder, Acyclicity, Termination),
        violates(UniformTotalOrder, Acyclicity, Termination, at={"workload": (2, 1)}, steps=9),
    ]


class Unblocked(OwnBarrier):
    """Also <= in l. 40: an empty message lets the message pass that it was made for."""

    @rule
    def passed(self, p, h, m):
        return self.final[p][m] <= self.barrier[p][h]

    expect = [
        violates(UniformTotalOrder, Acyclicity, Termination),
        violates(UniformTotalOrder, Acyclicity, Termination, at={"workload": (2, 1)}, steps=9),
    ]


class UnblockedUniqueClock(Unblocked):
    """READING: the same with clocks of which no two ever show the same value (Section 3.1). Equal timestamps come about
    even so: an empty message takes over the value of another group's clock, and what comes too late is raised next to
    it, in both groups."""

    @rule
    def clock_shows(self, p, m, t):
        return super().clock_shows(p, m, t) and not any(
            self.first_time[x].rtc == t for x in self.Message if not self.empty(x)
        )

    expect = [
        holds(),
        holds(at={"workload": (2, 0)}, distinct=307),
        violates(
            UniformTotalOrder,
            at={"workload": (1, 1, 1), "groups": (1, 1, 2), "ticks": 3, "delivery": "drained"},
            only=[UniformTotalOrder],
            steps=18,
        ),
    ]


class OrderedByIdentifier(Unblocked):
    """Also equal timestamps are ordered by identifier, in l. 27 and l. 41."""

    @rule
    def key(self, m, t):
        return self.Key(t, m.index)

    expect = [
        holds(),
        holds(at={"workload": (2, 0)}),
        violates(Termination, at=SECOND_COPY, only=[Termination], steps=32),
    ]


class Repaired(OrderedByIdentifier):
    """Also a second copy of a request does not lower a barrier (l. 12: the larger of the two)."""

    def show_barrier(self, p, m, t):
        self.barrier[p][self.source(m)] = max(self.barrier[p][self.source(m)], t)

    expect = [
        holds(),
        holds(at={"workload": (2, 1)}),
        holds(at=ONE),
        holds(at=THREE),
        holds(at=ANSWERS),
        holds(at=ANSWERS | {"crashes": 1}),
        holds(at=SECOND_COPY, only=[Termination, UniformTotalOrder, FinalTimestampAgreement]),
        # as in Figure 1 a group is not in its own sendersTo
        violates(UniformTotalOrder, at={"senders_to": (2, 12), "ticks": 1}, only=[UniformTotalOrder], steps=14),
        violates(UniformAgreement, at={"workload": (1, 0), "crashes": 1}, steps=7),  # a group without a live process
    ]


class Line12Apart(Repaired):
    """READING: l. 12 is a step of its own: deliveries, and other handlers, may come before l. 13."""

    Process = Repaired.Process

    # what p has read as far as l. 12
    under_way = var(Map[Process, Optional[Repaired.Entry]])

    @action
    def fr_deliver(self, p, q):
        require(self.under_way[p] is None)
        super().fr_deliver(p, q)

    def receive(self, p, entry):
        if self.group(p) == self.source(entry.message) or entry.message in self.stamped[p] | self.done[p]:
            super().receive(p, entry)
        else:
            self.first_half(p, entry)
            self.under_way[p] = entry

    def first_half(self, p: Process, entry: Repaired.Entry) -> None:
        """l. 12."""
        self.show_barrier(p, entry.message, entry.time)

    def second_half(self, p: Process, entry: Repaired.Entry) -> None:
        """l. 13-20."""
        m = entry.message
        if self.addressed(self.group(p), m):
            self.stamp(p, m, entry.time)
        if self.blocks(self.group(p), m) and not self.empty(m):
            self.make_empty(p, m, entry.time)

    @action
    def go_on(self, p: Process) -> None:
        """The rest of l. 8-20."""
        entry = self.under_way[p]
        require(entry is not None)
        if entry is not None:
            self.second_half(p, entry)
        self.under_way[p] = None

    expect = [
        holds(at=ONE),
        holds(at={"workload": (2, 0)}, only=ORDER),
        violates(UniformTotalOrder, Acyclicity, only=[UniformTotalOrder, Acyclicity], steps=16),
    ]


class Line12Last(Line12Apart):
    """REPAIR of that: l. 12 comes last, as in Algorithm 1 (l. 12, 13)."""

    def first_half(self, p, entry):
        super().second_half(p, entry)

    def second_half(self, p, entry):
        self.show_barrier(p, entry.message, entry.time)

    expect = [holds(), holds(at=ONE), holds(at={"workload": (2, 0)})]


class StrictLine29(Repaired):
    """EDIT: > for >= in l. 29, as Algorithm 1 has it."""

    @rule
    def too_late(self, p, m, largest):
        return largest > self.first_time[m]

    expect = [
        violates(UniformTotalOrder, Acyclicity, at=ONE | {"ticks": 1}, steps=14),
        violates(UniformTotalOrder, Acyclicity, steps=17),
        holds(at=THREE),
        holds(at={"workload": (2, 0)}),
        # within other steps: not with two messages of one group, but with one of each of two groups
        holds(at=ONE | {"ticks": 1, "delivery": "drained"}),
        violates(
            UniformTotalOrder,
            at={"workload": (1, 0, 1), "groups": (1, 1, 2), "ticks": 1, "delivery": "drained"},
            only=[UniformTotalOrder],
            steps=14,
        ),
    ]


class AskDestinations(Repaired):
    """EDIT: ask only destinations for barriers, not every group that may send to one."""

    @rule
    def blocks(self, h, m):
        return h != self.source(m) and self.addressed(h, m)

    expect = [holds(at={"workload": (2, 1)}), violates(UniformAgreement, Termination, at=THREE, steps=19)]


class StrictLine40(Repaired):
    """The repaired algorithm with l. 40 as printed: the barrier must be larger."""

    @rule
    def passed(self, p, h, m):
        return self.final[p][m] < self.barrier[p][h]

    expect = [violates(Termination), violates(Termination, at={"workload": (2, 1)}, steps=25)]


class EmptyAfter(Repaired):
    """EDIT: an empty message gets the timestamp after the one it is made for, and l. 40 stays strict."""

    @rule
    def passed(self, p, h, m):
        return self.final[p][m] < self.barrier[p][h]

    def make_empty(self, p, m, t):
        null = self.Message[self.planned * (p.index + 1) + m.index]
        self.emit.empty(p, null)
        if null not in self.decided[p]:
            self.first_time[null] = self.Stamp(t.rtc, t.seq + 1)
            self.messages[p].add(null)

    expect = [holds(), holds(at={"workload": (2, 1)}), holds(at=ONE), holds(at=THREE), holds(at=ANSWERS)]


class FirstAnswers(Repaired):
    """EDIT: only the first process of a group answers a request."""

    def make_empty(self, p, m, t):
        null = self.Message[self.planned * (p.index + 1) + m.index]
        if null not in self.decided[p] and not any(q < p and self.group(q) == self.group(p) for q in self.Process):
            self.emit.empty(p, null)
            self.first_time[null] = t
            self.messages[p].add(null)

    expect = [
        holds(),
        holds(at={"workload": (2, 1)}),
        holds(at=THREE),
        holds(at=ANSWERS),
        violates(Termination, at=ANSWERS | {"crashes": 1}, steps=6),
    ]


class NewRequestOnly(Repaired):
    """EDIT: no answer to a request if p has decided a message with its timestamp, or with a later one."""

    def make_empty(self, p, m, t):
        null = self.Message[self.planned * (p.index + 1) + m.index]
        if null not in self.decided[p] and not any(self.final[p][x] >= t for x in self.decided[p]):
            self.emit.empty(p, null)
            self.first_time[null] = t
            self.messages[p].add(null)

    expect = [
        holds(),
        holds(at={"workload": (2, 1)}),
        holds(at=ONE),
        holds(at=THREE),
        holds(at=ANSWERS),
        # g2 has decided m2.1, which is not for g1, and does not answer
        violates(Termination, at={"workload": (1, 1), "destinations": (1, 2), "senders_to": (12, 2)}, steps=10),
    ]
