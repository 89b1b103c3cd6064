"""G-ToTo, the generalized ToTo rules: early delivery by a minority of votes, if enough processors have voted at all.

Rule: as s_toto, for every phi from 1 to n (and 0, see below). A candidate with more than phi votes is a source whatever
the others have. Internal stability asks more of the other candidates: they can no longer reach phi + 1 votes. External
stability asks that at most phi votes are unseen, so that an unseen message cannot get more than phi votes.

Source: Johnson and Maugis, "New Rules for Early Delivery in an Atomic Multicast System", University of Florida, 1994,
Section 4.

Readings. Ntail(G) >= n - phi or > n - phi (the print is damaged): the proof below the rule needs only that at most phi
votes are unseen, so the main class takes >=. The paper restricts phi to 1..n, where the print may have lost the bars
that let it be 1 and n. With 0 every candidate is a source and everybody must have voted; with n and n - 1 nothing is
early: in all three cases this is wait_for_all. For phi <= n/2 two candidates can win over each other; the rule for
internal stability excludes that case.
"""

from __future__ import annotations

from checker.language import holds, rule, violates
from checker.models.s_toto import SToTo
from checker.properties.early_delivery import ActivationAgreement, PrefixOrder


class GToTo(SToTo):
    """Section 4, Generalized ToTo Delivery Rules."""

    Process = SToTo.Process
    Message = SToTo.Message

    @rule
    def source(self, p, m):
        return self.nvt(p, m) > self.phi or not any(self.may_win(p, j, m) for j in self.candidates(p) if j != m)

    @rule
    def hopeless(self, p: Process, m: Message) -> bool:
        """m cannot get more than phi votes any more."""
        return self.nvt(p, m) + self.unseen(p) <= self.phi

    @rule
    def internally_stable(self, p, sources):
        return all(
            self.hopeless(p, m) and any(self.must_win(p, s, m) for s in sources)
            for m in self.candidates(p)
            if m not in sources
        )

    @rule
    def enough_voted(self, p: Process) -> bool:
        """At most phi votes are unseen."""
        return self.tail(p) >= len(self.Process) - self.phi

    @rule
    def externally_stable(self, p, sources):
        return self.enough_voted(p) and any(self.nvt(p, s) > self.phi for s in sources)

    expect = [
        holds(at={"workload": (2, 2, 1), "phi": 1}, distinct=221_999, transitions=913_342),
        holds(at={"workload": (1, 1, 1, 1), "phi": 1}, distinct=594_169, transitions=3_495_920),
        holds(at={"workload": (1, 1, 1, 1), "phi": 2}),
        holds(at={"workload": (1, 1, 1, 1), "phi": 3}),
    ]


class MoreThanNMinusPhi(GToTo):
    """The reading Ntail(G) > n - phi."""

    @rule
    def enough_voted(self, p):
        return self.tail(p) > len(self.Process) - self.phi

    expect = [holds(), holds(at={"workload": (1, 1, 1, 1), "phi": 1}), holds(at={"workload": (1, 1, 1, 1), "phi": 2})]


class BelowPhi(GToTo):
    """The reading nvt(i) + u < phi of internal stability, with the letters as they stand: a stricter early rule, under
    which a processor waits for all votes where another has delivered early."""

    @rule
    def hopeless(self, p, m):
        return self.nvt(p, m) + self.unseen(p) < self.phi

    expect = violates(
        PrefixOrder,
        ActivationAgreement,
        at={"workload": (1, 1, 1), "phi": 1},
        only=[PrefixOrder, ActivationAgreement],
        steps=8,
    )


class OneMoreUnseen(GToTo):
    """EDIT: one more vote may be unseen (Ntail(G) >= n - phi - 1)."""

    @rule
    def enough_voted(self, p):
        return self.tail(p) >= len(self.Process) - self.phi - 1

    expect = violates(
        PrefixOrder,
        ActivationAgreement,
        at={"workload": (1, 1, 1, 1), "phi": 1},
        only=[PrefixOrder, ActivationAgreement],
        steps=8,
    )


class UnseenIgnored(GToTo):
    """EDIT: it does not matter how many have voted; with phi < n/2 these are the S-ToTo conditions for external
    stability."""

    @rule
    def enough_voted(self, p):
        return True

    expect = violates(
        PrefixOrder,
        ActivationAgreement,
        at={"workload": (1, 1, 1, 1), "phi": 1},
        only=[PrefixOrder, ActivationAgreement],
        steps=8,
    )


class LosersMayGrow(GToTo):
    """EDIT: a candidate that has lost need not be hopeless."""

    @rule
    def hopeless(self, p, m):
        return True

    expect = violates(
        PrefixOrder,
        ActivationAgreement,
        at={"workload": (1, 1, 1, 1), "phi": 1},
        only=[PrefixOrder, ActivationAgreement],
        steps=10,
    )


class HopelessIsEnough(GToTo):
    """EDIT: a hopeless candidate need not have lost to a source. Safe up to five processors; with six and phi = 3 a
    hopeless candidate that has lost to nobody becomes a source with the last votes (vote_vectors)."""

    @rule
    def internally_stable(self, p, sources):
        return all(self.hopeless(p, m) for m in self.candidates(p) if m not in sources)

    expect = [holds(at={"workload": (1, 1, 1, 1), "phi": 1}), holds(at={"workload": (2, 2, 1), "phi": 1})]


class PhiVotes(GToTo):
    """EDIT: phi votes make a source and external stability (>= for >)."""

    @rule
    def source(self, p, m):
        return self.nvt(p, m) >= self.phi or not any(self.may_win(p, j, m) for j in self.candidates(p) if j != m)

    @rule
    def externally_stable(self, p, sources):
        return self.enough_voted(p) and any(self.nvt(p, s) >= self.phi for s in sources)

    expect = [
        violates(
            PrefixOrder,
            ActivationAgreement,
            at={"workload": (1, 1), "phi": 1},
            only=[PrefixOrder, ActivationAgreement],
            steps=4,
        ),
        violates(
            PrefixOrder,
            ActivationAgreement,
            at={"workload": (1, 1, 1), "phi": 1},
            only=[PrefixOrder, ActivationAgreement],
            steps=7,
        ),
    ]


class NoVotesForSources(GToTo):
    """EDIT: only being unbeatable makes a source, as in S-ToTo."""

    @rule
    def source(self, p, m):
        return not any(self.may_win(p, j, m) for j in self.candidates(p) if j != m)

    expect = [holds(at={"workload": (1, 1, 1, 1), "phi": 1}), holds(at={"workload": (2, 2, 1), "phi": 1})]


class BelowPhiMoreThan(BelowPhi):
    """The reading nvt(i) + u < phi of internal stability with Ntail(G) > n - phi: one vote less may be unseen, and a
    candidate that can still get phi votes is waited for in both conditions."""

    @rule
    def enough_voted(self, p):
        return self.tail(p) > len(self.Process) - self.phi

    expect = [
        holds(at={"workload": (1, 1, 1), "phi": 1}),
        holds(at={"workload": (2, 1, 1), "phi": 1}),
        holds(at={"workload": (1, 1, 1, 1), "phi": 1}),
        holds(at={"workload": (1, 1, 1, 1), "phi": 2}),
    ]
