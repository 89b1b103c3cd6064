"""Parallel instances of consensus with time and several members of a group: when one instance is enough.

Rule: each member of the group proposes a message in its own next instance as soon as its window w(p) for the message is
over, without waiting for the instances before. The first proposal of an instance wins, T later it is decided. What was
tried in vain is tried again.

Source: "Optimistic Atomic Multicast in One Communication Delay", 2011, Sections 4.2 and 4.3 (no printed algorithm).
Claim: a message is decided w + T after its timestamp, and reaches other groups one delay later.

Below: parallel_consensus with one time `now`, which all clocks show. A message takes exactly `delta`; A2 holds if no
window is shorter. A decision is handed over T after the first proposal, or up to `spread` later. Nothing waits longer
than it must.

Readings. Messages whose windows are over at the same moment are proposed in one instance (division=together) or one
after the other or together, as each member happens to look (division=any): the text does not say. "As soon as" its
window is over a member proposes at that moment (slack=0), or up to `slack` later: processes have no known speed.

Found. One instance is enough if all members divide the messages into instances alike, whatever the delay of the
decisions: if each proposes at the end of its window, and together what ends together. Otherwise three messages suffice:
one member has proposed {m1} and {m2, m3}, another {m1, m2} and {m3}; the first wins instance 0, the second instance 1,
and m2 is tried again by everybody, T later and behind m3, though A2 holds. So FIFO order is lost with A2, too. To
propose at the very end of the window does not prevent it: it comes with decisions that reach members at different
times, with a fourth message, or with unequal windows. AllPendingInTime, the repair of FIFO order, repairs both: what is
tried again goes with what is new. That a value holds the smallest timestamps that are new is the order of optPending
(4.2); without it (OneByOne) two messages suffice.
"""

from __future__ import annotations

