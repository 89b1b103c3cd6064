"""ToTo: the early delivery rules of Dolev, Kramer and Malki, as printed by Johnson and Maugis.

Rule: as in s_toto, with one more condition for early delivery (rule 1b): the tail of every source, that is the
processors that sent a message following it, counts at least n - phi. Section 3 of the paper calls this part redundant;
s_toto leaves it out.

Source: Johnson and Maugis, "New Rules for Early Delivery in an Atomic Multicast System", University of Florida, 1994,
Section 3, "ToTo Delivery Rules"; after Dolev, Kramer and Malki, "Total ordering of messages in broadcast domains",
1992.

The printed bound is damaged ("> n- 1"): Ntail(s') >= n - phi or > n - phi, or either with n - 1; and the tail of a
message contains its own sender or not. The main class takes >= n - phi without the sender; the seven other readings
are variants.

Found: the extra condition is not redundant but harmful, in every reading. The tail of a source can grow at one
processor before the last votes come in, and stay short at another, which then delivers all candidates by the default
rule. Three processors and four messages show it in the main reading and in TailOfAll with phi = 1, where s_toto holds;
which numbers of processors do for phi = n/2 and for phi > n/2 is in docs/findings.md. The smallest repair is to leave
the condition out: s_toto. Three edits below keep it and hold.
"""

from __future__ import annotations

from checker.language import holds, rule, violates
from checker.models.s_toto import SToTo
from checker.properties.early_delivery import ActivationAgreement, PrefixOrder


class ToTo(SToTo):
    """Section 3, ToTo Delivery Rules; the tail of a message is strict, the bound is not."""

    Process = SToTo.Process
    Message = SToTo.Message

    @rule
    def tail_of(self, p: Process, m: Message) -> int:
        """Ntail(m): how many processors sent a message in G that follows m."""
        return len({self.sender(x) for x in self.graph[p] if m in self.past[x]})

    @rule
    def long_tail(self, p: Process, m: Message) -> bool:
        """The second condition of rule 1b."""
        return self.tail_of(p, m) >= len(self.Process) - self.phi

    @rule
    def externally_stable(self, p, sources):
        return any(self.nvt(p, s) > self.phi for s in sources) and all(self.long_tail(p, s) for s in sources)

    expect = [
        holds(at={"workload": (1, 1, 1, 1)}, distinct=594_169, transitions=3_495_920),
        holds(at={"workload": (2, 1, 1)}),
        violates(
            PrefixOrder,
            ActivationAgreement,
            at={"workload": (1, 1, 2), "phi": 1},
            only=[PrefixOrder, ActivationAgreement],
            steps=10,
        ),
    ]  # with phi = n/2 six processors show it: two_views:ToToViews


class StrictTail(ToTo):
    """The reading Ntail(s') > n - phi."""

    @rule
    def long_tail(self, p, m):
        return self.tail_of(p, m) > len(self.Process) - self.phi

    expect = [
        violates(
            PrefixOrder,
            ActivationAgreement,
            at={"workload": (2, 1, 2), "phi": 1},
            only=[PrefixOrder, ActivationAgreement],
            steps=13,
        ),
        violates(PrefixOrder, at={"workload": (1, 1, 1, 2)}, only=[PrefixOrder], steps=13),
    ]


class OwnTail(ToTo):
    """The reading in which the sender of a message is in its tail."""

    @rule
    def tail_of(self, p, m):
        return len({self.sender(x) for x in self.graph[p] if m in self.past[x] or x == m})

    # five processors: two_views:OwnTailViews
    expect = [holds(), holds(at={"workload": (1, 1, 1, 1)}), holds(at={"workload": (1, 1, 2), "phi": 1})]


class StrictOwnTail(OwnTail):
    """The reading Ntail(s') > n - phi with the sender of a message in its tail."""

    long_tail = StrictTail.long_tail

    expect = violates(
        PrefixOrder,
        ActivationAgreement,
        at={"workload": (2, 1, 1), "phi": 1},
        only=[PrefixOrder, ActivationAgreement],
        steps=11,
    )


