"""Learners of another group while the leader of the deciding group is replaced (Figure 2, after a leader change).

Rule: as in learners, acceptors confirm to every learner, and each counts for itself. A second leader asks a majority
of the acceptors what they have accepted, keeps that, gives the places that are left to the messages that are left, and
asks the acceptors to accept all places under its own ballot. A learner takes a place as decided once a majority has
confirmed the same message there under the same ballot.

Source: "Optimistic Atomic Multicast in One Communication Delay", 2011, Section 4.4 and Figure 2. What the text leaves
open is what Paxos needs: ballots (L. Lamport, "The part-time parliament", ACM TOCS 16(2), 1998).

Below: two leaders, no crash; an acceptor that has answered the second leader accepts nothing of the first any more.
Places stand for final timestamps. The second leader may have the messages in any order, as its group has them by a
multicast that orders no two senders.

Found. What repairs the order of learners with one leader repairs it with two: places taken in ascending order, or FIFO
channels all the way, if the second leader asks for all places again, from the first on. One that asks only for places
of which it has not heard (OnlyNewPlaces) leaves learners without a majority for the others.
"""

from __future__ import annotations

from checker.language import (
    Bool,
    Ids,
    Int,
    Map,
    Model,
    Optional,
    Record,
    Seq,
    Set,
    action,
    choose,
    const,
    holds,
    invariant,
    quiescent,
    require,
    rule,
    var,
    violates,
)


class LearnersTwoLeaders(Model):
    """Section 4.4 as it stands, with two leaders."""

    acceptors = const(2, "how many acceptors the group has")
    learners = const(1, "how many processes of other groups learn")
    messages = const(2, "how many messages there are, and how many places")

    Acceptor = Ids("a", acceptors)
    Learner = Ids("l", learners)
    Message = Ids("m", messages)
    Place = Ids("s", messages)
    Vote = Record(ballot=Int(1, 2), message=Message)
    Confirmation = Record(place=Place, vote=Vote)

    accepted = var(Map[Acceptor, Map[Place, Optional[Vote]]])
    promised = var(Set[Acceptor])  # who has answered the second leader
    begun = var(Bool, False)  # the second leader has heard of a majority
    plan = var(Map[Place, Optional[Message]])  # what the second leader asks for
    confirmed = var(Map[Acceptor, Seq[Confirmation, messages * 2]])
    heard = var(Map[Learner, Map[Acceptor, Set[Confirmation]]])
    delivered = var(Map[Learner, Seq[Message, messages]])

    @rule
    def reaches_acceptor(self, a: Acceptor, s: Place, ballot: Int(1, 2)) -> bool:  # type: ignore[valid-type]
        """What the leader of this ballot asks for place s may come to a now."""
        return True

    @rule
    def reaches_learner(self, q: Learner, a: Acceptor, c: Confirmation) -> bool:
        """This confirmation of a may come to q now."""
        return True

    @rule
    def in_turn(self, q: Learner, s: Place) -> bool:
        """q may take place s as decided now."""
        return True

    @rule
    def asked_again(self, s: Place) -> bool:
        """The second leader asks for place s."""
        return True

    @rule
    def has(self, a: Acceptor, s: Place, ballot: Int(1, 2)) -> bool:  # type: ignore[valid-type]
        """a has accepted place s under this ballot or a later one."""
        vote = self.accepted[a][s]
        return vote is not None and vote.ballot >= ballot

    @action
    def accept(self, a: Acceptor, s: Place) -> None:
        """a accepts what the first leader asks for place s: the message of the same number."""
        require(a not in self.promised and not self.has(a, s, 1) and self.reaches_acceptor(a, s, 1))
        self.take(a, s, self.Vote(1, self.Message[s.index]))

    @action
    def promise(self, a: Acceptor) -> None:
        """a answers the second leader, and accepts nothing of the first any more."""
        require(a not in self.promised)
        self.promised.add(a)

    @action
    def take_over(self) -> None:
        """The second leader has heard of a majority: it keeps what was accepted, and fills the other places."""
        require(not self.begun and 2 * len(self.promised) > len(self.Acceptor))
        self.begun = True
        for s in self.Place:
            for a in self.promised:
                vote = self.accepted[a][s]
                if vote is not None:
                    self.plan[s] = vote.message
        for s in self.Place:
            if self.plan[s] is None:
                self.plan[s] = choose({m for m in self.Message if all(self.plan[x] != m for x in self.Place)})

    @action
    def accept_again(self, a: Acceptor, s: Place) -> None:
        """a accepts what the second leader asks for place s."""
        m = self.plan[s]
        require(m is not None and a in self.promised and not self.has(a, s, 2) and self.asked_again(s))
        require(self.reaches_acceptor(a, s, 2))
        if m is not None:
            self.take(a, s, self.Vote(2, m))

    def take(self, a: Acceptor, s: Place, vote: Vote) -> None:
        """a accepts, and confirms it to the learners."""
        self.accepted[a][s] = vote
        self.confirmed[a].append(self.Confirmation(s, vote))

    @action
    def hear(self, q: Learner, a: Acceptor, c: Confirmation) -> None:
        """A confirmation comes."""
        require(c in self.confirmed[a] and c not in self.heard[q][a] and self.reaches_learner(q, a, c))
        self.heard[q][a].add(c)

    @rule
    def decided(self, q: Learner, s: Place, m: Message) -> bool:
        """A majority has confirmed m for place s to q, under one ballot."""
        return any(
            2 * len({a for a in self.Acceptor if self.Confirmation(s, self.Vote(b, m)) in self.heard[q][a]})
            > len(self.Acceptor)
            for b in (1, 2)
        )

    @rule
    def settled(self, q: Learner, s: Place) -> bool:
        """q knows what stands at place s."""
        return any(self.decided(q, s, m) for m in self.Message)

    @action
    def deliver(self, q: Learner, s: Place) -> None:
        """q has its majority."""
        require(self.settled(q, s) and self.in_turn(q, s))
        m = min(x for x in self.Message if self.decided(q, s, x))
        require(m not in self.delivered[q])
        self.delivered[q].append(m)

    @rule
    def stands(self, m: Message, s: Place) -> bool:
        """A majority of the acceptors has confirmed m for place s under one ballot."""
        return any(
            2 * len({a for a in self.Acceptor if self.Confirmation(s, self.Vote(b, m)) in self.confirmed[a]})
            > len(self.Acceptor)
            for b in (1, 2)
        )

    @invariant
    def one_message_at_a_place(self) -> bool:
        """Learners that take a place as decided take the same message."""
        return all(
            not (self.stands(m, s) and self.stands(x, s))
            for s in self.Place
            for m in self.Message
            for x in self.Message
            if m < x
        )

    @invariant
    def in_the_order_of_places(self) -> bool:
        """Lemma 6 and atomic order, at learners: who delivers two messages has them in the order of their places."""
        return all(
            s < x
            for q in self.Learner
            for j in range(len(self.delivered[q]))
            for i in range(j)
            for s in self.Place
            for x in self.Place
            if self.stands(self.delivered[q][i], s) and self.stands(self.delivered[q][j], x)
        )

    @quiescent
    def everything_delivered(self) -> bool:
        """In the end each learner has everything."""
        return all(m in self.delivered[q] for q in self.Learner for m in self.Message)

    expect = [
        violates("in_the_order_of_places", at={"acceptors": 1}, steps=6),
        violates("in_the_order_of_places", steps=10),
    ]


