"""Vote vectors: the early delivery rules on nothing but who has voted for whom.

The rules of toto, s_toto, g_toto and gl_toto ask of a causality graph only which candidates the first message of each
processor votes for (and toto, who has sent anything after a candidate). So they can be compared, by `checker rules`,
over all vote vectors of n processors and every threshold, without messages, networks and orders of arrival:

    checker rules vote_vectors vote_vectors:ToToVotes --each workload=1x3..8 --each phi=0..8 --assuming 'well_formed()'

A state is one vector for each processor: the candidates that its first message votes for. A candidate votes for itself
alone; the first message of any other processor follows some candidate, so it votes for one at least; no vote at all
means not seen yet. Every such assignment comes from a causality graph: let each first message follow exactly what it
votes for. With `longer` processors may have sent further messages, which vote for nothing but put their senders into
the tails of whatever they follow.

As a model it casts the votes in every order and claims stability: what the early rule once delivers, it delivers after
any further votes. And it claims agreement: a processor that has all votes, but has heard of no further message,
delivers the same. Only the rules of toto can tell the two apart. Stability for n processors says more than a search of
the network can: a first activation has no other graphs, and what is left of a graph after an activation is such a graph
again, so it covers every number of messages. For gl_toto it is claimed besides that what the scan tells inside the
activation is the beginning of what the activation delivers.

Source: Johnson and Maugis 1994, Sections 3 and 4, as in s_toto and g_toto.
"""

from __future__ import annotations

from checker.language import (
    Invariant,
    Map,
    Seq,
    Set,
    action,
    choose,
    const,
    draw,
    holds,
    invariant,
    require,
    rule,
    var,
    violates,
)
from checker.language.multicast import Multicast, total
from checker.models.g_toto import (
    BelowPhi,
    GToTo,
    HopelessIsEnough,
    LosersMayGrow,
    MoreThanNMinusPhi,
    NoVotesForSources,
    OneMoreUnseen,
    UnseenIgnored,
)
from checker.models.g_toto import PhiVotes as PhiVotesMinority
from checker.models.gl_toto import GLToTo
from checker.models.s_toto import (
    DefaultFirst,
    DefaultForSources,
    NobodyWonYet,
    NoExternalTest,
    NoInternalTest,
    PhiVotes,
    PhiVotesWin,
    SToTo,
)
from checker.models.toto import (
    MoreThanAllButOne,
    OneLongTail,
    OwnTail,
    OwnTailButOne,
    OwnTailOfAll,
    SourcesByDefault,
    StrictOwnTail,
    StrictTail,
    TailOfAll,
    TailOfGraph,
    TailsWithoutVotes,
    ToTo,
    VotersInTails,
)


class stable(Invariant):
    """Further votes do not change what the early rule has delivered."""

    def holds(self):
        return len(self.decided) == 0 or self.eligible(self.Process[0]) == self.decided

    def explain(self) -> str:
        p = self.Process[0]
        return f"{p} has delivered {self.decided}; by the rule it would now deliver {self.eligible(p)}."


class agreed(Invariant):
    """Who has all votes, but has heard of no further message, delivers what the early rule has delivered to the
    first."""

    def holds(self):
        return all(
            self.eligible(q) == self.decided
            for q in self.Process
            if q != self.Process[0] and len(self.decided) > 0 and self.tail(q) == len(self.Process)
        )

    def explain(self, q) -> str:  # type: ignore[no-untyped-def]
        early = f"{self.Process[0]} delivered {self.decided} early"
        return f"{early}, but {q}, which has the same votes and no further message, delivers {self.eligible(q)}."