class TailOfAll(ToTo):
    """The reading Ntail(s') >= n - 1: the letters as they stand, the lost bar put back."""

    @rule
    def long_tail(self, p, m):
        return self.tail_of(p, m) >= len(self.Process) - 1

    expect = [
        violates(
            PrefixOrder,
            ActivationAgreement,
            at={"workload": (1, 1, 2), "phi": 1},
            only=[PrefixOrder, ActivationAgreement],
            steps=10,
        ),
        violates(PrefixOrder, at={"workload": (1, 1, 1, 2)}, only=[PrefixOrder], steps=13),
    ]


class MoreThanAllButOne(ToTo):
    """The reading Ntail(s') > n - 1, with all letters as they stand: everybody has sent a message that follows."""

    @rule
    def long_tail(self, p, m):
        return self.tail_of(p, m) > len(self.Process) - 1

    expect = [
        holds(at={"workload": (2, 1, 1), "phi": 1}, only=[PrefixOrder, ActivationAgreement]),
        violates(
            PrefixOrder,
            ActivationAgreement,
            at={"workload": (2, 2, 1), "phi": 1},
            only=[PrefixOrder, ActivationAgreement],
            steps=13,
        ),
    ]


class OwnTailOfAll(OwnTail):
    """The reading Ntail(s') > n - 1 with the sender of a message in its tail."""

    long_tail = MoreThanAllButOne.long_tail

    expect = violates(
        PrefixOrder,
        ActivationAgreement,
        at={"workload": (2, 1, 1), "phi": 1},
        only=[PrefixOrder, ActivationAgreement],
        steps=11,
    )


class OwnTailButOne(OwnTail):
    """The reading Ntail(s') >= n - 1 with the sender of a message in its tail."""

    long_tail = TailOfAll.long_tail

    # as OwnTail with phi = 1; five processors: two_views:OwnTailButOneViews
    expect = [holds(at={"workload": (1, 1, 1, 1)}), holds(at={"workload": (1, 1, 2), "phi": 1})]


WHERE_THE_CONDITION_HARMS = [
    holds(at={"workload": (1, 1, 2), "phi": 1}),
    holds(at={"workload": (2, 1, 1), "phi": 1}),
    holds(at={"workload": (1, 1, 1, 1)}),
]


class SourcesByDefault(ToTo):
    """EDIT: the default rule delivers the sources, if there are any, and not all candidates."""

    @rule
    def default(self, p):
        sources = self.sources(p)
        if self.tail(p) < len(self.Process):
            return set()
        return sources if len(sources) > 0 else self.candidates(p)

    expect = WHERE_THE_CONDITION_HARMS


class VotersInTails(ToTo):
    """EDIT: only first messages count for a tail: those that vote."""

    @rule
    def tail_of(self, p, m):
        return sum(1 for x in self.voters(p) if m in self.past[x])

    expect = WHERE_THE_CONDITION_HARMS


class TailOfGraph(ToTo):
    """EDIT: the tail of the graph must be long, not that of each source."""

    @rule
    def long_tail(self, p, m):
        return self.tail(p) >= len(self.Process) - self.phi

    expect = WHERE_THE_CONDITION_HARMS


class OneLongTail(ToTo):
    """EDIT: one source with votes and a long tail suffices."""

    @rule
    def externally_stable(self, p, sources):
        return any(self.nvt(p, s) > self.phi and self.long_tail(p, s) for s in sources)

    expect = [
        violates(
            PrefixOrder,
            ActivationAgreement,
            at={"workload": (1, 1, 2), "phi": 1},
            only=[PrefixOrder, ActivationAgreement],
            steps=10,
        ),
        holds(at={"workload": (1, 1, 1, 1)}, only=[PrefixOrder, ActivationAgreement]),
    ]


class TailsWithoutVotes(ToTo):
    """EDIT: long tails suffice, whatever the votes."""

    @rule
    def externally_stable(self, p, sources):
        return len(sources) > 0 and all(self.long_tail(p, s) for s in sources)

    expect = [
        violates(
            PrefixOrder,
            ActivationAgreement,
            at={"workload": (1, 1), "phi": 2},
            only=[PrefixOrder, ActivationAgreement],
            steps=4,
        ),
        violates(
            PrefixOrder,
            ActivationAgreement,
            at={"workload": (1, 1, 1)},
            only=[PrefixOrder, ActivationAgreement],
            steps=8,
        ),
        holds(at={"workload": (1, 1, 1, 1)}, only=[PrefixOrder, ActivationAgreement]),
    ]
