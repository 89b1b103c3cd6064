"""Early delivery up to and after a configuration change in which processors join.

Rule: as in s_toto. When a processor asks to join, the membership facility starts a change: the members multicast
nothing more, and release everything of the old configuration. Who has all of it delivers what is still pending, all
candidates in the order of their senders until nothing is left, and goes on in the new configuration, with an empty
graph and with those that have joined. A message belongs to the configuration in which it was multicast: it
acknowledges, and is for, processors and messages of that configuration alone.

Source: Johnson and Maugis, "New Rules for Early Delivery in an Atomic Multicast System", University of Florida, 1994,
Section 2. The text speaks of changes in general ("the process group is modified by a configuration change", of which
every process sees a consistent set), and gives reasons only for failures. That those who join fit in is what "we only
need to order the messages that are delivered between configuration changes" says if it is taken at its word. The
facility itself is taken as given; nothing crashes here (for crashes: configuration_change).

The first `joiners` processors join. In the old configuration nobody waits for their votes.

Found. The order holds: any two processors deliver what is for both in one order, the old messages first. The threshold
must suit the larger configuration: with phi = 1 S-ToTo agrees among three members, and no longer when a fourth has
joined; G-ToTo does. Each part of the rule is needed. Whoever leaves the old configuration without all of its messages
(TooSoon) delivers others before them; whoever takes pending messages along into the new one, where those who join do
not have them (TakenAlong), delivers with gaps and against causal order; whoever counts those who join in the middle of
an activation (CountedAtOnce) delivers in another order than others.
"""

from __future__ import annotations

from checker.language import Bool, Set, action, const, holds, on, require, rule, var, violates
from checker.models.g_toto import GToTo
from checker.models.s_toto import SToTo
from checker.models.wait_for_all import WaitForAll
from checker.properties.multicast import CausalOrder, NoCreation, NoDuplication
from checker.properties.total_order import UniformGapFreeTotalOrder, UniformTotalOrder

ORDER = [UniformTotalOrder, UniformGapFreeTotalOrder]
MEMBERS = {"workload": (0, 1, 1, 1), "phi": 1}  # three members vote, the fourth processor only joins
FOUR = {"workload": (1, 1, 1, 1)}


class Join:
    """Puts a change in which processors join behind the rules of a model."""

    Process = WaitForAll.Process
    Message = WaitForAll.Message
    net = WaitForAll.net

    processes = const(3, "number of processes")
    workload = const((1, 1, 1), "how many messages each process multicasts")
    joiners = const(1, "how many processes join; they are the first ones")

    changing = var(Bool, False)
    arrived = var(Set[Process])  # who is in the new configuration
    new = var(Set[Message])  # what was multicast there

    @rule
    def joins(self, p: Process) -> bool:
        return p.index < self.joiners

    @rule
    def destination(self, p: Process, m: Message) -> bool:
        """m is for everybody of its configuration."""
        return m in self.new or not self.joins(p)

    @rule
    def voters(self, p: Process) -> Set[Message]:
        """The first message in G of each processor: of one of the old and one of the new configuration the old one."""
        return {x for x in self.graph[p] if not any(self.sender(y) == self.sender(x) and y < x for y in self.graph[p])}

    @rule
    def tail(self, p: Process) -> int:
        """Ntail(G); in the old configuration nobody waits for those who join."""
        return super().tail(p) + (0 if self.counted(p) else self.joiners)

    @rule
    def counted(self, p: Process) -> bool:
        """p counts those who join."""
        return p in self.arrived

    def send(self, p: Process, m: Message) -> None:
        """In the old configuration until the change begins, or in the new one."""
        require(p in self.arrived or not self.joins(p) and not self.changing)
        if p in self.arrived:
            self.new.add(m)
        self.past[m] = {
            x for x in self.seen[p] | self.earlier_own(m) if (x in self.new) == (m in self.new)
        }  # what m acknowledges
        self.net.multicast(p, m, to={q for q in self.Process if p in self.arrived or not self.joins(q)})

    @on(net)
    def insert(self, p: Process, q: Process, m: Message) -> None:
        """What belongs to the configuration of p, and whose past is there, is released."""
        require((m in self.new) == (p in self.arrived) and self.past[m] <= self.seen[p])
        self.release(p, m)

    @action
    def begin_change(self) -> None:
        """Somebody has asked to join."""
        require(not self.changing)
        self.changing = True

    @rule
    def complete_here(self, p: Process) -> bool:
        """p has everything of the old configuration."""
        return all(m in self.seen[p] for m in self.Message if self.was_multicast(m) and m not in self.new)

    @action
    def change(self, p: Process) -> None:
        """A member delivers what is pending, and leaves the old configuration; who joins has nothing to deliver."""
        require(self.changing and p not in self.arrived and (self.joins(p) or self.complete_here(p)))
        self.settle(p)
        self.arrived.add(p)

    def settle(self, p: Process) -> None:
        """What is pending, round by round."""
        while len(self.graph[p]) > 0:
            batch = self.candidates(p)
            self.graph[p] -= batch
            for x in sorted(batch):
                self.deliver(p, x)

    properties = [NoDuplication, NoCreation, CausalOrder, UniformTotalOrder, UniformGapFreeTotalOrder]


class ConfigurationJoin(Join, SToTo):
    """The rules of s_toto."""

    expect = [
        holds(at={"phi": 1}, distinct=3_103, transitions=9_949),
        holds(at={"workload": (1, 2, 1), "phi": 1}),
        holds(at={"joiners": 2, "phi": 1}),
        holds(at=MEMBERS, distinct=35_875),
        holds(at=FOUR | {"phi": 2}, thorough=True),
        violates(UniformGapFreeTotalOrder, at=FOUR | {"phi": 1}, only=[UniformGapFreeTotalOrder], steps=15),
    ]


class WaitForAllJoin(Join, WaitForAll):
    """The rule of wait_for_all."""

    expect = [holds(), holds(at={"workload": (1, 2, 1)})]


class GToToJoin(Join, GToTo):
    """The rules of g_toto."""

    expect = [holds(at={"phi": 1}), holds(at=MEMBERS), holds(at=FOUR | {"phi": 1}, thorough=True)]


class TooSoon(ConfigurationJoin):
    """EDIT: a member goes on without waiting for the messages of the old configuration."""

    @rule
    def complete_here(self, p):
        return True

    expect = [
        violates(UniformGapFreeTotalOrder, at={"workload": (0, 1, 1), "phi": 1}, steps=7),
        violates(CausalOrder, at={"workload": (1, 2), "phi": 1}, only=[CausalOrder], steps=8),
    ]


class TakenAlong(ConfigurationJoin):
    """EDIT: what is pending is not delivered at the change, but stays in the graph."""

    def settle(self, p):
        pass

    expect = [
        holds(at={"phi": 1}),
        holds(at={"workload": (1, 2, 0), "phi": 1}, distinct=1_178),
        violates(CausalOrder, UniformGapFreeTotalOrder, at={"workload": (1, 2, 1), "phi": 1}),
        violates(
            UniformGapFreeTotalOrder, at={"workload": (1, 2, 1), "phi": 1}, only=[UniformGapFreeTotalOrder], steps=14
        ),
        violates(CausalOrder, at={"workload": (1, 2, 1), "phi": 1}, only=[CausalOrder], steps=13),
    ]


class CountedAtOnce(ConfigurationJoin):
    """EDIT: members count those who join as soon as the change has begun, in the middle of an activation."""

    @rule
    def counted(self, p):
        return self.changing

    expect = [holds(at={"phi": 1}), violates(*ORDER, at=MEMBERS, only=ORDER, steps=10)]