class Votes:
    """Puts vote vectors in the place of the causality graph."""

    Process = Multicast.Process
    Message = Multicast.Message

    net = insert = send = multicast = past = seen = graph = sent = delivered = marked = release = None  # no messages
    workload = const((1, 1, 1), "one for each processor: its first message")
    longer = const(False, "processors may have sent further messages")

    voted = var(Map[Message, Set[Message]])  # the candidates that a first message votes for
    following = var(Map[Message, Set[Process]])  # the tail of a candidate
    decided = var(Set[Message])  # what the early rule has delivered first
    outcome = ("decided",)

    @rule
    def well_formed(self) -> bool:
        """The vectors come from a causality graph."""
        return all(
            self.voted[x] == {x} if x in self.voted[x] else all(m in self.voted[m] for m in self.voted[x])
            for x in self.Message
        ) and all(self.tail_fits(m) for m in self.Message)

    @rule
    def tail_fits(self, m: Message) -> bool:
        """The tail of m holds whoever votes for it, and with `longer` any others that have sent something; without m it
        is empty."""
        least = {self.sender(x) for x in self.Message if m in self.voted[x] and x != m}
        most = (
            {self.sender(x) for x in self.Message if len(self.voted[x]) > 0}
            if self.longer and m in self.voted[m]
            else least
        )
        return least <= self.following[m] and self.following[m] <= most

    @rule
    def candidates(self, p: Process) -> Set[Message]:
        return {m for m in self.Message if m in self.voted[m]}

    @rule
    def voters(self, p: Process) -> Set[Message]:
        return {x for x in self.Message if len(self.voted[x]) > 0}

    @rule
    def vote(self, x: Message, m: Message) -> bool:
        return m in self.voted[x]

    @rule
    def heard_after(self, p: Process, m: Message) -> Set[Process]:
        """The tail of m as far as p knows it: the first processor has heard everything, the others nothing but first
        messages."""
        return (
            self.following[m]
            if p == self.Process[0]
            else {self.sender(x) for x in self.voters(p) if self.vote(x, m) and x != m}
        )

    @rule
    def fires(self, p: Process) -> bool:
        """The early rule delivers something."""
        return len(self.early(p)) > 0

    @action
    def propose(self, m: Message) -> None:
        """The first message of a processor that follows nothing in the graph: a candidate."""
        require(len(self.voted[m]) == 0)
        self.voted[m] = {m}
        self.decide()

    @action
    def cast(self, x: Message) -> None:
        """The first message of a processor that follows some candidates."""
        require(len(self.voted[x]) == 0)
        chosen = choose(self.Candidates)
        require(len(chosen) > 0 and all(m in self.voted[m] for m in chosen))
        self.voted[x] = chosen
        for m in sorted(chosen):
            self.following[m].add(self.sender(x))
        self.decide()

    @action
    def follow(self, q: Process, m: Message) -> None:
        """A further message of q follows candidate m."""
        require(
            self.longer
            and m in self.voted[m]
            and q not in self.following[m]
            and any(self.sender(x) == q for x in self.voters(q))
        )
        self.following[m].add(q)
        self.decide()

    def decide(self) -> None:
        """The early rule is tried after each message."""
        if len(self.decided) == 0 and self.fires(self.Process[0]):
            self.decided = self.early(self.Process[0])

    @invariant
    def proper(self) -> bool:
        return self.well_formed()

    picture = [
        draw.lane("voted", "votes", "{0} votes for {value}"),
        draw.lane("following", "votes", "{value} sends after {0}"),
        draw.lane("decided", "votes", "p1 delivers {value} first"),
        draw.step("propose", "{m} is a candidate"),
        draw.step("cast", "{x} votes"),
        draw.step("follow", "send more after {m}"),
    ]

    Candidates = Set[Message]
    properties = [stable, agreed]


# further messages lengthen tails, whatever the rule
FURTHER = holds(at={"workload": (1, 1, 1, 1), "longer": True}, distinct=110_017)


class SToToVotes(Votes, SToTo):
    """The rules of s_toto."""

    expect = [
        holds(at={"workload": (1, 1, 1)}),
        holds(at={"workload": (1, 1, 1, 1)}),
        holds(at={"workload": (1, 1, 1, 1, 1, 1)}, distinct=18_306),
        FURTHER,
        # a fourth processor that does not vote
        violates("stable", at={"workload": (1, 1, 1, 0), "phi": 1}, only=["stable"], steps=3),
    ]


