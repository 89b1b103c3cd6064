"""Learners of another group: acceptors confirm to them directly, and each counts for itself (Figure 2).

Rule: the leader of a group has given its messages places, and asks the acceptors to accept them. An acceptor that
accepts one confirms it to every learner. A learner takes a place as decided once it has confirmations of a majority,
and delivers what stands there.

Source: "Optimistic Atomic Multicast in One Communication Delay", 2011, Section 4.4 and Figure 2: "the processes in G'
receive the confirmation message from the acceptors of G, so no extra communication step is needed".

Below: one leader that does not change, no crash; places stand for final timestamps, which grow with them. The learners
are processes of other groups, which nothing else holds up: as the text says, a message is itself the barrier of its
group. What they have to deliver they have had since the multicast (learners_timestamps: it comes apart).

Readings. Algorithm 3 sends a decided message on by a FIFO multicast; confirmations are sent by Paxos, whose messages
are in no order. Section 4.3 lets instances "make a callback to decide in ascending order of instance id", which is
said of the group itself (CallbackInOrder says it of learners too). To whom is a message confirmed that is not for the
group of a learner? "Each process in the groups of receiversFrom(G) would be a learner": to all.

Found. Without any order two learners take two messages in opposite orders, with a single acceptor already. Callbacks
in ascending order repair it, if every learner hears of every place: if only destinations do (DestinationsOnly) they
wait for ever. FIFO channels all the way repair it too, with any majority, and need no confirmations to strangers; with
FIFO from the leader alone (FifoToAcceptors) the order is lost. Where places carry timestamps that the learner raises
itself, confirmations to destinations alone do not suffice (learners_timestamps:DestinationsOnly).
"""

from __future__ import annotations

from checker.language import (
    Ids,
    Map,
    Model,
    Seq,
    Set,
    action,
    const,
    derived,
    holds,
    invariant,
    quiescent,
    require,
    rule,
    var,
    violates,
)


class Learners(Model):
    """Section 4.4 as it stands."""

    acceptors = const(1, "how many acceptors the group has")
    learners = const(2, "how many processes of other groups learn")
    places = const(2, "how many messages have got a place")
    addressed = const(derived(lambda c: (12,) * c.places), "which learners the message at each place is for, by digits")

    Acceptor = Ids("a", acceptors)
    Learner = Ids("l", learners)
    Place = Ids("s", places)
    table = derived(lambda c: tuple(str(q + 1) in str(which) for which in c.addressed for q in range(c.learners)))

    accepted = var(Map[Acceptor, Set[Place]])
    heard = var(Map[Learner, Map[Acceptor, Set[Place]]])
    delivered = var(Map[Learner, Seq[Place, places]])

    @rule
    def destination(self, q: Learner, s: Place) -> bool:
        """The message at place s is for q."""
        return self.table[s.index * len(self.Learner) + q.index]

    @rule
    def told(self, q: Learner, s: Place) -> bool:
        """Acceptors confirm place s to q."""
        return True

    @rule
    def reaches_acceptor(self, a: Acceptor, s: Place) -> bool:
        """What the leader asks for place s may come to a now."""
        return True

    @rule
    def reaches_learner(self, q: Learner, a: Acceptor, s: Place) -> bool:
        """The confirmation of a for place s may come to q now."""
        return True

    @rule
    def in_turn(self, q: Learner, s: Place) -> bool:
        """q may take place s as decided now: of several the one with the smallest timestamp (Algorithm 3, l. 41)."""
        return not any(
            self.decided(q, x) and self.destination(q, x) and x not in self.delivered[q] for x in self.Place if x < s
        )

    @rule
    def decided(self, q: Learner, s: Place) -> bool:
        """A majority has confirmed place s to q."""
        return 2 * len({a for a in self.Acceptor if s in self.heard[q][a]}) > len(self.Acceptor)

    @action
    def accept(self, a: Acceptor, s: Place) -> None:
        """a accepts what the leader asks for place s, and confirms it to the learners."""
        require(s not in self.accepted[a] and self.reaches_acceptor(a, s))
        self.accepted[a].add(s)

    @action
    def hear(self, q: Learner, a: Acceptor, s: Place) -> None:
        """A confirmation comes."""
        require(s in self.accepted[a] and s not in self.heard[q][a] and self.told(q, s))
        require(self.reaches_learner(q, a, s))
        self.heard[q][a].add(s)

    @action
    def deliver(self, q: Learner, s: Place) -> None:
        """q has its majority."""
        require(self.decided(q, s) and self.destination(q, s) and s not in self.delivered[q] and self.in_turn(q, s))
        self.delivered[q].append(s)

    @invariant
    def in_the_order_of_timestamps(self) -> bool:
        """Lemma 6 and atomic order, at learners."""
        return all(
            self.delivered[q][i] < self.delivered[q][j]
            for q in self.Learner
            for j in range(len(self.delivered[q]))
            for i in range(j)
        )

    @quiescent
    def everything_delivered(self) -> bool:
        """In the end each learner has what is for it."""
        return all(s in self.delivered[q] for q in self.Learner for s in self.Place if self.destination(q, s))

    expect = [
        violates("in_the_order_of_timestamps", steps=6),
        violates("in_the_order_of_timestamps", at={"acceptors": 3}, steps=10),
        holds(at={"places": 1, "acceptors": 3}),
    ]


class CallbackInOrder(Learners):
    """REPAIR: a learner takes places in ascending order, whatever it hears first."""

    @rule
    def in_turn(self, q, s):
        return all(self.decided(q, x) for x in self.Place if x < s) and all(
            x in self.delivered[q] for x in self.Place if x < s and self.destination(q, x)
        )

    expect = [
        holds(),
        holds(at={"acceptors": 3}),
        holds(at={"acceptors": 3, "addressed": (1, 12)}),
        holds(at={"acceptors": 3, "learners": 1, "places": 3}),
    ]


class DestinationsOnly(CallbackInOrder):
    """EDIT: places are confirmed to those only that the message is for."""

    @rule
    def told(self, q, s):
        return self.destination(q, s)

    expect = [holds(), violates("everything_delivered", at={"addressed": (1, 12)}, only=["everything_delivered"])]


class FifoToAcceptors(Learners):
    """EDIT: acceptors accept places in their order, as in optimistic_multicast_paxos:InOrder; confirmations may
    overtake each other."""

    @rule
    def reaches_acceptor(self, a, s):
        return all(x in self.accepted[a] for x in self.Place if x < s)

    expect = violates("in_the_order_of_timestamps", steps=6)


class FifoThroughout(FifoToAcceptors):
    """REPAIR: FIFO channels from the leader to the acceptors and from them to the learners, to destinations only."""

    @rule
    def told(self, q, s):
        return self.destination(q, s)

    @rule
    def reaches_learner(self, q, a, s):
        return all(x in self.heard[q][a] for x in self.Place if x < s and self.told(q, x))

    expect = [
        holds(),
        holds(at={"acceptors": 3}),
        holds(at={"acceptors": 3, "addressed": (1, 12)}),
        holds(at={"acceptors": 3, "learners": 1, "places": 3}),
    ]