class CallbackInOrder(LearnersTwoLeaders):
    """REPAIR: a learner takes places in ascending order, whatever it hears first."""

    @rule
    def in_turn(self, q, s):
        return len(self.delivered[q]) == s.index

    expect = holds(distinct=39_594)


class FifoThroughout(LearnersTwoLeaders):
    """REPAIR: FIFO channels from each leader to the acceptors and from them to the learners."""

    @rule
    def reaches_acceptor(self, a, s, ballot):
        return all(self.has(a, x, ballot) for x in self.Place if x < s and (ballot == 1 or self.asked_again(x)))

    @rule
    def reaches_learner(self, q, a, c):
        return all(
            self.confirmed[a][j] in self.heard[q][a]
            for i in range(len(self.confirmed[a]))
            if self.confirmed[a][i] == c
            for j in range(i)
        )

    @rule
    def in_turn(self, q, s):
        """Of several that are decided the first."""
        return not any(
            self.settled(q, x) and not any(self.decided(q, x, m) and m in self.delivered[q] for m in self.Message)
            for x in self.Place
            if x < s
        )

    expect = [holds(distinct=1_273), holds(at={"learners": 2}), holds(at={"acceptors": 3}, distinct=65_429)]


class OnlyNewPlaces(FifoThroughout):
    """EDIT: the second leader asks only for places of which it has heard nothing."""

    @rule
    def asked_again(self, s):
        return not any(self.has(a, s, 1) and not self.has(a, s, 2) for a in self.promised)

    expect = violates("everything_delivered", steps=7)
