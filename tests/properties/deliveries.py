"""Multicast without a network: a message can be delivered as soon as it was multicast, where the rule `may` allows it.

Each model breaks one property and, where two properties are close, keeps the weaker one.
"""

from checker.language import Ids, Map, Model, Process, Seq, Set, action, choose, const, require, rule, var
from checker.language.multicast import Message, Multicast, total
from checker.properties import multicast as properties


class AnyOrder(Multicast):
    """Everybody delivers every message once, in any order."""

    def send(self, p, m):
        pass

    @action
    def receive(self, p: Process, m: Message):
        require(self.was_multicast(m) and m not in self.delivered[p] and self.may(p, m))
        self.deliver(p, m)

    @rule
    def may(self, p: Process, m: Message) -> bool:
        """p may deliver m now."""
        return True

    properties = [getattr(properties, name) for name in properties.__all__ if name != "DeadlockFree"]


class MulticastOrder(AnyOrder):
    """Everybody delivers in the order of the multicasts."""

    history = var(Seq[Message, total])

    def send(self, p, m):
        self.history.append(m)

    @rule
    def may(self, p, m):
        return all(x in self.delivered[p] for x in self.history[: self.place(m)])

    @rule
    def place(self, m: Message):
        return sum(1 for x in self.history if not self.from_then_on(m, x))

    @rule
    def from_then_on(self, m: Message, x: Message) -> bool:
        """x was multicast not before m."""
        seen = False
        for y in self.history:
            if y == m:
                seen = True
            if y == x:
                return seen
        return seen


class SenderOrder(AnyOrder):
    """Everybody delivers the messages of each sender in their order."""

    @rule
    def may(self, p, m):
        return all(
            x in self.delivered[p]
            for x in self.Message
            if self.sender(x) == self.sender(m) and self.number(x) < self.number(m)
        )


class Again(AnyOrder):
    """p2 may deliver what it has delivered."""

    @action
    def receive(self, p: Process, m: Message):
        require(self.was_multicast(m) and len(self.delivered[p]) < 2)
        require(p == self.Process[1] or m not in self.delivered[p])
        self.deliver(p, m)


class Invent(AnyOrder):
    """p2 may deliver what was not multicast."""

    @action
    def receive(self, p: Process, m: Message):
        require(m not in self.delivered[p] and (p == self.Process[1] or self.was_multicast(m)))
        self.deliver(p, m)


class LastWish(AnyOrder):
    """Only p1 delivers in any order; the others deliver in the order of identities, and not before p1 has crashed."""

    crashes = const(1, "how many processes may crash")

    @rule
    def may(self, p, m):
        return p == self.Process[0] or (
            not self.live(self.Process[0])
            and all(x in self.delivered[p] or not self.was_multicast(x) for x in self.Message if x < m)
            and all(not x > m for x in self.delivered[p])
        )


class Skip(AnyOrder):
    """p1 delivers everything in the order of identities; p2 delivers only the last message."""

    @rule
    def may(self, p, m):
        last = m.index == len(self.Message) - 1
        return last if p == self.Process[1] else all(x in self.delivered[p] for x in self.Message if x < m)


class SkipWhatTheDeadDid(AnyOrder):
    """Only p1, which then crashes, delivers everything; the others deliver the last message."""

    crashes = const(1, "how many processes may crash")

    @rule
    def may(self, p, m):
        if p == self.Process[0]:
            return all(x in self.delivered[p] for x in self.Message if x < m)
        return m.index == len(self.Message) - 1 and not self.live(self.Process[0])


class Circle(AnyOrder):
    """p1 delivers m1 then m2, p2 m2 then m3, p3 m3 then m1: each pair of messages has one common destination."""

    workload = const((1, 1, 1), "how many messages each process multicasts")

    @rule
    def destination(self, p, m):
        return m == self.mine(p) or m == self.next(p)

    @rule
    def mine(self, p: Process) -> Message:
        return self.Message[p.index]

    @rule
    def next(self, p: Process) -> Message:
        return self.Message[(p.index + 1) % len(self.Message)]

    @rule
    def may(self, p, m):
        return m == self.mine(p) or (m == self.next(p) and self.mine(p) in self.delivered[p])


class CircleMended(Circle):
    """The same destinations, but p3 delivers m1 before m3."""

    @rule
    def may(self, p, m):
        return self.destination(p, m) and all(
            x in self.delivered[p] for x in self.Message if self.destination(p, x) and x < m
        )


class NotForTheLast(AnyOrder):
    """The first message does not go to the last process; everybody delivers what is for it in any order."""

    @rule
    def destination(self, p, m):
        return m.index > 0 or p.index < len(self.Process) - 1

    @rule
    def may(self, p, m):
        return self.destination(p, m)


class NotForTheLastInOrder(MulticastOrder):
    """The same destinations; everybody delivers what is for it in the order of the multicasts."""

    destination = NotForTheLast.destination

    @rule
    def may(self, p, m):
        return self.destination(p, m) and all(
            x in self.delivered[p] for x in self.history[: self.place(m)] if self.destination(p, x)
        )


class OnlyFirst(AnyOrder):
    """Nobody but p1 delivers anything."""

    @rule
    def may(self, p, m):
        return p == self.Process[0]


class OnlyTheDead(AnyOrder):
    """Nobody but p1 delivers anything; p1 always crashes before the end."""

    crashes = const(1, "how many processes may crash")

    @rule
    def may(self, p, m):
        return p == self.Process[0]

    @action
    def wait_for_its_end(self, p: Process):
        """Something to do for the others while p1 lives."""
        require(p != self.Process[0] and self.live(self.Process[0]))


class Nobody(AnyOrder):
    """Nobody delivers anything."""

    @rule
    def may(self, p, m):
        return False


class OnlySenders(AnyOrder):
    """Nobody but its sender delivers a message."""

    @rule
    def may(self, p, m):
        return self.sender(m) == p


class OnlyOthers(AnyOrder):
    """Everybody but its sender delivers a message."""

    @rule
    def may(self, p, m):
        return self.sender(m) != p


class Forks(Model):
    """Two philosophers, two forks: each takes its left fork, then its right one, and never puts one back."""

    Place = Ids("f", 2)
    taken = var(Map[Place, Set[Place]])

    @action
    def take(self, p: Place):
        require(len(self.taken[p]) < 2)
        fork = choose(self.Place)
        require(not any(fork in self.taken[q] for q in self.Place) and self.allowed(p, fork))
        self.taken[p].add(fork)

    @rule
    def allowed(self, p: Place, fork: Place) -> bool:
        return len(self.taken[p]) > 0 or fork == p

    properties = [properties.DeadlockFree]


class ForksReturned(Forks):
    """Both philosophers begin with the first fork, and who has both puts them back."""

    @rule
    def allowed(self, p, fork):
        return (fork == self.Place[0]) == (len(self.taken[p]) == 0)

    @action
    def put_back(self, p: Forks.Place):
        require(len(self.taken[p]) == 2)
        self.taken[p].clear()
