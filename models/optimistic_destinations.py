"""Optimistic delivery between groups: who hears of a message only when its group has decided it delivers it too late.

Rule: each destination holds a message back until its own clock is a window w(p) past the timestamp, then delivers it
optimistically, the smallest timestamp first; the source group proposes it when its own window is over. The conservative
delivery follows with barriers.

Source: "Optimistic Atomic Multicast in One Communication Delay", 2011, Section 4.2 (no printed algorithm). Line 7 of
Algorithm 3 sends a message to its own group only, line 35 to the others once it is decided. That w(p) is taken over all
of sendersTo(G) says that what other groups send comes within one delay, and in 4.4 the other groups learn the timestamp
alone, as the message "was fr-mcast in the beginning"; nothing says so of 4.2.

Below: as in optimistic_latency, with time; one process stands for a group. A window per group (`windows`).

Found. As its lines stand, a destination outside the source's group delivers optimistically after w + T + delta, and in
another order than the final one. If the multicast goes to all destinations at once (SentToAll) every destination
delivers after its own window, in the final order; with unequal windows, or with requests at the multicast, only if
blockers let their window pass before they answer.
"""

from __future__ import annotations

from checker.language import Int, Map, Seq, Set, action, holds, invariant, require, rule, var, violates
from checker.language.multicast import total
from checker.models.optimistic_latency import Leader, Optimistic, OptimisticEarly
from checker.properties.multicast import Acyclicity, NoCreation, NoDuplication, Termination, UniformTotalOrder
from checker.properties.optimistic import OptimisticOrder

UNEQUAL = {"windows": (3, 1)}
WAITING = {"answers": "window"}
TWO_OF_ONE = {"workload": (2, 1), "last_send": 1}
# m1.1 goes to g1 and g2, m2.1 to g2 and g3: each has a window of its own
CHAIN = {"workload": (1, 1, 0), "groups": (1, 2, 3), "destinations": (12, 23), "windows": (1, 2, 3), "last_send": 1}


class OptimisticDestinations(Optimistic):
    """Section 4.2 as its lines stand: other groups hear of a message when it is decided."""

    Process = Optimistic.Process
    Message = Optimistic.Message
    Time = Int(0, Optimistic.horizon)

    sent_at = var(Map[Message, Time], 0)  # m.ts before it is raised
    copy_due = var(Map[Process, Map[Message, Time]], 0)  # when m itself comes to p; 0: not under way
    held = var(Map[Process, Set[Message]])  # optPending
    optimistic = var(Map[Process, Seq[Message, total]])

    @rule
    def sent_to_all(self) -> bool:
        """The multicast goes to all destinations, not to the own group alone (l. 7)."""
        return False

    def send(self, p: Process, m: Message) -> None:
        super().send(p, m)
        self.sent_at[m] = self.now
        for q in self.Process:
            if q != p and self.sent_to_all() and self.destination(q, m):
                self.copy_due[q][m] = self.now + self.delta

    @action
    def receive(self, p: Process, m: Message) -> None:
        super().receive(p, m)
        if p == self.home(m):
            self.hold_back(p, m)

    def take(self, q: Process, p: Process, m: Message) -> None:
        super().take(q, p, m)
        self.hold_back(q, m)

    @rule
    def copy_comes(self, q: Process, m: Message) -> bool:
        """m itself comes to q now."""
        return self.copy_due[q][m] > 0 and self.copy_due[q][m] == self.now

    @action
    def hear(self, q: Process, m: Message) -> None:
        """fr-deliver at a destination outside the group of the sender."""
        require(self.copy_comes(q, m))
        self.copy_due[q][m] = 0
        self.hold_back(q, m)

    def hold_back(self, q: Process, m: Message) -> None:
        """Into optPending, unless q has had m."""
        if self.destination(q, m) and m not in self.optimistic[q]:
            self.held[q].add(m)

    @rule
    def in_turn(self, q: Process, m: Message) -> bool:
        """No pending message has a smaller timestamp."""
        return all((self.sent_at[m], m.index) <= (self.sent_at[x], x.index) for x in self.held[q])

    @rule
    def guesses(self, q: Process, m: Message) -> bool:
        """The window of q for m is over, and nothing that is due at q now is still to come."""
        return (
            m in self.held[q]
            and self.now >= self.sent_at[m] + self.windows[q.index]
            and self.in_turn(q, m)
            and not any(self.comes(q, x) or self.copy_comes(q, x) for x in self.Message)
            and not any(self.arrives(q, r) for r in self.Process)
        )

    @action
    def deliver_optimistically(self, q: Process, m: Message) -> None:
        """q has waited long enough."""
        require(self.guesses(q, m))
        self.held[q].remove(m)
        self.optimistic[q].append(m)
        self.emit.opt_deliver(q, m)

    @rule
    def urgent(self) -> bool:
        return super().urgent() or any(
            self.guesses(q, m) or self.copy_comes(q, m) for q in self.Process for m in self.Message
        )

    @rule
    def pending(self) -> bool:
        return super().pending() or any(
            m in self.held[q] or self.copy_due[q][m] > 0 for q in self.Process for m in self.Message
        )

    @invariant
    def in_one_window(self) -> bool:
        """Every destination delivers a message optimistically within its own window."""
        return all(
            m in self.optimistic[q] or self.now <= self.sent_at[m] + self.windows[q.index]
            for m in self.Message
            if self.was_multicast(m)
            for q in self.Process
            if self.destination(q, m)
        )

    properties = [NoDuplication, NoCreation, UniformTotalOrder, Acyclicity, Termination, OptimisticOrder]

    expect = [
        violates("in_one_window", at={"workload": (1, 0)}, steps=7),
        violates(OptimisticOrder, "in_one_window"),
        violates(OptimisticOrder, "in_one_window", at=UNEQUAL | WAITING),
        # nobody hears of anything from another group
        holds(at={"destinations": (1, 2)}),
    ]


class SentToAll(OptimisticDestinations):
    """REPAIR: the multicast goes to all destinations at once, and each holds it back for its own window."""

    @rule
    def sent_to_all(self):
        return True

    expect = [
        holds(),
        violates("stamps_kept", OptimisticOrder, at=UNEQUAL, steps=29),
        holds(at=UNEQUAL | WAITING),
        holds(at=TWO_OF_ONE | UNEQUAL | WAITING),
        holds(at=CHAIN | WAITING),
        violates(OptimisticOrder, at={"late": 1}, only=[OptimisticOrder]),
    ]


class SentToAllEarly(SentToAll):
    """REPAIR: likewise, with barriers requested with the multicast (Figure 1)."""

    early_request, window_request = OptimisticEarly.early_request, OptimisticEarly.window_request

    expect = [
        violates("stamps_kept", OptimisticOrder, steps=27),
        holds(at=WAITING),
        holds(at=UNEQUAL | WAITING),
        holds(at=TWO_OF_ONE | UNEQUAL | WAITING),
        holds(at=CHAIN | WAITING),
    ]


class SentToAllLeader(SentToAllEarly):
    """Section 4.4: the message is sent to all destinations in the beginning, its timestamp follows."""

    parallel, consensus, after_decision, arrive = Leader.parallel, Leader.consensus, Leader.after_decision, None

    expect = [
        holds(),
        violates("stamps_kept", OptimisticOrder, at={"windows": (2, 1)}, steps=24),
        holds(at=UNEQUAL | WAITING),
        holds(at=TWO_OF_ONE | UNEQUAL | WAITING),
        holds(at=CHAIN | WAITING),
    ]
