"""S-ToTo, the simplified ToTo rules: deliver the sources early once one of them has more than phi votes.

Rule: on the causality graph G of wait_for_all, the first message in G of each processor votes for every candidate that
it follows or is. Candidate a beats b by the votes for a that are not for b; it wins with more than phi. A candidate is
a source if no other candidate can still win over it, were all unseen votes against it. When every other candidate has
lost to a source for good (internal stability) and some source has more than phi votes (external stability), the sources
are delivered. Otherwise wait_for_all's rule is the default. After each activation the delivered messages leave G, all
votes are counted anew, and the rules are tried again until none fires.

Source: Johnson and Maugis, "New Rules for Early Delivery in an Atomic Multicast System", University of Florida, 1994,
Section 3.

Readings. The paper asks for phi > n/2 in the text and measures phi = n/2; both are checked here, and smaller ones as
violating edits of that condition. phi goes from 0 to n. With n and n - 1 nothing is early: no candidate has more votes,
or everybody has voted by then, for the only candidate there is, so this is wait_for_all. With 0, which Section 4
excludes too, a single vote wins: whoever has one candidate in G delivers it at once, and from two processors on they
disagree. A candidate is compared with the *other* candidates only: compared with itself it would have no votes plus the
unseen ones, and u > phi would disqualify it; wherever the early rule can fire, u < n - phi <= phi, so nothing depends
on it.
"""

from __future__ import annotations

from checker.language import Set, const, derived, draw, holds, rule, violates
from checker.language.errors import UsageError
from checker.models.wait_for_all import WaitForAll
from checker.properties.early_delivery import ActivationAgreement, PrefixOrder