from checker.language import (
    Int,
    Map,
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
from checker.models.parallel_consensus import ParallelConsensus
from checker.properties.multicast import FifoOrder

TOGETHER = {"division": "together"}
LATE_LOOK = {"slack": 1}
UNEQUAL = {"windows": (1, 3), "last_send": 3}
THREE = {"workload": (1, 1, 1)}
FOUR = {"workload": (3, 1), "windows": (1, 3), "last_send": 3}
OF_ONE = {"workload": (3, 0), "slack": 1, "last_send": 2}


class ParallelWindows(ParallelConsensus):
    """Section 4.3 with time: a member proposes each message when its window is over."""

    workload = const((2, 1), "how many messages each process multicasts")
    delta = const(1, "how long a message takes")
    consensus = const(2, "T: how long an instance of consensus takes from its first proposal")
    windows = const(derived(lambda c: (c.delta,) * c.processes), "w of each process")
    spread = const(0, "how much later than others a process may be handed a decision")
    slack = const(0, "how much later than the end of a window a member may propose")
    division = const("any", "are messages proposed together if their windows end together", ("any", "together"))
    last_send = const(1, "the latest time of a multicast")

    Process = ParallelConsensus.Process
    Message = ParallelConsensus.Message
    Instance = ParallelConsensus.Instance
    Time = Int(
        0,
        derived(
            lambda c: (
                c.last_send + max(c.windows) + c.slack + (sum(c.workload) + 2) * (c.consensus + c.spread + c.slack)
            )
        ),
    )

    now = var(Time, 0)
    sent_at = var(Map[Message, Time], 0)  # m.ts
    ends = var(Map[Instance, Time], 0)  # when an instance is decided

    def send(self, p: Process, m: Message) -> None:
        """fr-mcast to the group; the sender gets it when the others do. A clock shows a new value at each message."""
        require(
            self.now <= self.last_send
            and not any(
                self.was_multicast(x) and x != m and self.sender(x) == p and self.sent_at[x] == self.now
                for x in self.Message
            )
        )
        self.sent_at[m] = self.now

    @rule
    def comes(self, p: Process, m: Message) -> bool:
        """m comes to p now."""
        return self.was_multicast(m) and m not in self.received[p] and self.now == self.sent_at[m] + self.delta

    @action
    def receive(self, p: Process, m: Message) -> None:
        """fr-deliver."""
        require(self.comes(p, m))
        self.received[p].add(m)
        self.emit.arrive(p, m)

    @rule
    def over(self, p: Process, m: Message) -> bool:
        """p has m, and its window for m is over."""
        return (
            m in self.received[p]
            and m not in self.decided[p]
            and self.now >= self.sent_at[m] + self.windows[p.index]
            and not any(self.comes(p, x) for x in self.Message)
        )

    @rule
    def is_new(self, p: Process, m: Message) -> bool:
        """The window of p for m is over, and p is not trying m."""
        return self.over(p, m) and self.trying[p][m] == 0

    @rule
    def must_propose(self, p: Process, m: Message) -> bool:
        """p proposes m before time passes."""
        return self.is_new(p, m) and self.now >= self.sent_at[m] + self.windows[p.index] + self.slack

    @rule
    def goes_along(self, p: Process, m: Message, last: Message) -> bool:
        """m is proposed with `last`, the latest new message of a proposal."""
        return self.is_new(p, m) and (self.sent_at[m], m.index) <= (self.sent_at[last], last.index)

    @action
    def propose(self, p: Process) -> None:
        """p starts its next instance: the smallest timestamps first, up to some message."""
        new = {m for m in self.Message if self.is_new(p, m)}
        require(len(new) > 0)
        last = max(new, key=lambda m: (self.sent_at[m], m.index))
        if self.division == "any":
            last = choose(new)
        value = {m for m in self.Message if self.goes_along(p, m, last)}
        i = max(self.next_instance[p], self.learned[p])
        self.emit.propose(p, i)
        self.emit.value(p, value)
        self.next_instance[p] = i + 1
        for m in value:
            self.trying[p][m] = i + 1
        if i == len(self.decisions):
            self.decisions.append(value)
            self.ends[i] = self.now + self.consensus

    @action
    def learn(self, p: Process) -> None:
        """p is handed the next decision."""
        i = self.learned[p]
        require(i < len(self.decisions) and self.now >= self.ends[i])
        super().learn(p)

    @rule
    def urgent(self) -> bool:
        """Something happens before time passes."""
        return any(
            any(self.comes(p, m) or self.must_propose(p, m) for m in self.Message)
            or self.learned[p] < len(self.decisions)
            and self.now >= self.ends[self.learned[p]] + self.spread
            for p in self.Process
        )

    @action
    def pass_time(self) -> None:
        """Time goes on by one, as long as something is to be sent or decided."""
        require(not self.urgent())
        require(
            any(
                self.now < self.last_send
                and self.sent[p] < self.workload[p.index]
                or any(self.was_multicast(m) and m not in self.decided[p] for m in self.Message)
                or self.learned[p] < len(self.decisions)
                for p in self.Process
            )
        )
        self.now += 1

    @invariant
    def one_instance(self) -> bool:
        """Everybody knows the decision of a message w + T after its timestamp, for the longest window."""
        return all(
            m in self.decided[p]
            or self.now <= self.sent_at[m] + max(self.windows) + self.slack + self.consensus + self.spread
            for m in self.Message
            if self.was_multicast(m)
            for p in self.Process
        )

    picture = [draw.clock("now"), draw.aside("sent_at", "ends")]

    expect = [
        holds(distinct=700),
        holds(at=UNEQUAL),
        holds(at={"workload": (1, 1), "last_send": 3, "slack": 2}),
        violates("one_instance", at=LATE_LOOK, steps=24),
        violates("one_instance", at=THREE, steps=30),
        violates(FifoOrder, "one_instance", at=OF_ONE, steps=22),
        violates("one_instance", at={"spread": 1, "consensus": 1}, steps=28),
        violates("one_instance", at={"workload": (2, 2)}, steps=31),
        violates("one_instance", at={"workload": (2, 2), "windows": (1, 2)}, steps=32),
        violates(FifoOrder, at=FOUR, only=[FifoOrder], steps=30),
        holds(at=TOGETHER | FOUR),
        holds(at=TOGETHER | {"spread": 2}),
        holds(at=TOGETHER | {"workload": (2, 2), "spread": 2, "last_send": 2}),
        holds(at=TOGETHER | THREE | {"spread": 2}),
    ]


class OneByOne(ParallelWindows):
    """EDIT: a proposal for each message, in any order of timestamps."""

    @rule
    def goes_along(self, p, m, last):
        return m == last

    expect = [
        violates(FifoOrder, at={"workload": (2,), "slack": 1}, steps=11),
        violates("one_instance", at={"workload": (1, 1)}, steps=20),
    ]


class AllPendingInTime(ParallelWindows):
    """REPAIR: each new instance gets all whose windows are over and that are not known to be decided."""

    @rule
    def goes_along(self, p, m, last):
        return self.over(p, m) and (self.sent_at[m], m.index) <= (self.sent_at[last], last.index)

    expect = [
        holds(),
        holds(at=LATE_LOOK),
        holds(at=OF_ONE),
        holds(at=UNEQUAL),
        holds(at=FOUR),
        holds(at={"spread": 1, "consensus": 1}),
        holds(at=LATE_LOOK | {"spread": 1, "workload": (2, 1)}),
        holds(at=THREE),
        holds(at=LATE_LOOK | THREE, thorough=True),
        holds(at=LATE_LOOK | {"spread": 1, "workload": (2, 2), "last_send": 2}, thorough=True),
    ]
