"""Optimistic atomic multicast with time: how long the algorithms of Section 4 take, when a message takes delta and
consensus takes its own time.

Rule: a message goes to its group (delta), the group decides it, then it goes to the other destinations (delta). A group
that could hold it up, a blocker, is asked for a barrier, decides an empty message in answer, and sends that to the
destinations (delta). One instance at a time, so that a message may wait for the one that runs.

Source: "Optimistic Atomic Multicast in One Communication Delay", 2011, Sections 4.1 to 4.4. The rules of order are
those of optimistic_multicast_3:Repaired.

Below: one process stands for a group, as all its members do the same at the same time; its messages are those of
several members, and so in no order. Clocks show the one time `now`. Nothing takes longer than it must: whatever is due
happens before time passes, in any order. A message takes exactly delta; with `late`, one to its own group may take as
much longer (assumption A2 fails). A window waits until `window` units after the timestamp, and until all that is due
then has come. Measured by `checker latency`.

Readings. When is a barrier requested: after the decision (4.1), after the window (4.2, text), or together with the
multicast (Figure 1, 4.4)? When is it answered: a blocker that is asked "will immediately create a null message" (4.1),
and so it does in the main classes; with answers=window, and in OptimisticEarlyWaiting, it lets its window pass first.

Found. 4.1.1: 3 delta + 4 T holds, and is reached. 4.2: w + 2 T + delta does not hold as the text requests barriers, one
delta is missing (Optimistic). Requested with the multicast it does not hold either as long as blockers answer at once:
the answer overtakes messages of the blocker whose windows are not over, and their timestamps are raised although A2
holds (OptimisticEarly); so it is where windows differ, whenever barriers are requested (Optimistic, windows=3,1). If
blockers wait it holds (OptimisticEarlyWaiting). 4.3: likewise w + T + delta (Parallel, ParallelEarly), if the members
of a group decide at the same time; see parallel_consensus:LostInstances. 4.4: w + 2 delta, that is 3 delta if w is
delta (Leader), likewise. If A2 fails, the bounds hold but for the time by which the message itself is late.
docs/findings.md has the numbers.
"""

from __future__ import annotations

from enum import Enum