class SToTo(WaitForAll):
    """Section 3, Simplified ToTo Delivery Rules."""

    Process = WaitForAll.Process
    Message = WaitForAll.Message

    phi = const(derived(lambda c: (c.processes + 1) // 2), "votes that do not suffice: one more wins")

    @classmethod
    def complete(cls, given):
        """As for any multicast, and phi from 0, where one vote wins, to n, where all votes do not."""
        found = super().complete(given)
        n, phi = (given | found).get("processes", len(cls.workload.default)), given.get("phi", 0)
        if isinstance(phi, int) and not 0 <= phi <= n:
            raise UsageError(f"phi={phi}: a threshold for {n} processors is from 0 to {n}")
        return found

    @rule
    def vote(self, x: Message, m: Message) -> bool:
        """VV: the first message x of a processor votes for candidate m."""
        return x == m or m in self.past[x]

    @rule
    def nvt(self, p: Process, m: Message) -> int:
        """How many votes m has."""
        return sum(1 for x in self.voters(p) if self.vote(x, m))

    @rule
    def votes(self, p: Process, a: Message, b: Message) -> int:
        """How many votes a has that b does not have."""
        return sum(1 for x in self.voters(p) if self.vote(x, a) and not self.vote(x, b))

    @rule
    def unseen(self, p: Process) -> int:
        """u: how many processors have not voted."""
        return len(self.Process) - self.tail(p)

    @rule
    def may_win(self, p: Process, a: Message, b: Message) -> bool:
        """1 in Future(a, b): a wins over b in some extension of G."""
        return self.votes(p, a, b) + self.unseen(p) > self.phi

    @rule
    def must_win(self, p: Process, a: Message, b: Message) -> bool:
        """Future(a, b) = {1}: a has won over b."""
        return self.votes(p, a, b) > self.phi

    @rule
    def source(self, p: Process, m: Message) -> bool:
        """Candidate m is in SG: no other candidate can win over it."""
        return not any(self.may_win(p, j, m) for j in self.candidates(p) if j != m)

    @rule
    def sources(self, p: Process) -> Set[Message]:
        """SG."""
        return {m for m in self.candidates(p) if self.source(p, m)}

    @rule
    def internally_stable(self, p: Process, sources: Set[Message]) -> bool:
        """1a: every candidate that is not a source has lost to one."""
        return all(any(self.must_win(p, s, m) for s in sources) for m in self.candidates(p) if m not in sources)

    @rule
    def externally_stable(self, p: Process, sources: Set[Message]) -> bool:
        """1b: an unseen message would lose to a source that more than phi have voted for."""
        return any(self.nvt(p, s) > self.phi for s in sources)

    @rule
    def early(self, p: Process) -> Set[Message]:
        """The early delivery rule."""
        sources = self.sources(p)
        return sources if self.internally_stable(p, sources) and self.externally_stable(p, sources) else set()

    @rule
    def eligible(self, p):
        early = self.early(p)
        return early if len(early) > 0 else self.default(p)

    picture = [draw.aside("seen")]

    expect = [
        holds(at={"workload": (2, 1, 1)}, distinct=17_695, transitions=67_480),
        holds(at={"workload": (1, 1, 1, 1)}, distinct=594_169, transitions=3_495_920),
        # n odd: the whole part of n/2 will do, since phi + 1 votes are then a majority
        holds(at={"workload": (2, 1, 1), "phi": 1}),
        violates(
            PrefixOrder,
            ActivationAgreement,
            at={"workload": (1, 1, 1, 1), "phi": 1},
            only=[PrefixOrder, ActivationAgreement],
            steps=8,
        ),
    ]


class PhiVotes(SToTo):
    """EDIT: phi votes suffice for external stability (>= for >)."""

    @rule
    def externally_stable(self, p, sources):
        return any(self.nvt(p, s) >= self.phi for s in sources)

    expect = violates(
        PrefixOrder, ActivationAgreement, at={"workload": (1, 1)}, only=[PrefixOrder, ActivationAgreement], steps=4
    )


class PhiVotesWin(SToTo):
    """EDIT: phi votes suffice to win (>= for >), now and in the future."""

    @rule
    def may_win(self, p, a, b):
        return self.votes(p, a, b) + self.unseen(p) >= self.phi

    @rule
    def must_win(self, p, a, b):
        return self.votes(p, a, b) >= self.phi

    expect = [
        holds(),
        holds(at={"workload": (1, 1, 1, 1)}),  # phi = n/2 holds; for n odd, phi < n/2 is one vote too few
        violates(
            PrefixOrder,
            ActivationAgreement,
            at={"workload": (1, 1, 1), "phi": 1},
            only=[PrefixOrder, ActivationAgreement],
            steps=8,
        ),
    ]


class NoInternalTest(SToTo):
    """EDIT: the internal stability test is skipped."""

    @rule
    def internally_stable(self, p, sources):
        return True

    expect = [holds(), holds(at={"workload": (1, 1, 1, 1)})]  # but see two_views:NoInternalTestViews


class NoExternalTest(SToTo):
    """EDIT: the external stability test is skipped."""

    @rule
    def externally_stable(self, p, sources):
        return len(sources) > 0

    expect = violates(
        PrefixOrder, ActivationAgreement, at={"workload": (1, 1)}, only=[PrefixOrder, ActivationAgreement], steps=4
    )


class NobodyWonYet(SToTo):
    """EDIT: a candidate is a source if nobody has won over it, whatever the unseen votes will be."""

    @rule
    def source(self, p, m):
        return not any(self.must_win(p, j, m) for j in self.candidates(p) if j != m)

    expect = [holds(), holds(at={"workload": (1, 1, 1, 1)})]  # but see two_views:NobodyWonYetViews


class DirectVotes(SToTo):
    """EDIT: votes are not transitive: a message votes only for candidates that it follows with nothing between."""

    @rule
    def vote(self, x, m):
        return x == m or (m in self.past[x] and not any(m in self.past[y] for y in self.past[x]))

    expect = [holds(), holds(at={"workload": (1, 1, 1, 1)})]


class LatestVote(SToTo):
    """EDIT: the last message of a processor votes, not its first."""

    @rule
    def voters(self, p):
        return {
            x
            for x in self.graph[p]
            if not any(self.sender(y) == self.sender(x) and x in self.past[y] for y in self.graph[p])
        }

    expect = [
        holds(),
        holds(at={"workload": (1, 1, 1, 1)}),
        violates(
            PrefixOrder,
            ActivationAgreement,
            at={"workload": (1, 1, 2), "phi": 1},
            only=[PrefixOrder, ActivationAgreement],
            steps=10,
        ),
        violates(
            PrefixOrder,
            ActivationAgreement,
            at={"workload": (1, 1, 1, 2)},
            only=[PrefixOrder, ActivationAgreement],
            thorough=True,
        ),
    ]


class DefaultFirst(SToTo):
    """EDIT: the default rule is tried before the early rule."""

    @rule
    def eligible(self, p):
        default = self.default(p)
        return default if len(default) > 0 else self.early(p)

    expect = [
        violates(
            PrefixOrder,
            ActivationAgreement,
            at={"workload": (1, 1, 1), "phi": 1},
            only=[PrefixOrder, ActivationAgreement],
            steps=8,
        ),
        violates(
            PrefixOrder,
            ActivationAgreement,
            at={"workload": (1, 1, 1, 1)},
            only=[PrefixOrder, ActivationAgreement],
            steps=11,
        ),
    ]


class DefaultForSources(SToTo):
    """EDIT: the default rule delivers the sources too, not all candidates, if there are any."""

    @rule
    def default(self, p):
        sources = self.sources(p)
        if self.tail(p) < len(self.Process):
            return set()
        return sources if len(sources) > 0 else self.candidates(p)

    expect = [holds(), holds(at={"workload": (1, 1, 1, 1)})]
