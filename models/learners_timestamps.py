"""Learners of another group that are sent timestamps only: the message comes apart, and each learner infers its final
timestamp (Figure 2).

Rule: as in learners, acceptors confirm places to the learners. What they confirm is a timestamp; the message itself is
multicast to its destinations in the beginning. A learner raises the timestamp of a place above those before it, as the
deciding group does, and takes it for the barrier of that group. It delivers the smallest message that it has.

Source: "Optimistic Atomic Multicast in One Communication Delay", 2011, Section 4.4 and Figure 2: "only the timestamp of
m is proposed", and the processes of G' "are able to infer the final timestamp of each message from G". Delivery as in
Algorithm 3 (lines 14 and 40 to 42), with barriers that let an equal timestamp pass (repaired line 40).

Below: one leader, no crash, callbacks in ascending order of places, which repairs the order of learners. `stamps` are
the timestamps as proposed. With `other` each learner has a message of another group with that timestamp, from which no
more is to come; of equal timestamps that message is behind.

Readings. A learner knows of a place before it has the message. Algorithm 3 puts a message into `stamped` when it has
come (main class); or a place whose message is missing holds up those behind it (WaitsForMessage).

Found. Callbacks in order do not suffice if only messages that are there count: the later message is delivered first.
With places that wait for their messages the order holds. Learners that hear only of places of their own messages, which
FIFO channels allow as far as the order of places goes, infer different timestamps, and deliver the message of another
group and one of this group in opposite orders (DestinationsOnly); unless the leader proposes what is final
(FinalTimestamps).
"""

from __future__ import annotations

from checker.language import Map, Set, action, const, derived, holds, invariant, require, rule, var, violates
from checker.models.learners import FifoThroughout, Learners

ONE = {"learners": 1}
LATE = {"stamps": (2, 1), "other": 2}  # the second message is raised above the first
STRANGER = {"stamps": (2, 2), "other": 2, "addressed": (1, 12)}  # one learner need not hear of the first place
THREE = {"acceptors": 3}