class ToToVotes(Votes, ToTo):
    """The rules of toto: every source has a long tail too."""

    @rule
    def tail_of(self, p, m):
        return len(self.heard_after(p, m))

    expect = [
        holds(at={"workload": (1, 1, 1, 1)}),
        FURTHER,
        violates("agreed", at={"workload": (1, 1, 1), "phi": 1, "longer": True}, only=["agreed"], steps=4),
        violates("agreed", at={"workload": (1, 1, 1, 1, 1), "phi": 2, "longer": True}, only=["agreed"], steps=6),
        violates("agreed", at={"workload": (1, 1, 1, 1, 1, 1), "phi": 3, "longer": True}, only=["agreed"], steps=7),
    ]


class OwnTailVotes(Votes, OwnTail):
    """The rules of toto with the sender of a message in its tail."""

    @rule
    def tail_of(self, p, m):
        return len(self.heard_after(p, m) | {self.sender(m)})

    expect = [
        holds(at={"workload": (1, 1, 1, 1)}),
        FURTHER,
        holds(at={"workload": (1, 1, 1), "phi": 1, "longer": True}, distinct=825),
        violates("agreed", at={"workload": (1, 1, 1, 1, 1), "phi": 2, "longer": True}, only=["agreed"], steps=6),
        violates("agreed", at={"workload": (1, 1, 1, 1, 1, 1), "phi": 3, "longer": True}, only=["agreed"], steps=7),
    ]


class StrictTailVotes(ToToVotes, StrictTail):
    """The rules of toto with Ntail(s') > n - phi."""

    expect = [
        holds(at={"workload": (1, 1, 1, 1)}),
        violates("agreed", at={"workload": (1, 1, 1), "phi": 1, "longer": True}, only=["agreed"], steps=5),
        violates("agreed", at={"workload": (1, 1, 1, 1), "longer": True}, only=["agreed"], steps=5),
    ]


class TailOfAllVotes(ToToVotes, TailOfAll):
    """The rules of toto with Ntail(s') >= n - 1."""

    expect = [
        holds(at={"workload": (1, 1, 1, 1)}),
        violates("agreed", at={"workload": (1, 1, 1), "phi": 1, "longer": True}, only=["agreed"], steps=4),
        violates("agreed", at={"workload": (1, 1, 1, 1), "longer": True}, only=["agreed"], steps=5),
        violates("agreed", at={"workload": (1, 1, 1, 1, 1), "phi": 3, "longer": True}, only=["agreed"], steps=6),
    ]


class SourcesByDefaultVotes(ToToVotes, SourcesByDefault):
    """The edit toto:SourcesByDefault."""

    expect = [FURTHER, *(holds(at={"workload": (1, 1, 1), "phi": phi, "longer": True}) for phi in (1, 2, 3))]


class TailOfGraphVotes(ToToVotes, TailOfGraph):
    """The edit toto:TailOfGraph."""

    expect = [FURTHER, *(holds(at={"workload": (1, 1, 1), "phi": phi, "longer": True}) for phi in (1, 2, 3))]


class GToToVotes(Votes, GToTo):
    """The rules of g_toto."""

    @invariant
    def default_delivers_the_sources(self) -> bool:
        """Section 5: when all have voted and the early rule does not fire, every candidate is a source."""
        p = self.Process[0]
        return self.tail(p) < len(self.Process) or self.fires(p) or self.sources(p) == self.candidates(p)

    expect = [
        holds(at={"workload": (1, 1, 1, 1)}),
        *(holds(at={"workload": (1, 1, 1, 1, 1), "phi": phi}) for phi in range(6)),
        FURTHER,
    ]


class MoreThanNMinusPhiVotes(GToToVotes, MoreThanNMinusPhi):
    """The rules of g_toto with Ntail(G) > n - phi."""

    expect = [FURTHER, *(holds(at={"workload": (1, 1, 1, 1, 1), "phi": phi}) for phi in range(6))]


