"""Two views of one causality graph: the early delivery rules without the network.

Two processors, the watchers, insert the messages of a common causality graph, each in an order of its own that respects
causality, and apply the rules of wait_for_all, toto, s_toto, g_toto or gl_toto. The other processors only multicast:
each of their messages follows any set of messages closed under causality. A message comes into being when the first
watcher inserts it. A watcher's own message follows all it has seen and enters its graph at once; with `late` it may
enter later, as when it comes back from a network.

With `late` this is between the two watchers the whole protocol, without it the protocol in which a processor inserts
its own messages at once; a disagreement found here is one of the protocol (tests/models/test_early_delivery_routes.py
compares the two). It reaches more processors and messages than the models with a network; check every pair of watchers
that the workload does not make equal. Renaming processors changes nothing but the order of senders, so
ActivationAgreement need only be checked up to renaming; it implies PrefixOrder.

Source: Johnson and Maugis 1994, as in wait_for_all. The property "no matter in what order the causality DAG is
revealed" is from Section 2.
"""

from __future__ import annotations

from checker.language import Set, action, choose, const, derived, holds, require, rule, violates
from checker.language.multicast import Multicast
from checker.models.g_toto import GToTo, HopelessIsEnough, MoreThanNMinusPhi, NoVotesForSources
from checker.models.gl_toto import GLToTo
from checker.models.s_toto import (
    DefaultForSources,
    DirectVotes,
    LatestVote,
    NobodyWonYet,
    NoInternalTest,
    PhiVotesWin,
    SToTo,
)
from checker.models.toto import OwnTail, OwnTailButOne, StrictTail, TailOfAll, ToTo
from checker.models.wait_for_all import WaitForAll
from checker.properties.early_delivery import ActivationAgreement, PrefixOrder


class Views:
    """Puts two watchers in the place of the network."""

    Process = Multicast.Process
    Message = Multicast.Message
    History = Set[Message]

    net = insert = None  # no network

    watchers = const((1, 2), "the numbers of the two processors that deliver")
    flat = const(False, "messages follow only messages that follow nothing: reaches further, proves less")
    late = const(False, "a watcher's own message may enter its graph later than it is multicast")
    watching_table = derived(lambda c: tuple(i + 1 in c.watchers for i in range(c.processes)))

    @rule
    def watches(self, p: Process) -> bool:
        """p is a watcher."""
        return self.watching_table[p.index]

    @rule
    def allowed(self, past: Set[Message]) -> bool:
        """A message may have this past."""
        return not self.flat or all(len(self.past[x]) == 0 for x in past)

    def send(self, p: Process, m: Message) -> None:
        """A watcher's own message; the others multicast in `reveal`."""
        require(self.watches(p) and self.allowed(self.seen[p]))
        self.past[m] = self.seen[p] | self.earlier_own(m)
        if not self.late:
            self.release(p, m)

    @action
    def reveal(self, p: Process, m: Message) -> None:
        """Watcher p inserts m: of another processor, or with `late` its own."""
        q = self.sender(m)
        require(self.watches(p) and (q != p or self.late) and m not in self.seen[p])
        if not self.was_multicast(m):
            require(not self.watches(q) and self.number(m) == self.sent[q])
            past = choose(self.History)
            require(
                past <= self.seen[p]
                and self.earlier_own(m) <= past
                and all(self.past[x] <= past for x in past)
                and self.allowed(past)
            )
            self.past[m] = past
            self.sent[q] += 1
            self.emit.multicast(q, m)
        require(self.past[m] <= self.seen[p])
        self.release(p, m)

    properties = [PrefixOrder, ActivationAgreement]


class SToToViews(Views, SToTo):
    """The rules of s_toto."""

    expect = [
        holds(at={"workload": (1, 1, 1, 2)}, distinct=19_621),
        holds(at={"workload": (1, 1, 1, 1, 1)}, distinct=75_571),
        holds(at={"workload": (1, 1, 1, 1, 1), "phi": 2}),
        holds(at={"workload": (1, 1, 1, 1, 2)}),
        holds(at={"workload": (1, 1, 1, 1, 1, 1), "flat": True}),
        holds(at={"workload": (1, 1, 1, 1, 1, 1)}, distinct=3_493_571, thorough=True),
        holds(at={"workload": (2, 1, 1, 1, 1, 1), "flat": True}, thorough=True),
        violates(PrefixOrder, ActivationAgreement, at={"workload": (1, 1, 1, 1), "phi": 1}, steps=4),
    ]


class GToToViews(Views, GToTo):
    """The rules of g_toto."""

    expect = [
        holds(at={"workload": (2, 2, 2), "phi": 1}),
        holds(at={"workload": (1, 1, 1, 1, 2), "phi": 1}),
        holds(at={"workload": (1, 1, 1, 1, 2), "phi": 2}),
        holds(at={"workload": (1, 1, 1, 1, 2), "phi": 3}),
        holds(at={"workload": (1, 1, 1, 1, 2), "phi": 4}),
        holds(at={"workload": (1, 1, 1, 1, 1, 1), "phi": 2, "flat": True}),
    ]


class MoreThanNMinusPhiViews(Views, MoreThanNMinusPhi):
    """The rules of g_toto with Ntail(G) > n - phi."""

    expect = [
        *(holds(at={"workload": (1, 1, 1, 1, 1), "phi": phi}) for phi in (1, 2)),
        holds(at={"workload": (2, 1, 1, 1), "phi": 1}),
    ]