from checker.language import (
    Int,
    Map,
    Record,
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
from checker.language.groups import GroupMulticast
from checker.properties.multicast import Acyclicity, NoCreation, NoDuplication, Termination, UniformTotalOrder


class Phase(Enum):
    """Where an item is: a message in its own group, or the empty message that a blocker makes for it."""

    none = 0
    coming = 1
    waiting = 2  # for the end of the window
    ready = 3
    deciding = 4
    decided = 5


BUSY = {"workload": (2, 1)}
LATE = {"workload": (2, 1), "late": 1}
WAITING = {"answers": "window"}  # the repair
# g1 may hold up m2.1, which does not go to it
CHAIN = {"workload": (1, 1, 0), "groups": (1, 2, 3), "destinations": (12, 23), "last_send": 1}


class OptimisticLatency(GroupMulticast):
    """Section 4.1: barriers are requested once a message is decided."""

    processes = const(2, "number of groups, each of which is one process")
    workload = const((1, 1), "how many messages each group multicasts")
    groups = const(derived(lambda c: tuple(range(1, c.processes + 1))), "the group of each process: its own")
    delta = const(1, "how long a message takes")
    consensus = const(2, "T: how long an instance of consensus takes")
    window = const(0, "w: how long after its timestamp a message is held back before it is proposed")
    windows = const(derived(lambda c: (c.window,) * c.processes), "w of each group, where they differ")
    late = const(0, "how much longer a message to its own group may take; above 0, A2 does not hold")
    answers = const("now", "when a blocker may propose the empty message it is asked for", ("now", "window"))
    last_send = const(derived(lambda c: c.delta + c.consensus), "the latest time of a multicast")
    horizon = derived(
        lambda c: c.last_send + 2 * (max(c.windows) + c.late) + (6 + 2 * sum(c.workload)) * (c.delta + c.consensus)
    )

    Process = GroupMulticast.Process
    Message = GroupMulticast.Message
    Time = Int(0, horizon)
    Late = Int(0, 1)
    Stamp = Record(
        time=Time,
        number=Int(0, derived(lambda c: 4 * sum(c.workload) * c.processes)),
        tie=Int(0, derived(lambda c: sum(c.workload))),
    )

    now = var(Time, 0)
    stamp = var(Map[Message, Stamp], (0, 0, 0))  # m.ts: the sender's, then the final one
    # of m in its own group, of the empty message for it elsewhere
    phase = var(Map[Process, Map[Message, Phase]], Phase.none)
    due = var(Map[Process, Map[Message, Time]], 0)  # when it comes or is decided
    answer = var(Map[Process, Map[Message, Stamp]], (0, 0, 0))  # the timestamp of the empty message for m
    shown = var(Map[Process, Map[Message, Stamp]], (0, 0, 0))  # its final one
    top = var(Map[Process, Stamp], (0, 0, 0))  # the largest timestamp that p has decided
    final_due = var(Map[Process, Map[Message, Time]], 0)  # when m comes to p with its final timestamp; 0: not under way
    null_due = var(Map[Process, Map[Process, Map[Message, Time]]], 0)  # when the empty message of q for m comes to p
    stamped = var(Map[Process, Set[Message]])
    barrier = var(Map[Process, Map[Process, Stamp]], (0, 0, 0))  # what p knows of q

    # What the sections differ in

    @rule
    def parallel(self) -> bool:
        """Instances of consensus run side by side (4.3)."""
        return False

    @rule
    def early_request(self) -> bool:
        """Barriers are requested with the multicast (Figure 1, 4.4)."""
        return False

    @rule
    def window_request(self) -> bool:
        """Barriers are requested when the window is over (4.2)."""
        return False

    @rule
    def after_decision(self) -> int:
        """How long after its decision in a group the others know of it: 0 if acceptors tell them directly (4.4)."""
        return self.delta

    @rule
    def discards(self, p: Process, m: Message) -> bool:
        """m is thrown away, for it is late (4.5)."""
        return False

    # The algorithm

    @rule
    def home(self, m: Message) -> Process:
        """The group that decides m."""
        return self.sender(m)

    @rule
    def blocks(self, q: Process, m: Message) -> bool:
        """q is in blockers(m)."""
        return q != self.home(m) and any(
            self.destination(p, m) and self.may_send(self.group(q), self.group(p)) for p in self.Process
        )

    def send(self, p: Process, m: Message) -> None:
        """m leaves for its own group."""
        require(self.now <= self.last_send)
        extra = 0
        if self.late > 0:
            extra = self.late * choose(self.Late)
        self.stamp[m] = self.Stamp(self.now, 0, m.index + 1)
        self.phase[p][m] = Phase.coming
        self.due[p][m] = self.now + self.delta + extra
        if self.early_request():
            self.request(m)

    def request(self, m: Message) -> None:
        """All blockers are asked for a barrier that lets m pass, as m is stamped now."""
        for q in self.Process:
            if self.blocks(q, m):
                self.phase[q][m] = Phase.coming
                self.due[q][m] = self.now + self.delta
                self.answer[q][m] = self.stamp[m]

    @rule
    def comes(self, p: Process, m: Message) -> bool:
        """Something comes to p now: m in its own group, or a request for m."""
        return self.phase[p][m] == Phase.coming and self.due[p][m] == self.now

    @action
    def receive(self, p: Process, m: Message) -> None:
        """fr-deliver in the own group, or a request."""
        require(self.comes(p, m))
        held_back = p == self.home(m) or self.answers == "window"
        self.phase[p][m] = (
            Phase.waiting if held_back and (self.windows[p.index] > 0 or self.window_request()) else Phase.ready
        )
        self.due[p][m] = 0

    @rule
    def waited(self, p: Process, m: Message) -> bool:
        """The window is over: nothing that is due now is still to come."""
        stamp = self.stamp[m] if p == self.home(m) else self.answer[p][m]
        return (
            self.phase[p][m] == Phase.waiting
            and self.now >= stamp.time + self.windows[p.index]
            and not any(self.comes(p, x) for x in self.Message)
        )

    @action
    def end_window(self, p: Process, m: Message) -> None:
        """m, or the empty message for it, may be proposed."""
        require(self.waited(p, m))
        self.phase[p][m] = Phase.ready
        if p == self.home(m):
            self.emit.opt_deliver(p, m)
            if self.window_request():
                self.request(m)

    @rule
    def may_propose(self, p: Process) -> bool:
        """p starts an instance with all that is ready, and with all whose windows end now."""
        busy = any(self.phase[p][m] == Phase.deciding for m in self.Message)
        return (
            any(self.phase[p][m] == Phase.ready for m in self.Message)
            and (self.parallel() or not busy)
            and not any(self.waited(p, m) for m in self.Message)
        )

    @action
    def propose(self, p: Process) -> None:
        """An instance of consensus in group p."""
        require(self.may_propose(p))
        for m in self.Message:
            if self.phase[p][m] == Phase.ready:
                self.phase[p][m] = Phase.deciding
                self.due[p][m] = self.now + self.consensus

    @rule
    def is_decided(self, p: Process, m: Message) -> bool:
        """The instance that m, or the empty message for it, is in ends now."""
        return self.phase[p][m] == Phase.deciding and self.due[p][m] == self.now

    @action
    def learn(self, p: Process) -> None:
        """An instance ends: its messages are handled in the order of their timestamps."""
        batch = {m for m in self.Message if self.is_decided(p, m)}
        require(len(batch) > 0)
        for m in sorted(batch, key=lambda x: self.stamp[x] if p == self.home(x) else self.answer[p][x]):
            self.phase[p][m] = Phase.decided
            self.due[p][m] = 0
            if p != self.home(m):
                self.finish_empty(p, m)
            elif not self.discards(p, m):
                self.finish(p, m)
        self.deliver_ready(p)

    @rule
    def raised(self, p: Process, t: Stamp) -> Stamp:
        """The final timestamp: above all that p has decided before."""
        return self.Stamp(self.top[p].time, self.top[p].number + 1, t.tie) if self.top[p] >= t else t

    def finish(self, p: Process, m: Message) -> None:
        """m is decided in its group: on to the other destinations, and to the blockers if they are not asked yet, or
        for too little."""
        first = self.stamp[m]
        self.stamp[m] = self.raised(p, first)
        self.top[p] = self.stamp[m]
        self.barrier[p][p] = self.top[p]
        if self.destination(p, m):
            self.stamped[p].add(m)
        for q in self.Process:
            if q != p and (self.destination(q, m) or self.blocks(q, m)):
                self.tell(q, p, m)
        if not (self.early_request() or self.window_request()) or self.stamp[m] != first:
            self.request(m)

    def tell(self, q: Process, p: Process, m: Message) -> None:
        """q learns the final timestamp of m."""
        if self.after_decision() == 0:
            self.take(q, p, m)
            self.deliver_ready(q)
        else:
            self.final_due[q][m] = self.now + self.after_decision()

    def take(self, q: Process, p: Process, m: Message) -> None:
        """m with its final timestamp has come to q."""
        self.barrier[q][p] = max(self.barrier[q][p], self.stamp[m])
        if self.destination(q, m):
            self.stamped[q].add(m)

    def finish_empty(self, p: Process, m: Message) -> None:
        """The empty message of p for m is decided: on to the destinations of m that p may send to."""
        self.shown[p][m] = self.raised(p, self.answer[p][m])
        self.top[p] = self.shown[p][m]
        self.barrier[p][p] = self.top[p]
        for q in self.Process:
            if q != p and self.destination(q, m) and self.may_send(self.group(p), self.group(q)):
                if self.after_decision() == 0:
                    self.barrier[q][p] = max(self.barrier[q][p], self.shown[p][m])
                    self.deliver_ready(q)
                else:
                    self.null_due[q][p][m] = self.now + self.after_decision()

    @action
    def arrive(self, q: Process, p: Process) -> None:
        """What p has sent to q comes, all that is due at once: fr-mcast is FIFO."""
        require(self.arrives(q, p))
        for m in self.Message:
            if self.home(m) == p and self.final_due[q][m] == self.now:
                self.final_due[q][m] = 0
                self.take(q, p, m)
        for m in self.Message:
            if self.null_due[q][p][m] == self.now:
                self.null_due[q][p][m] = 0
                self.barrier[q][p] = max(self.barrier[q][p], self.shown[p][m])
        self.deliver_ready(q)

    @rule
    def arrives(self, q: Process, p: Process) -> bool:
        """Something of p comes to q now."""
        return self.now > 0 and any(
            self.home(m) == p and self.final_due[q][m] == self.now or self.null_due[q][p][m] == self.now
            for m in self.Message
        )

    @rule
    def deliverable(self, p: Process, m: Message) -> bool:
        """m is the smallest stamped message, and each group that may send to p is past it; a message is itself the
        barrier of its group."""
        return (
            m in self.stamped[p]
            and all(
                q == self.home(m) or self.stamp[m] <= self.barrier[p][q]
                for q in self.Process
                if self.may_send(self.group(q), self.group(p))
            )
            and all(self.stamp[m] <= self.stamp[x] for x in self.stamped[p])
        )

    def deliver_ready(self, p: Process) -> None:
        """Deliver what can be delivered."""
        ready = {m for m in self.Message if self.deliverable(p, m)}
        while len(ready) > 0:
            m = min(ready)
            self.stamped[p].remove(m)
            self.deliver(p, m)
            ready = {x for x in self.Message if self.deliverable(p, x)}

    @rule
    def urgent(self) -> bool:
        """Something happens before time passes."""
        return any(
            self.may_propose(p)
            or any(self.comes(p, m) or self.waited(p, m) or self.is_decided(p, m) for m in self.Message)
            or any(self.arrives(p, q) for q in self.Process)
            for p in self.Process
        )

    @rule
    def pending(self) -> bool:
        """Something is still to be sent, or under way."""
        return any(
            self.now < self.last_send
            and self.sent[p] < self.workload[p.index]
            or any(
                self.phase[p][m] in (Phase.coming, Phase.waiting, Phase.deciding) or self.final_due[p][m] > 0
                for m in self.Message
            )
            or any(self.null_due[p][q][m] > 0 for q in self.Process for m in self.Message)
            for p in self.Process
        )

    @action
    def pass_time(self) -> None:
        """Time goes on by one."""
        require(self.pending() and not self.urgent())
        self.now += 1

    @invariant
    def stamps_kept(self) -> bool:
        """No timestamp is ever raised; only with a window and A2."""
        return min(self.windows) == 0 or self.late > 0 or all(self.stamp[m].number == 0 for m in self.Message)

    picture = [draw.clock("now"), draw.aside("due", "answer", "shown", "top", "final_due", "null_due", "barrier")]

    properties = [NoDuplication, NoCreation, UniformTotalOrder, Acyclicity, Termination]

    expect = [holds(), holds(at={"window": 1}), holds(at=BUSY, thorough=True), holds(at=CHAIN)]


class Optimistic(OptimisticLatency):
    """Section 4.2 as the text has it: propose after the window, and request barriers then."""

    window = const(1, "w: how long after its timestamp a message is held back before it is proposed")

    @rule
    def window_request(self):
        return True

    expect = [
        holds(),
        holds(at={"window": 0}),
        holds(at={"window": 2}),
        # the blocker g1 lets a message of its own wait for 3, and answers after 1 + 1
        violates("stamps_kept", at={"windows": (3, 1)}, only=["stamps_kept"], steps=23),
        holds(at={"windows": (3, 1)} | WAITING),
    ]


class OptimisticEarly(OptimisticLatency):
    """Section 4.2 as Figure 1 has it: barriers are requested with the multicast."""

    window = const(1, "w: how long after its timestamp a message is held back before it is proposed")

    @rule
    def early_request(self):
        return True

    expect = [
        violates("stamps_kept", steps=21),
        violates("stamps_kept", at={"window": 2}, steps=22),
        violates("stamps_kept", at={"consensus": 1}, only=["stamps_kept"], steps=17),
        violates("stamps_kept", at={"window": 2, "consensus": 1}, only=["stamps_kept"], steps=18),
        holds(at=LATE, thorough=True),
    ]


class OptimisticEarlyWaiting(OptimisticEarly):
    """REPAIR: a blocker lets its window pass before it answers."""

    answers = const("window", "when a blocker may propose the empty message it is asked for", ("now", "window"))

    expect = [holds(), holds(at={"window": 2}), holds(at={"windows": (3, 1)}), holds(at=LATE, thorough=True)]


class Parallel(Optimistic):
    """Section 4.3 with barriers requested after the window."""

    @rule
    def parallel(self):
        return True

    expect = [holds(), holds(at={"window": 0})]


class ParallelEarly(OptimisticEarly):
    """Section 4.3 with barriers requested with the multicast."""

    @rule
    def parallel(self):
        return True

    expect = [holds(), violates("stamps_kept", at={"window": 2}, steps=19), holds(at={"window": 2} | WAITING)]


class Leader(ParallelEarly):
    """Section 4.4: from the leader to acceptors and on to the learners of all groups is two delays, and the decision is
    known everywhere."""

    consensus = const(derived(lambda c: 2 * c.delta), "T: from the leader to the acceptors and on to all learners")
    arrive = None  # nothing is sent on after a decision

    @rule
    def after_decision(self):
        return 0

    expect = [
        holds(),
        holds(at=BUSY),
        violates("stamps_kept", at={"window": 2}, steps=19),
        holds(at={"window": 2} | WAITING),
        holds(at=LATE, thorough=True),
    ]


class Discarding(Leader):
    """Section 4.5: a message whose timestamp would have to be raised is thrown away."""

    @rule
    def discards(self, p, m):
        return self.top[p] >= self.stamp[m]

    expect = [
        holds(),
        violates(Termination, at={"workload": (2, 0), "late": 1}, steps=14),
        violates(Termination, at=LATE),
    ]
