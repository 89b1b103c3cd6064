"""Wait for all: deliver the roots of the causality graph once every processor has a message in it.

Rule: below runs a reliable causal multicast, which releases a message at a processor when its causal past has been
released there. The released messages that are not yet delivered form the causality graph G of the processor; its roots
are the candidates. When every processor has a message in G, the candidates are delivered in the order of their senders;
that is one activation. They leave G, and the rule is tried again.

Source: Johnson and Maugis, "New Rules for Early Delivery in an Atomic Multicast System", University of Florida, 1994,
Section 2. It is also the base of the rules of that paper (models toto, s_toto, g_toto), which deliver some candidates
before everybody has voted.

Left out: group membership. A crashed processor is never removed from the group, so with crashes only the order is
claimed, not termination. A multicast that a crash cuts short looks to the others like a message that is still under
way.
"""

from __future__ import annotations

from checker.language import Map, Network, Set, const, draw, holds, on, require, rule, var, violates
from checker.models._duplicates import _Duplicated
from checker.properties.early_delivery import ActivationAgreement, DeliveredOnceAllVoted, PrefixOrder
from checker.properties.multicast import CausalOrder, NoCreation, NoDuplication


class WaitForAll(_Duplicated):
    """The default rule alone."""

    workload = const((2, 1, 1), "how many messages each process multicasts")  # with 1, 1, 0 nothing is ever delivered

    Process = _Duplicated.Process
    Message = _Duplicated.Message

    net = var(Network[Process, Message])
    past = var(Map[Message, Set[Message]])  # what a message follows, directly or not; fixed when it is multicast
    seen = var(Map[Process, Set[Message]])  # released by the causal multicast
    graph = var(Map[Process, Set[Message]])  # G: released and not delivered

    def send(self, p: Process, m: Message) -> None:
        """The message acknowledges everything its sender has in its graph; its own messages are in order in any
        case."""
        self.past[m] = self.seen[p] | self.earlier_own(m)
        self.net.multicast(p, m)

    @on(net)
    def insert(self, p: Process, q: Process, m: Message) -> None:
        """The causal multicast releases m at p when its past is there."""
        require(self.past[m] <= self.seen[p])
        self.release(p, m)

    picture = [draw.step("insert", "receive {m} (past {past[m]})")]

    def earlier_own(self, m: Message) -> Set[Message]:
        """What the sender of m multicast before m."""
        return {x for x in self.Message if self.sender(x) == self.sender(m) and self.number(x) < self.number(m)}

    def release(self, p: Process, m: Message) -> None:
        """m enters G; then p delivers as long as a rule allows it."""
        self.seen[p].add(m)
        self.graph[p].add(m)
        batch = self.eligible(p)
        while len(batch) > 0:
            self.graph[p] -= batch
            self.emit.activation(p)
            for x in sorted(batch):  # in the order of the senders
                self.deliver(p, x)
            batch = self.eligible(p)

    @rule
    def candidates(self, p: Process) -> Set[Message]:
        """MG: the roots of G."""
        return {m for m in self.graph[p] if len(self.past[m] & self.graph[p]) == 0}

    @rule
    def voters(self, p: Process) -> Set[Message]:
        """The first message in G of each processor that has one."""
        return {
            x
            for x in self.graph[p]
            if not any(self.sender(y) == self.sender(x) and y in self.past[x] for y in self.graph[p])
        }

    @rule
    def tail(self, p: Process) -> int:
        """Ntail(G): how many processors have a message in G."""
        return len(self.voters(p))

    @rule
    def default(self, p: Process) -> Set[Message]:
        """Deliver MG when everybody has voted."""
        return self.candidates(p) if self.tail(p) == len(self.Process) else set()

    @rule
    def eligible(self, p: Process) -> Set[Message]:
        """What p delivers now; nothing if no rule fires."""
        return self.default(p)

    properties = [NoDuplication, NoCreation, CausalOrder, PrefixOrder, ActivationAgreement, DeliveredOnceAllVoted]

    expect = [
        holds(at={"workload": (1, 1, 1)}, distinct=2_235, transitions=7_716),
        holds(at={"workload": (2, 1, 1)}),
        holds(at={"workload": (2, 2)}, distinct=1_067, transitions=2_398),
        holds(at={"workload": (1, 1, 1, 1)}, distinct=594_169, transitions=3_495_920),
        holds(at={"workload": (1, 1, 1), "crashes": 1}),
    ]


class OneMissing(WaitForAll):
    """EDIT: wait for everybody but one."""

    @rule
    def default(self, p):
        return self.candidates(p) if self.tail(p) >= len(self.Process) - 1 else set()

    expect = violates(
        PrefixOrder, ActivationAgreement, at={"workload": (1, 1)}, only=[PrefixOrder, ActivationAgreement], steps=4
    )


class OneRoot(WaitForAll):
    """EDIT: deliver one root at a time, the one of the first sender."""

    @rule
    def default(self, p):
        return {min(self.candidates(p))} if self.tail(p) == len(self.Process) else set()

    expect = [holds(at={"workload": (2, 1, 1)}), holds(at={"workload": (2, 2)}), holds(at={"workload": (1, 1, 1, 1)})]


class OwnVoteTaken(WaitForAll):
    """EDIT: wait only for everybody else; an own message is not needed."""

    @rule
    def default(self, p):
        return self.candidates(p) if len({self.sender(x) for x in self.voters(p)} | {p}) == len(self.Process) else set()

    expect = violates(
        PrefixOrder, ActivationAgreement, at={"workload": (1, 1)}, only=[PrefixOrder, ActivationAgreement], steps=4
    )


class WholeGraph(WaitForAll):
    """EDIT: deliver everything in G, not only the roots."""

    @rule
    def default(self, p):
        return set(self.graph[p]) if self.tail(p) == len(self.Process) else set()

    expect = [
        violates(PrefixOrder, ActivationAgreement, at={"workload": (2, 1)}),
        violates(CausalOrder, PrefixOrder, ActivationAgreement, at={"workload": (2, 2)}),
    ]
