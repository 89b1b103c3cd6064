"""Optimistic atomic multicast as its lines are indented: what a group decides for others only is never noted as
decided.

Rule: in the print of Algorithm 1, l. 26-28 are indented like l. 25, as if they belonged to the condition of l. 24, "if
g in m.dst". The same goes for l. 33 of Algorithm 3 and its condition in l. 31. The text says otherwise: a message that
is not for its own group is agreed upon there all the same, is put into decided, and is sent on (Section 3.2). The other
models follow the text.

Source: "Optimistic Atomic Multicast in One Communication Delay", 2011, Algorithm 1 (l. 14-28) and Algorithm 3 (l.
26-39).

Below: Algorithm 1 as in optimistic_multicast_1; the loop of l. 19 never ends once it has come to a message that is not
for the own group, and a process that is in it does nothing else any more (the paper has no concurrency inside a
process). Algorithm 3 as in optimistic_multicast_3:Repaired; its loop (l. 27) takes each message out of msgSet (l. 28),
and so ends.

Found. As long as every message is for its own group, nothing changes. One message that is not, and the group of its
sender is stuck (Algorithm 1: Lemmas 1 and 2, which hold as the text has it), or decides it and sends it again and again
(Algorithm 3).
"""

from __future__ import annotations

from checker.language import Set, action, holds, invariant, require, var, violates
from checker.models.optimistic_multicast_1 import SAFETY, OptimisticMulticast1
from checker.models.optimistic_multicast_3 import Repaired
from checker.properties.atomic_multicast import DecidedInGroup, StampedEverywhere

ONE_GROUP_ONLY = {"workload": (1, 0), "destinations": (2,)}  # g1 multicasts to g2 alone


class OptimisticIndentation(OptimisticMulticast1):
    """READING: Algorithm 1 with l. 26-28 inside the condition of l. 24."""

    Process = OptimisticMulticast1.Process
    Message = OptimisticMulticast1.Message

    endless = var(Set[Process])  # who never leaves the loop of l. 19

    def send(self, p: Process, m: Message) -> None:
        """l. 5-7."""
        require(p not in self.endless)
        super().send(p, m)

    @action
    def fr_deliver(self, p: Process, q: Process) -> None:
        """l. 8-13."""
        require(p not in self.endless)
        super().fr_deliver(p, q)

    @action
    def deliver_next(self, p: Process) -> None:
        """l. 29-33."""
        require(p not in self.endless)
        super().deliver_next(p)

    @action
    def decide(self, p: Process) -> None:
        """l. 14-28."""
        undecided = self.messages[p] - self.decided[p]
        require(len(undecided) > 0 and p not in self.endless)
        g = self.group(p)
        if self.instance[p] == len(self.decisions[g]):
            self.decisions[g].append(undecided)
        batch = self.decisions[g][self.instance[p]] - self.decided[p]
        self.instance[p] += 1
        for m in sorted(batch, key=lambda x: self.turn(x)):  # l. 20
            if not self.addressed(g, m):  # l. 24
                self.endless.add(p)
                break
            t = self.final_time(p, m)
            self.emit.decide(p, m, t)
            self.stamp(p, m, t)
            self.decided[p].add(m)
            self.barrier[p][g] = t
            if self.forwards(p, m):
                self.log[p].append(self.Entry(m, t, True))
        if p not in self.endless:
            self.deliver_ready(p)

    expect = [
        violates(DecidedInGroup, StampedEverywhere, at=ONE_GROUP_ONLY, only=SAFETY, steps=3),
        holds(distinct=11_455, transitions=27_070),
    ]


class OnRequest(Repaired):
    """READING: Algorithm 3, repaired elsewhere, with l. 33 inside the condition of l. 31."""

    Process = Repaired.Process
    Message = Repaired.Message

    def finish(self, p: Process, m: Message) -> None:
        """l. 29-37."""
        super().finish(p, m)
        if not self.addressed(self.group(p), m):
            self.decided[p].remove(m)

    @invariant
    def decided_once(self) -> bool:
        """No group decides a message twice."""
        return all(
            len(self.decisions[g][i] & self.decisions[g][j]) == 0
            for g in self.Group
            for i in range(len(self.decisions[g]))
            for j in range(i)
        )

    expect = [
        violates("decided_once", at=ONE_GROUP_ONLY, only=["decided_once"], steps=5),
        holds(at={"workload": (2, 1)}, distinct=880_369),
    ]