class GLToToViews(Views, GLToTo):
    """The rules of gl_toto; its activations have no common moment."""

    properties = [PrefixOrder]
    expect = [
        holds(at={"workload": (1, 1, 1, 1, 2), "phi": 1}),
        holds(at={"workload": (1, 1, 1, 1, 2), "phi": 2}),
        holds(at={"workload": (1, 1, 1, 1, 2), "phi": 3}),
        holds(at={"workload": (1, 1, 1, 1, 2), "phi": 4}),
        holds(at={"workload": (1, 1, 1, 1, 1, 1), "phi": 2, "flat": True}, thorough=True),
    ]


class ToToViews(Views, ToTo):
    """The rules of toto, main reading: the condition that S-ToTo leaves out is not redundant, it breaks the agreement.

    A processor that sees the tail of a source grow before it has heard of everybody delivers the sources alone; one
    that hears of everybody first delivers all candidates by the default rule.
    """

    expect = [
        holds(at={"workload": (1, 1, 1, 1, 2)}),
        holds(at={"workload": (1, 1, 1, 1, 1, 1), "flat": True}),
        violates(PrefixOrder, ActivationAgreement, at={"workload": (1, 1, 2), "phi": 1}, steps=6),
        violates(
            ActivationAgreement,
            at={"workload": (2, 1, 1, 1, 1, 1), "flat": True},
            only=[ActivationAgreement],
            steps=12,
            thorough=True,
        ),
    ]


class StrictTailViews(Views, StrictTail):
    """The rules of toto with Ntail(s') > n - phi."""

    expect = [
        violates(PrefixOrder, ActivationAgreement, at={"workload": (2, 1, 2), "phi": 1}, steps=8),
        violates(PrefixOrder, ActivationAgreement, at={"workload": (1, 1, 1, 2)}, steps=8),
    ]


class OwnTailViews(Views, OwnTail):
    """The rules of toto with the sender of a message in its tail."""

    expect = [
        holds(at={"workload": (2, 2, 2), "phi": 1}),
        violates(ActivationAgreement, at={"workload": (2, 1, 1, 1, 1), "phi": 2}, only=[ActivationAgreement], steps=11),
        violates(
            ActivationAgreement,
            at={"workload": (2, 1, 1, 1, 1, 1), "flat": True},
            only=[ActivationAgreement],
            steps=13,
            thorough=True,
        ),
    ]


class OwnTailButOneViews(Views, OwnTailButOne):
    """The rules of toto with Ntail(s') >= n - 1 and the sender of a message in its tail."""

    expect = violates(
        ActivationAgreement, at={"workload": (2, 1, 1, 1, 1), "phi": 2}, only=[ActivationAgreement], steps=10
    )


class TailOfAllViews(Views, TailOfAll):
    """The rules of toto with Ntail(s') >= n - 1."""

    expect = [
        violates(PrefixOrder, ActivationAgreement, at={"workload": (1, 1, 2), "phi": 1}, steps=6),
        violates(PrefixOrder, ActivationAgreement, at={"workload": (1, 1, 1, 2)}, steps=8),
        violates(ActivationAgreement, at={"workload": (2, 1, 1, 1, 1), "phi": 3}, only=[ActivationAgreement], steps=10),
    ]


class WaitForAllViews(Views, WaitForAll):
    """The rule of wait_for_all."""

    expect = holds(at={"workload": (1, 1, 1, 2)}, distinct=19_621)


class PhiVotesWinViews(Views, PhiVotesWin):
    """The edit s_toto:PhiVotesWin."""

    expect = [
        violates(PrefixOrder, ActivationAgreement, at={"workload": (1, 1, 1), "phi": 1}, steps=5),
        violates(PrefixOrder, ActivationAgreement, at={"workload": (1, 1, 1, 1, 1), "phi": 2}, steps=8),
    ]


class NoInternalTestViews(Views, NoInternalTest):
    """The edit s_toto:NoInternalTest."""

    expect = violates(PrefixOrder, ActivationAgreement, at={"workload": (1, 1, 1, 1, 1), "phi": 2}, steps=8)


class NobodyWonYetViews(Views, NobodyWonYet):
    """The edit s_toto:NobodyWonYet."""

    expect = violates(PrefixOrder, ActivationAgreement, at={"workload": (1, 1, 1, 1, 1), "phi": 2}, steps=7)


class LatestVoteViews(Views, LatestVote):
    """The edit s_toto:LatestVote."""

    expect = [
        violates(PrefixOrder, ActivationAgreement, at={"workload": (1, 1, 2), "phi": 1}, steps=6),
        violates(PrefixOrder, ActivationAgreement, at={"workload": (1, 1, 1, 2)}, steps=8),
    ]


class DirectVotesViews(Views, DirectVotes):
    """The edit s_toto:DirectVotes."""

    expect = holds(at={"workload": (1, 1, 1, 1, 2)})


class DefaultForSourcesViews(Views, DefaultForSources):
    """The edit s_toto:DefaultForSources."""

    expect = holds(at={"workload": (1, 1, 1, 1, 2)})


class HopelessIsEnoughViews(Views, HopelessIsEnough):
    """The edit g_toto:HopelessIsEnough."""

    expect = [
        holds(at={"workload": (1, 1, 1, 1, 2), "phi": 1}),
        holds(at={"workload": (1, 1, 1, 1, 1), "phi": 2}),
        violates(
            PrefixOrder, ActivationAgreement, at={"workload": (1, 1, 1, 1, 1, 1), "phi": 3, "flat": True}, steps=10
        ),
    ]


class NoVotesForSourcesViews(Views, NoVotesForSources):
    """The edit g_toto:NoVotesForSources."""

    expect = [holds(at={"workload": (1, 1, 1, 1, 2), "phi": 1}), holds(at={"workload": (1, 1, 1, 1, 1), "phi": 2})]
