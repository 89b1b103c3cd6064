"""Multicast between groups without a protocol: processes learn final timestamps of messages and deliver, as far as
three rules allow it.

Each model breaks one property of properties.atomic_multicast; `InTurn` keeps them all: timestamps are the numbers of
the messages, and everything is taken in their order.
"""

from checker.language import Int, Map, Record, Seq, Set, action, choose, const, derived, of, require, rule, var
from checker.language.distributed import Process
from checker.language.groups import GroupMulticast
from checker.properties import atomic_multicast

NAMES = (
    "DecidedInGroup",
    "StampedEverywhere",
    "SentByTimestamp",
    "FinalTimestampAgreement",
    "ReceivedByTimestamp",
    "StampedByTimestamp",
    "StampedOneByOne",
    "DeliveredByTimestamp",
    "FifoTimestamps",
    "QuasiGenuine",
    "NoStrangers",
    "GroupAgreement",
)


class InTurn(GroupMulticast):
    """The timestamp of a message is its number, and processes take and deliver messages in that order."""

    workload = const((2, 0), "how many messages each process multicasts")
    Process = Process
    Message = GroupMulticast.Message
    Group = GroupMulticast.Group
    Time = Int(0, derived(lambda c: sum(c.workload)))
    Entry = Record(message=of("Message"), time=of("Time"))

    final = var(Map[Process, Map[of("Message"), of("Time")]], 0)
    messages = var(Map[Process, Set[Message]])  # of the own group, decided or not
    decided = var(Map[Process, Set[Message]])
    stamped = var(Map[Process, Set[Message]])  # all that have a timestamp
    log = var(Map[Process, Seq[Entry, derived(lambda c: sum(c.workload))]])  # what a process has sent

    @rule
    def identifier(self, m: Message) -> int:
        return m.index

    def send(self, p, m):
        self.log[p].append(self.Entry(m, self.time_sent(m)))

    @action
    def settle(self, p: Process, m: Message):
        require(self.was_multicast(m) and m not in self.stamped[p] and self.in_turn(p, m))
        t = choose(self.Time)
        require(t > 0 and self.fits(p, m, t))
        self.final[p][m] = t
        self.stamped[p].add(m)
        if self.source(m) == self.group(p):
            self.messages[p].add(m)
            if self.decides(p):
                self.decided[p].add(m)

    @action
    def receive(self, p: Process, m: Message):
        require(m in self.stamped[p] and m not in self.delivered[p] and self.may(p, m))
        self.deliver(p, m)

    @rule
    def time_sent(self, m: Message) -> Time:
        """The timestamp that m is sent with."""
        return m.index + 1

    @rule
    def decides(self, p: Process) -> bool:
        """p decides what it has of its own group."""
        return True

    @rule
    def fits(self, p: Process, m: Message, t: Time) -> bool:
        """p may take t for the timestamp of m."""
        return t == m.index + 1

    @rule
    def in_turn(self, p: Process, m: Message) -> bool:
        """p may take m now."""
        return all(x in self.stamped[p] for x in self.Message if x < m)

    @rule
    def turn(self, m: Message):
        """The order in which a step would take messages: that of their numbers."""
        return m.index

    @rule
    def may(self, p: Process, m: Message) -> bool:
        """p may deliver m now."""
        return all(x in self.delivered[p] for x in self.Message if x < m)

    @rule
    def for_group(self, g: Group, entry: Entry) -> bool:
        """The entry was sent to g."""
        return self.addressed(g, entry.message)

    properties = [getattr(atomic_multicast, name) for name in NAMES]


class OwnTimestamps(InTurn):
    """Each process takes any timestamp."""

    @rule
    def fits(self, p, m, t):
        return True


class SwappedTimestamps(InTurn):
    """The later message of a sender has the smaller timestamp."""

    @rule
    def fits(self, p, m, t):
        return t == len(self.Message) - m.index


class AllAtOnce(InTurn):
    """One step takes all messages, each with its number."""

    Message = InTurn.Message

    @action
    def settle(self, p: Process, m: Message):
        require(all(self.was_multicast(x) for x in self.Message) and len(self.stamped[p]) == 0)
        for x in self.Message:
            self.final[p][x] = self.time_sent(x)
            self.stamped[p].add(x)


class AllAtOnceSwapped(AllAtOnce):
    """One step takes all messages, and the later one gets the smaller timestamp: no later step takes any."""

    @rule
    def time_sent(self, m):
        return len(self.Message) - m.index


class SentSwapped(InTurn):
    """The later message of a sender is sent with the smaller timestamp."""

    @rule
    def time_sent(self, m):
        return len(self.Message) - m.index


class Undecided(InTurn):
    """Nobody decides anything."""

    @rule
    def decides(self, p):
        return False


class OneTakes(InTurn):
    """Only the first process learns timestamps."""

    @rule
    def in_turn(self, p, m):
        return p == self.Process[0] and all(x in self.stamped[p] for x in self.Message if x < m)


class AnyTurn(InTurn):
    """Messages are taken in any order."""

    @rule
    def in_turn(self, p, m):
        return True


class AnyDelivery(InTurn):
    """Whatever has a timestamp can be delivered."""

    @rule
    def may(self, p, m):
        return True


class Unasked(InTurn):
    """Messages go to every group, wanted or not."""

    senders_to = const((1, 0), "nobody may multicast to the second group")


class Answers(InTurn):
    """Messages go to every group; the second may not be multicast to by the first, but may multicast to it."""

    senders_to = const((12, 0), "only the first group is multicast to")


class FirstOfItsGroup(InTurn):
    """In a group of two, one does not deliver."""

    groups = const((1, 1), "one group")

    @rule
    def may(self, p, m):
        return p == self.Process[0]


# property, what breaks it, what keeps it
CASES = [
    ("DecidedInGroup", Undecided, InTurn),
    ("StampedEverywhere", OneTakes, InTurn),
    ("SentByTimestamp", SentSwapped, InTurn),
    ("SentByTimestamp", SentSwapped, SwappedTimestamps),
    ("FinalTimestampAgreement", OwnTimestamps, InTurn),
    ("FinalTimestampAgreement", OwnTimestamps, AnyTurn),
    ("ReceivedByTimestamp", AnyTurn, InTurn),
    ("StampedByTimestamp", AnyTurn, InTurn),
    ("StampedByTimestamp", SwappedTimestamps, AnyDelivery),
    ("StampedByTimestamp", SwappedTimestamps, AllAtOnceSwapped),
    ("StampedOneByOne", AllAtOnceSwapped, AllAtOnce),
    ("StampedOneByOne", AnyTurn, InTurn),
    ("DeliveredByTimestamp", AnyDelivery, InTurn),
    ("FifoTimestamps", SwappedTimestamps, AnyTurn),
    ("QuasiGenuine", Unasked, InTurn),
    ("QuasiGenuine", Answers, InTurn),
    ("NoStrangers", Unasked, Answers),
    ("GroupAgreement", FirstOfItsGroup, InTurn),
]
