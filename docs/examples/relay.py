"""An edit of the broadcast: whoever receives a message for the first time passes it on."""

from broadcast import Broadcast

from checker.language import Map, Process, Set, holds, var, violates
from checker.language.multicast import Message
from properties.multicast import UniformAgreement


class Relay(Broadcast):
    """EDIT: pass a message on before delivering it; ignore copies."""

    passed_on = var(Map[Process, Set[Message]])

    def receive(self, p, q, m):
        if m not in self.passed_on[p]:
            self.passed_on[p].add(m)
            self.net.multicast(p, m)
            self.deliver(p, m)

    properties = [*Broadcast.properties, UniformAgreement]
    expect = [holds(at={"workload": (1, 0, 0), "crashes": 1}), holds(at={"workload": (1, 0, 0), "crashes": 2})]


class DeliverFirst(Relay):
    """EDIT: deliver the message, then pass it on."""

    def receive(self, p, q, m):
        if m not in self.passed_on[p]:
            self.passed_on[p].add(m)
            self.deliver(p, m)
            self.net.multicast(p, m)

    expect = violates(UniformAgreement, at={"workload": (1, 0, 0), "crashes": 2})
