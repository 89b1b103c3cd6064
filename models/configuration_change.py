"""Early delivery up to a configuration change: what virtual synchrony gives, and what it must not be taken for.

Rule: as in s_toto. When a processor has crashed, the membership facility starts a change: the others multicast nothing
more, and release what belongs to the old configuration. Who has all of it delivers what is still pending, all
candidates in the order of their senders until nothing is left. The next configuration starts with an empty graph: it
is the protocol anew, with fewer processors.

Source: Johnson and Maugis, "New Rules for Early Delivery in an Atomic Multicast System", University of Florida, 1994,
Section 2: virtual synchrony "requires that if one processor delivers a message m before a configuration change, then
all non-failed processors deliver m before the configuration change"; it "permits the delivery of the pending
messages"; "because of virtual synchrony, we only need to order the messages that are delivered between configuration
changes". The facility itself is taken as given.

Readings. With synchrony=any, as quoted, the "one processor" may be one that has failed: what any processor has
released belongs to the old configuration. With synchrony=survivors only what a live one has released does, when the
change begins. A processor that crashes during the change leaves it.

Found. As quoted, the sentence holds: what a processor has delivered, failed or not, the others deliver before the
change and in the same order. With the weaker reading survivors still agree, but a failed processor may have delivered
what nobody else does: two processors with a message each and one crash, by the default rule alone. The early rules
break it no sooner. Who delivers the pending messages before all of them have come (TooSoon) disagrees with other
survivors.
"""

from __future__ import annotations

from checker.language import Bool, Map, Set, action, const, holds, invariant, on, require, rule, var, violates
from checker.models.g_toto import GToTo
from checker.models.gl_toto import GLToTo
from checker.models.s_toto import SToTo
from checker.models.toto import ToTo
from checker.models.wait_for_all import WaitForAll
from checker.properties.early_delivery import PrefixOrder
from checker.properties.multicast import CausalOrder, NoCreation, NoDuplication

SURVIVORS = {"synchrony": "survivors"}
MINORITY = {"workload": (1, 1, 1), "phi": 1}


class Change:
    """Puts a configuration change behind the rules of a model."""

    Process = WaitForAll.Process
    Message = WaitForAll.Message
    net = WaitForAll.net

    processes = const(2, "number of processes")
    workload = const((1, 1), "how many messages each process multicasts")
    crashes = const(1, "how many processes may crash")
    synchrony = const("any", "whose releases belong to the old configuration", ("any", "survivors"))

    had = var(Map[Process, Set[Message]], kept=True)  # what p has released, remembered after a crash
    changing = var(Bool, False)
    old = var(Set[Message])  # what belongs to the old configuration, once the change has begun
    changed = var(Set[Process])  # who has left the old configuration

    def send(self, p: Process, m: Message) -> None:
        """Nothing is multicast during the change, nor after it."""
        require(not self.changing)
        super().send(p, m)

    @on(net)
    def insert(self, p: Process, q: Process, m: Message) -> None:
        """During the change nothing comes from the network: see `retransmit`."""
        require(not self.changing and self.past[m] <= self.seen[p])
        self.release(p, m)

    def release(self, p: Process, m: Message) -> None:
        self.had[p].add(m)
        super().release(p, m)

    @action
    def begin_change(self) -> None:
        """The facility has noticed a crash, and agrees on what belongs to the old configuration."""
        require(not self.changing and any(not self.live(p) for p in self.Process))
        self.changing = True
        self.old = {
            m
            for m in self.Message
            if any(m in self.had[p] and (self.synchrony == "any" or self.live(p)) for p in self.Process)
        }

    @action
    def retransmit(self, p: Process, m: Message) -> None:
        """The facility brings p what somebody has released."""
        require(self.changing and p not in self.changed and m in self.old and m not in self.seen[p])
        require(self.past[m] <= self.seen[p])
        self.release(p, m)

    @rule
    def complete_here(self, p: Process) -> bool:
        """p has everything of the old configuration."""
        return self.old <= self.seen[p]

    @action
    def change(self, p: Process) -> None:
        """p delivers what is pending, and leaves the old configuration."""
        require(self.changing and p not in self.changed and self.complete_here(p))
        while len(self.graph[p]) > 0:
            self.deliver_pending(p)
        self.changed.add(p)

    def deliver_pending(self, p: Process) -> None:
        """One round: all candidates."""
        batch = self.candidates(p)
        self.graph[p] -= batch
        for x in sorted(batch):
            self.deliver(p, x)

    @invariant
    def survivors_agree(self) -> bool:
        """Who has left the old configuration has delivered the same, in the same order."""
        return all(
            list(self.delivered[p]) == list(self.delivered[q])
            for p in self.Process
            for q in self.Process
            if p < q and p in self.changed and q in self.changed
        )

    @invariant
    def virtually_synchronous(self) -> bool:
        """What anybody has delivered, who has left the old configuration has delivered."""
        return all(
            m in self.delivered[p]
            for p in self.Process
            if p in self.changed
            for q in self.Process
            for m in self.Message
            if m in self.delivered[q]
        )

    properties = [NoDuplication, NoCreation, CausalOrder, PrefixOrder]


AGREED = ["survivors_agree", NoDuplication, NoCreation, CausalOrder]


class ConfigurationChange(Change, SToTo):
    """The rules of s_toto."""

    expect = [
        holds(distinct=429),
        holds(at={"workload": (2, 1)}, distinct=2_157),
        holds(at=MINORITY, distinct=123_099),
        violates("virtually_synchronous", PrefixOrder, at=SURVIVORS, steps=6),
        violates(PrefixOrder, at=SURVIVORS, only=[PrefixOrder], steps=7),
        holds(at=MINORITY | SURVIVORS, only=AGREED),
    ]


class WaitForAllChange(Change, WaitForAll):
    """The rule of wait_for_all."""

    expect = [
        holds(at={"workload": (1, 1, 1)}),
        holds(at={"workload": (2, 1)}, distinct=2_157),
        violates("virtually_synchronous", PrefixOrder, at=SURVIVORS, steps=6),
    ]


class GToToChange(Change, GToTo):
    """The rules of g_toto."""

    expect = [holds(at=MINORITY, distinct=123_099), holds(at=MINORITY | SURVIVORS, only=AGREED)]


class ToToChange(Change, ToTo):
    """The rules of toto."""

    expect = [
        holds(at=MINORITY),
        holds(at={"workload": (2, 1), "phi": 1}, distinct=2_157),
        violates(PrefixOrder, at={"workload": (1, 1, 2), "phi": 1, "crashes": 0}, only=[PrefixOrder], steps=10),
        violates("survivors_agree", at={"workload": (1, 1, 2), "phi": 1}, only=["survivors_agree"], steps=15),
    ]


class GLToToChange(Change, GLToTo):
    """The rules of gl_toto; what the scan has delivered is not delivered again with what is pending."""

    def deliver_pending(self, p):
        batch = self.candidates(p)
        self.graph[p] -= batch
        for x in sorted(batch - self.marked[p]):
            self.deliver(p, x)
        self.marked[p] = set()

    expect = [holds(at=MINORITY), holds(at=MINORITY | SURVIVORS, only=AGREED)]


class TooSoon(ConfigurationChange):
    """EDIT: who hears of the change delivers what is pending with it, without waiting for what others have."""

    @rule
    def complete_here(self, p):
        return True

    expect = violates("survivors_agree", at={"workload": (1, 0, 0)}, only=["survivors_agree"], steps=5)
