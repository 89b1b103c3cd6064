"""Optimistic atomic multicast with barriers on request, where the destinations ask: groups that may not multicast to
each other exchange nothing.

Rule: in Algorithm 3 the source group of a message asks its blockers, every group that may send to one of its
destinations (l. 35). Source and blocker may be strangers: neither need be able to multicast to the other, so that the
algorithm is not quasi-genuine. Here each group that the message is for asks those that may send to it, once it has the
message with its final timestamp. The answers are those of Algorithm 3.

Source: "Optimistic Atomic Multicast in One Communication Delay", 2011, Algorithm 3 (lines l. 1-45), Sections 1 and 2.3
on what quasi-genuine means.

Below: as in optimistic_multicast_3:Repaired. A request has no place in the FIFO order of a log, and shows nothing of
the source group: only the message itself is its barrier. It is reliable: what a process has asked, those that are asked
learn, though it crashes. That it goes to a group that may send to the asker is in the guard of `hear_request`; for all
else that is sent QuasiGenuine says so, in its narrow sense.

Found. All properties of Algorithm 3 with five repairs hold in the configurations below, and so does quasi-genuineness.
A destination asks one delay later than the source could, unless it is the source; and as the request no longer brings
the message itself, a group that loses its last process may leave others without what that one delivered. EagerRequests,
in which a request is taken for a barrier of the source group too, as l. 12 has it, delivers in different orders.
"""

from __future__ import annotations

from checker.language import Map, Optional, Set, action, holds, of, require, rule, var, violates
from checker.models.optimistic_multicast_3 import ANSWERS, THREE, Repaired
from checker.properties.atomic_multicast import NoStrangers, QuasiGenuine
from checker.properties.multicast import Acyclicity, UniformAgreement, UniformTotalOrder

# g1 and g2 multicast to g3, not to each other
STRANGERS = {"workload": (1, 1, 0), "groups": (1, 2, 3), "destinations": (13, 23), "ticks": 1}


class OptimisticRequests(Repaired):
    """REPAIR: the groups that a message is for ask for the barriers they need."""

    Process = Repaired.Process
    Message = Repaired.Message
    Group = Repaired.Group

    # what p has asked for, with its final timestamp
    asked = var(Map[Process, Map[Message, Optional[of("Stamp")]]], kept=True)
    heard = var(Map[Process, Set[Message]])  # requests that p has taken up

    @rule
    def for_group(self, g, entry):
        """l. 7; l. 35 without the request; l. 37."""
        m = entry.message
        return (
            self.source(m) == g if not entry.final else self.addressed(g, m) and (self.empty(m) or g != self.source(m))
        )

    def deliver_ready(self, p: Process) -> None:
        """p asks for what it holds back; then l. 40-45."""
        for m in self.Message:
            if m in self.stamped[p] and not self.empty(m) and self.asked[p][m] is None:
                self.asked[p][m] = self.final[p][m]
        super().deliver_ready(p)

    @action
    def hear_request(self, p: Process, q: Process, m: Message) -> None:
        """p, whose group may send to that of q, hears that q waits for a barrier for m (l. 15-20)."""
        t = self.asked[q][m]
        require(
            t is not None
            and m not in self.heard[p]
            and self.group(p) not in (self.group(q), self.source(m))
            and self.may_send(self.group(p), self.group(q))
        )
        self.heard[p].add(m)
        if t is not None:
            self.make_empty(p, m, t)
        self.deliver_ready(p)

    properties = [*Repaired.properties, QuasiGenuine, NoStrangers]

    expect = [
        holds(),
        holds(at={"workload": (2, 1), "delivery": "drained"}),
        holds(at=STRANGERS),
        holds(at=THREE),
        holds(at=ANSWERS),
        holds(at={"workload": (1, 0, 0), "groups": (1, 1, 2), "ticks": 1, "crashes": 1}),
        violates(UniformAgreement, at=ANSWERS | {"crashes": 1}),  # a group without a live process
    ]


class EagerRequests(OptimisticRequests):
    """EDIT: a request shows the timestamp of the message, and is taken for a barrier of its source group (l. 12)."""

    @action
    def hear_request(self, p, q, m):
        t = self.asked[q][m]
        if t is not None:
            self.barrier[p][self.source(m)] = max(self.barrier[p][self.source(m)], t)
        super().hear_request(p, q, m)

    expect = violates(UniformTotalOrder, Acyclicity, only=[UniformTotalOrder, Acyclicity], steps=15)
