"""GL-ToTo: g_toto, and inside an activation the sources at the front are delivered before the activation is decided.

Rule: the candidates are looked at in the order of their senders, up to the first processor that has not voted. A source
that no unseen vote can take out is delivered at once, but stays in G until the activation ends; a candidate that can no
longer become a source is passed over; anything else stops the scan. When the activation is decided, the rest of it is
delivered.

Source: Johnson and Maugis, "New Rules for Early Delivery in an Atomic Multicast System", University of Florida, 1994,
Section 5, pseudo-code.

Readings. The scan runs after each insertion, and after each activation for the next one (the text names only
insertions). Its loop ends before the first processor that has not voted. With phi = n, and with 0, every candidate is a
source that nothing takes out: the scan delivers it once the processors before it have voted. Where the print has lost
the bar below <= and >=, the bounds are those of g_toto.

The rules presume that nothing is duplicated. Here one copy costs more than elsewhere: the scan may then have delivered
what does not go with the activation, stays in G and is delivered once more in the next one. So the log has room for the
whole graph once more with each copy.
"""

from __future__ import annotations

from checker.language import Map, Seq, Set, holds, rule, var, violates
from checker.language.multicast import total
from checker.models._duplicates import spare
from checker.models.g_toto import GToTo
from checker.properties.early_delivery import DeliveredOnceAllVoted, PrefixOrder
from checker.properties.multicast import CausalOrder, NoCreation, NoDuplication


class GLToTo(GToTo):
    """Section 5, early delivery in an activation."""

    Process = GToTo.Process
    Message = GToTo.Message

    delivered = var(Map[Process, Seq[Message, total * (spare + 1) + 1]], kept=True)  # with copies, see above
    marked = var(Map[Process, Set[Message]])  # delivered in the current activation, still in G

    def release(self, p: Process, m: Message) -> None:
        self.seen[p].add(m)
        self.graph[p].add(m)
        self.deliver_front(p)
        batch = self.eligible(p)
        while len(batch) > 0:
            self.graph[p] -= batch
            rest = batch - self.marked[p]
            self.marked[p] = set()
            for x in sorted(rest):
                self.deliver(p, x)
            self.deliver_front(p)
            batch = self.eligible(p)

    def deliver_front(self, p: Process) -> None:
        """The pseudo-code of Section 5: one scan."""
        for m in sorted(self.front(p) - self.marked[p]):
            self.marked[p].add(m)
            self.deliver(p, m)

    @rule
    def front(self, p: Process) -> Set[Message]:
        """The sources that the scan reaches and delivers, those delivered before included."""
        candidates = self.candidates(p)
        sources = self.sources(p)
        found = set()
        for m in sorted(candidates):
            if not self.in_reach(p, m):
                break
            if m in sources:
                if not self.settled(p, m):
                    break
                found = found | {m}
            elif not self.passed_over(p, m):
                break
        return found

    @rule
    def in_reach(self, p: Process, m: Message) -> bool:
        """Every processor before the sender of m has voted."""
        return all(any(self.sender(x) == q for x in self.voters(p)) for q in self.Process if q < self.sender(m))

    @rule
    def settled(self, p: Process, m: Message) -> bool:
        """Source m stays a source whatever the unseen votes are."""
        return self.nvt(p, m) > self.phi or self.enough_voted(p)

    @rule
    def passed_over(self, p: Process, m: Message) -> bool:
        """Candidate m cannot become a source any more."""
        return self.hopeless(p, m) and any(self.must_win(p, j, m) for j in self.candidates(p))

    properties = [NoDuplication, NoCreation, CausalOrder, PrefixOrder, DeliveredOnceAllVoted]

    expect = [
        holds(at={"workload": (1, 1, 1)}, distinct=2_235, transitions=7_716),
        holds(at={"workload": (2, 2)}),
        holds(at={"workload": (1, 1, 1, 1), "phi": 1}, distinct=594_169, transitions=3_495_920),
        holds(at={"workload": (1, 1, 1, 1), "phi": 2}),
    ]


class OutOfReach(GLToTo):
    """EDIT: the scan does not stop at a processor that has not voted."""

    @rule
    def in_reach(self, p, m):
        return True

    expect = [
        violates(PrefixOrder, at={"workload": (1, 1), "phi": 2}, only=[PrefixOrder], steps=4),
        violates(PrefixOrder, at={"workload": (1, 1, 1)}, only=[PrefixOrder], steps=4),
    ]


class UnsettledSources(GLToTo):
    """EDIT: any source at the front is delivered, settled or not."""

    @rule
    def settled(self, p, m):
        return True

    expect = [
        violates(PrefixOrder, at={"workload": (1, 1, 1), "phi": 1}, only=[PrefixOrder], steps=6),
        violates(PrefixOrder, at={"workload": (1, 1, 1, 1), "phi": 1}, only=[PrefixOrder], steps=8),
        violates(PrefixOrder, at={"workload": (1, 1, 1, 1), "phi": 2}, only=[PrefixOrder], steps=9),
    ]


class PassOverAll(GLToTo):
    """EDIT: every candidate that is no source now is passed over."""

    @rule
    def passed_over(self, p, m):
        return True

    expect = [
        violates(PrefixOrder, at={"workload": (1, 1, 1, 1), "phi": 1}, only=[PrefixOrder], steps=9),
        violates(PrefixOrder, at={"workload": (1, 1, 1, 1), "phi": 2}, only=[PrefixOrder], steps=9),
    ]


class PassOverHopeless(GLToTo):
    """EDIT: a hopeless candidate is passed over even if it has lost to nobody."""

    @rule
    def passed_over(self, p, m):
        return self.hopeless(p, m)

    expect = [
        holds(at={"workload": (1, 1, 1, 1), "phi": 1}, only=[PrefixOrder]),
        violates(PrefixOrder, at={"workload": (1, 1, 1, 1), "phi": 2}, only=[PrefixOrder], steps=9),
    ]


class PassOverLosers(GLToTo):
    """EDIT: a candidate that has lost is passed over even if it is not hopeless."""

    @rule
    def passed_over(self, p, m):
        return any(self.must_win(p, j, m) for j in self.candidates(p))

    expect = [
        violates(PrefixOrder, at={"workload": (1, 1, 1, 1), "phi": 1}, only=[PrefixOrder], steps=9),
        holds(at={"workload": (1, 1, 1, 1), "phi": 2}, only=[PrefixOrder]),
    ]


class StopAtNonSources(GLToTo):
    """EDIT: the scan stops at the first candidate that is no source."""

    @rule
    def passed_over(self, p, m):
        return False

    expect = [
        holds(at={"workload": (1, 1, 1, 1), "phi": 1}, only=[PrefixOrder]),
        holds(at={"workload": (1, 1, 1, 1), "phi": 2}, only=[PrefixOrder]),
    ]
