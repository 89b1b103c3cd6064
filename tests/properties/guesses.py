"""Activations and optimistic deliveries without a protocol, over one order of multicasts that all processes know.

Each model breaks a property of properties.early_delivery or properties.optimistic, or keeps what a neighbour breaks.
"""

from checker.language import Map, Seq, action, const, require, rule, var
from checker.language.distributed import Process
from checker.language.multicast import Message, total
from checker.properties import early_delivery
from checker.properties.optimistic import OptimisticAgreement, OptimisticOrder, OptimisticValidity, TimestampsKept
from tests.properties import deliveries


class OneByOne(deliveries.MulticastOrder):
    """Each delivery is an activation of its own; everybody delivers in the order of the multicasts."""

    workload = const((1, 1), "how many messages each process multicasts")

    @action
    def receive(self, p: Process, m: Message):
        require(self.was_multicast(m) and m not in self.delivered[p] and self.may(p, m))
        self.emit.activation(p)
        self.deliver(p, m)

    @rule
    def tail(self, p: Process) -> int:
        """How many processes have a message that p has not delivered."""
        return len({self.sender(m) for m in self.Message if self.was_multicast(m) and m not in self.delivered[p]})

    properties = [early_delivery.PrefixOrder, early_delivery.ActivationAgreement, early_delivery.DeliveredOnceAllVoted]


class AnyFirst(OneByOne):
    """Everybody delivers in an order of its own."""

    @rule
    def may(self, p, m):
        return True


class AtOnce(OneByOne):
    """Who has a message from everybody delivers them all, in one activation and in the order of their names."""

    def send(self, p, m):
        self.history.append(m)
        if all(self.was_multicast(x) for x in self.Message):
            for q in self.Process:
                for x in self.Message:
                    if self.begins(q, x):
                        self.emit.activation(q)
                    self.deliver(q, x)

    @rule
    def begins(self, q: Process, x: Message) -> bool:
        """x is the first of an activation of q."""
        return x == self.Message[0]

    @rule
    def may(self, p, m):
        return False


class OnlyOneAtOnce(AtOnce):
    """The second process takes two activations for the same messages."""

    @rule
    def begins(self, q, x):
        return q != self.Process[0] or x == self.Message[0]


class Guesses(deliveries.MulticastOrder):
    """Optimistic deliveries in the order of the multicasts, which is that of the timestamps and the final one."""

    workload = const((1, 1), "how many messages each process multicasts")
    optimistic = var(Map[Process, Seq[Message, total]])
    order = var(Seq[Message, total])

    def send(self, p, m):
        self.history.append(m)
        self.order.append(m)

    @action
    def guess(self, p: Process, m: Message):
        require(self.was_multicast(m) and m not in self.optimistic[p] and self.may_guess(p, m))
        self.optimistic[p].append(m)

    @rule
    def may_guess(self, p: Process, m: Message) -> bool:
        return all(x in self.optimistic[p] for x in self.history[: self.place(m)])

    @rule
    def stamp(self, m: Message) -> int:
        """The timestamp of m."""
        return self.place(m)

    properties = [OptimisticOrder, OptimisticAgreement, TimestampsKept, OptimisticValidity]


class AnyGuess(Guesses):
    """Optimistic deliveries in any order."""

    @rule
    def may_guess(self, p, m):
        return True


class SlowClock(Guesses):
    """The second sender's clock is slow: its message has the smaller timestamp even if it comes later."""

    @rule
    def stamp(self, m):
        return len(self.Message) - m.index


class NothingFinal(Guesses):
    """Nothing is ever delivered for good."""

    @rule
    def may(self, p, m):
        return False


# property, what breaks it, what keeps it
CASES = [
    ("PrefixOrder", AnyFirst, OneByOne),
    ("PrefixOrder", AnyFirst, AtOnce),
    ("ActivationAgreement", AnyFirst, OneByOne),
    ("ActivationAgreement", OnlyOneAtOnce, AtOnce),
    ("DeliveredOnceAllVoted", OneByOne, AtOnce),
    ("OptimisticOrder", AnyGuess, Guesses),
    ("OptimisticOrder", AnyGuess, SlowClock),
    ("OptimisticAgreement", AnyGuess, Guesses),
    ("TimestampsKept", SlowClock, Guesses),
    ("OptimisticValidity", NothingFinal, Guesses),
]