class GLToToVotes(GToToVotes, GLToTo):
    """The rules of gl_toto: in an activation the scan tells sources before it is decided."""

    Process = Votes.Process
    Message = Votes.Message

    told = var(Seq[Message, total])  # in the order in which the scan came to them

    def decide(self) -> None:
        """The scan comes first."""
        p = self.Process[0]
        if len(self.decided) == 0:
            for m in sorted(self.front(p)):
                if m not in self.told:
                    self.told.append(m)
            if self.fires(p):
                self.decided = self.early(p)

    @invariant
    def told_in_order(self) -> bool:
        """What the scan has told is the beginning of what is delivered, early or in the end, in the order of the
        senders."""
        batch = self.eligible(self.Process[0])
        return len(batch) == 0 or all(
            self.told[i] in batch and len({x for x in batch if x < self.told[i]}) == i for i in range(len(self.told))
        )

    expect = [
        holds(at={"workload": (1, 1, 1, 1), "longer": True}, distinct=110_405),
        *(holds(at={"workload": (1, 1, 1, 1, 1), "phi": phi}) for phi in range(6)),
    ]


class PhiVotesVotes(Votes, PhiVotes):
    """The edit s_toto:PhiVotes."""

    expect = violates("stable", at={"workload": (1, 1)}, only=["stable"])


class PhiVotesWinVotes(Votes, PhiVotesWin):
    """The edit s_toto:PhiVotesWin."""

    expect = violates("stable", at={"workload": (1, 1, 1, 1, 0), "phi": 2}, only=["stable"], steps=4)


class NoInternalTestVotes(Votes, NoInternalTest):
    """The edit s_toto:NoInternalTest."""

    expect = [
        holds(at={"workload": (1, 1, 1, 1)}),
        FURTHER,
        violates("stable", at={"workload": (1, 1, 1, 1, 1), "phi": 2}, only=["stable"], steps=5),
    ]


class NoExternalTestVotes(Votes, NoExternalTest):
    """The edit s_toto:NoExternalTest."""

    expect = violates("stable", at={"workload": (1, 1)}, only=["stable"])


class NobodyWonYetVotes(Votes, NobodyWonYet):
    """The edit s_toto:NobodyWonYet."""

    expect = [FURTHER, violates("stable", at={"workload": (1, 1, 1, 1, 1), "phi": 2}, only=["stable"])]


class DefaultForSourcesVotes(Votes, DefaultForSources):
    """The edit s_toto:DefaultForSources."""

    expect = [FURTHER, holds(at={"workload": (1, 1, 1), "phi": 1})]


class DefaultFirstVotes(Votes, DefaultFirst):
    """The edit s_toto:DefaultFirst."""

    expect = violates("stable", at={"workload": (1, 1, 1), "phi": 1}, only=["stable"])


class StrictOwnTailVotes(OwnTailVotes, StrictOwnTail):
    """The rules of toto with Ntail(s') > n - phi and the sender of a message in its tail."""

    expect = [
        violates("agreed", at={"workload": (1, 1, 1), "phi": 1, "longer": True}, only=["agreed"]),
        holds(at={"workload": (1, 1, 1, 1), "phi": 2, "longer": True}, only=["agreed"]),
        violates(
            "agreed", at={"workload": (1,) * 6, "phi": 3, "longer": True}, only=["agreed"], steps=7, thorough=True
        ),
    ]


class MoreThanAllButOneVotes(ToToVotes, MoreThanAllButOne):
    """The rules of toto with Ntail(s') > n - 1."""

    expect = [
        holds(at={"workload": (1, 1, 1, 1), "phi": 3, "longer": True}, only=["agreed"]),
        violates("agreed", at={"workload": (1, 1, 1, 1), "phi": 2, "longer": True}, only=["agreed"]),
        violates("agreed", at={"workload": (1, 1, 1, 1, 1), "phi": 3, "longer": True}, only=["agreed"]),
    ]


