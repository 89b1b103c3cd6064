"""Two processes with a message each and hold-back queues ordered by timestamps, as in ISIS: one keeps the properties of
properties.agreed_timestamps, two break one each."""

from checker.language import const
from checker.models.isis import DeliverAnyFinal, Explained, SmallestProposal

NAMES = ("OnlyBackwards", "NothingEarlierArrives")


class LargestProposal(Explained):
    """The largest proposal becomes final, and the head of the queue is delivered."""

    workload = const((1, 1), "how many messages each process multicasts")


class Forwards(SmallestProposal):
    """The smallest proposal becomes final: where it was not the own one, the message moves forward."""

    workload = const((1, 1), "how many messages each process multicasts")
    properties = Explained.properties


class NotTheHead(DeliverAnyFinal):
    """What is final is delivered, whatever stands before it."""

    workload = const((1, 1), "how many messages each process multicasts")
    properties = Explained.properties


CASES = list(zip(NAMES, (Forwards, NotTheHead), (LargestProposal, LargestProposal)))