class LearnersTimestamps(Learners):
    """Section 4.4 with callbacks in order: what has come counts."""

    Learner = Learners.Learner
    Place = Learners.Place

    stamps = const(derived(lambda c: tuple(range(1, c.places + 1))), "the timestamps as proposed, place by place")
    other = const(0, "the timestamp of a message of another group that all learners have; 0: there is none")

    has = var(Map[Learner, Set[Place]])  # whose message has come
    other_delivered = var(Set[Learner])
    before_other = var(Map[Learner, Set[Place]])  # what was delivered before the message of the other group

    @rule
    def taken(self, q: Learner, s: Place) -> bool:
        """q has been handed place s: in ascending order."""
        return all(self.decided(q, x) for x in self.Place if x <= s)

    @rule
    def stamp(self, q: Learner, s: Place) -> int:
        """The timestamp of place s as q infers it: above those before it (l. 29 and 30)."""
        last = 0
        for x in self.Place:
            if x <= s and self.taken(q, x):
                last = max(self.stamps[x.index], last + 1)
        return last

    @rule
    def counts(self, q: Learner, s: Place) -> bool:
        """The message at place s may hold up others at q."""
        return s in self.has[q]

    @rule
    def stamped(self, q: Learner, s: Place) -> bool:
        """Place s is to be delivered by q (l. 14)."""
        return self.taken(q, s) and self.destination(q, s) and s not in self.delivered[q] and self.counts(q, s)

    @rule
    def other_first(self, q: Learner, s: Place) -> bool:
        """q is still to deliver the message of the other group, and that before place s."""
        return 0 < self.other < self.stamp(q, s) and q not in self.other_delivered

    @action
    def fetch(self, q: Learner, s: Place) -> None:
        """The message comes, by the multicast of its sender."""
        require(self.destination(q, s) and s not in self.has[q])
        self.has[q].add(s)

    @action
    def deliver(self, q: Learner, s: Place) -> None:
        """The smallest timestamp (l. 40 and 41); the place is the barrier of its own group."""
        require(self.stamped(q, s) and s in self.has[q] and not self.other_first(q, s))
        require(not any(self.stamped(q, x) and self.stamp(q, x) < self.stamp(q, s) for x in self.Place))
        self.delivered[q].append(s)

    @action
    def deliver_other(self, q: Learner) -> None:
        """The message of the other group, once this group has sent a barrier."""
        require(self.other > 0 and q not in self.other_delivered)
        require(any(self.taken(q, s) and self.stamp(q, s) >= self.other for s in self.Place))
        require(not any(self.stamped(q, s) and self.stamp(q, s) <= self.other for s in self.Place))
        self.other_delivered.add(q)
        for s in self.delivered[q]:
            self.before_other[q].add(s)

    @rule
    def both(self, q: Learner, s: Place, x: Place) -> bool:
        """q has delivered both."""
        return s in self.delivered[q] and x in self.delivered[q]

    @rule
    def ahead(self, q: Learner, s: Place, x: Place) -> bool:
        """q has delivered s before x."""
        return any(
            self.delivered[q][i] == s and self.delivered[q][j] == x
            for j in range(len(self.delivered[q]))
            for i in range(j)
        )

    @invariant
    def one_order(self) -> bool:
        """Atomic order: two learners deliver two messages in one order."""
        return all(
            self.ahead(q, s, x) == self.ahead(r, s, x)
            for q in self.Learner
            for r in self.Learner
            if q != r
            for s in self.Place
            for x in self.Place
            if s < x and self.both(q, s, x) and self.both(r, s, x)
        ) and all(
            (s in self.before_other[q]) == (s in self.before_other[r])
            for q in self.other_delivered
            for r in self.other_delivered
            for s in self.Place
            if s in self.delivered[q] and s in self.delivered[r]
        )

    @invariant
    def same_timestamps(self) -> bool:
        """Lemma 5: learners agree on final timestamps."""
        return all(
            self.stamp(q, s) == self.stamp(r, s)
            for q in self.Learner
            for r in self.Learner
            for s in self.Place
            if self.taken(q, s) and self.taken(r, s)
        )

    expect = [
        violates("in_the_order_of_timestamps", at=ONE, steps=8),
        violates("in_the_order_of_timestamps", "one_order"),
        holds(at={"places": 1}),
    ]


class WaitsForMessage(LearnersTimestamps):
    """REPAIR: a place whose message is missing holds up those behind it."""

    @rule
    def counts(self, q, s):
        return True

    expect = [
        holds(),
        holds(at=LATE),
        holds(at=STRANGER),
        holds(at=THREE | ONE | LATE),
        holds(at={"places": 3, "stamps": (3, 1, 2), "other": 3}),
    ]


class DestinationsOnly(WaitsForMessage):
    """EDIT: FIFO channels all the way, and places confirmed to those only that the message is for."""

    told, reaches_acceptor, reaches_learner = (
        FifoThroughout.told,
        FifoThroughout.reaches_acceptor,
        FifoThroughout.reaches_learner,
    )

    @rule
    def taken(self, q, s):
        """FIFO channels leave what comes in order."""
        return self.decided(q, s)

    expect = [
        holds(at=LATE),
        violates("same_timestamps", "one_order", at=STRANGER),
        violates("same_timestamps", at=STRANGER, only=["same_timestamps"], steps=5),
        violates("one_order", at=STRANGER, only=["one_order"], steps=13),
    ]


class FinalTimestamps(DestinationsOnly):
    """REPAIR: the leader raises timestamps before it proposes them."""

    @rule
    def stamp(self, q, s):
        last = 0
        for x in self.Place:
            if x <= s:
                last = max(self.stamps[x.index], last + 1)
        return last

    expect = [holds(), holds(at=LATE), holds(at=STRANGER), holds(at=THREE | ONE | LATE)]


class WhatHasCome(FinalTimestamps):
    """READING: FIFO channels all the way, and messages count when they have come."""

    @rule
    def counts(self, q, s):
        return s in self.has[q]

    expect = [
        violates("in_the_order_of_timestamps", at=ONE, steps=8),
        violates("in_the_order_of_timestamps", "one_order"),
    ]