class OwnTailOfAllVotes(OwnTailVotes, OwnTailOfAll):
    """The rules of toto with Ntail(s') > n - 1 and the sender of a message in its tail."""

    expect = [
        holds(at={"workload": (1, 1, 1, 1), "phi": 3, "longer": True}, only=["agreed"]),
        violates("agreed", at={"workload": (1, 1, 1, 1), "phi": 2, "longer": True}, only=["agreed"]),
        violates("agreed", at={"workload": (1, 1, 1, 1, 1), "phi": 3, "longer": True}, only=["agreed"]),
    ]


class OwnTailButOneVotes(OwnTailVotes, OwnTailButOne):
    """The rules of toto with Ntail(s') >= n - 1 and the sender of a message in its tail."""

    expect = [
        holds(at={"workload": (1, 1, 1, 1), "phi": 2, "longer": True}, only=["agreed"]),
        violates("agreed", at={"workload": (1, 1, 1, 1, 1), "phi": 2, "longer": True}, only=["agreed"], steps=6),
    ]


class VotersInTailsVotes(Votes, VotersInTails):
    """The edit toto:VotersInTails."""

    @rule
    def tail_of(self, p, m):
        return sum(1 for x in self.voters(p) if self.vote(x, m) and x != m)

    expect = [FURTHER, *(holds(at={"workload": (1, 1, 1), "phi": phi, "longer": True}) for phi in (1, 2, 3))]


class OneLongTailVotes(ToToVotes, OneLongTail):
    """The edit toto:OneLongTail."""

    expect = violates("agreed", at={"workload": (1, 1, 1), "phi": 1, "longer": True}, only=["agreed"])


class TailsWithoutVotesVotes(ToToVotes, TailsWithoutVotes):
    """The edit toto:TailsWithoutVotes."""

    expect = violates("stable", at={"workload": (1, 1), "phi": 2}, only=["stable"])


class BelowPhiVotes(GToToVotes, BelowPhi):
    """The rules of g_toto with nvt(i) + u < phi."""

    expect = violates("stable", at={"workload": (1, 1, 1), "phi": 1}, only=["stable"])


class OneMoreUnseenVotes(GToToVotes, OneMoreUnseen):
    """The edit g_toto:OneMoreUnseen."""

    expect = violates("stable", at={"workload": (0, 1, 1, 1), "phi": 1}, only=["stable"])


class UnseenIgnoredVotes(GToToVotes, UnseenIgnored):
    """The edit g_toto:UnseenIgnored."""

    expect = violates("stable", at={"workload": (0, 1, 1, 1), "phi": 1}, only=["stable"])


class LosersMayGrowVotes(GToToVotes, LosersMayGrow):
    """The edit g_toto:LosersMayGrow."""

    expect = violates("stable", at={"workload": (1, 1, 1, 1), "phi": 1}, only=["stable"])


class HopelessIsEnoughVotes(GToToVotes, HopelessIsEnough):
    """The edit g_toto:HopelessIsEnough."""

    expect = [
        FURTHER,
        *(holds(at={"workload": (1, 1, 1, 1, 1), "phi": phi}, only=["stable"]) for phi in range(1, 5)),
        violates("stable", at={"workload": (1, 1, 1, 1, 1, 1), "phi": 3}, only=["stable"], steps=6),
    ]


class PhiVotesMinorityVotes(GToToVotes, PhiVotesMinority):
    """The edit g_toto:PhiVotes."""

    expect = violates("stable", at={"workload": (1, 1), "phi": 1}, only=["stable"])


class NoVotesForSourcesVotes(GToToVotes, NoVotesForSources):
    """The edit g_toto:NoVotesForSources."""

    expect = [
        FURTHER,
        *(holds(at={"workload": (1, 1, 1, 1, 1, 1), "phi": phi}, only=["stable"]) for phi in range(1, 6)),
    ]
