"""Broadcast with crashes: a process that crashes while it sends may reach some processes and not others."""

from checker.language import Map, Network, Process, Set, holds, on, var, violates
from checker.language.multicast import Message, Multicast
from checker.properties.multicast import Agreement, NoDuplication, Termination, UniformAgreement


class Broadcast(Multicast):
    """Send the message to everybody; deliver it when it arrives."""

    net = var(Network[Process, Message])

    def send(self, p, m):  # p multicasts m
        self.net.multicast(p, m)

    @on(net)
    def receive(self, p, q, m):  # p receives m from q
        self.deliver(p, m)

    properties = [NoDuplication, Agreement, UniformAgreement, Termination]
    expect = [
        holds(at={"workload": (1, 0, 0)}),
        violates(Agreement, UniformAgreement, at={"workload": (1, 0, 0), "crashes": 1}),
    ]


class Relay(Broadcast):
    """EDIT: pass a message on before delivering it; ignore copies."""

    passed_on = var(Map[Process, Set[Message]])

    def receive(self, p, q, m):
        if m not in self.passed_on[p]:
            self.passed_on[p].add(m)
            self.net.multicast(p, m)
            self.deliver(p, m)

    expect = holds(at={"workload": (1, 0, 0), "crashes": 2})


class DeliverFirst(Relay):
    """EDIT: deliver the message, then pass it on."""

    def receive(self, p, q, m):
        if m not in self.passed_on[p]:
            self.passed_on[p].add(m)
            self.deliver(p, m)
            self.net.multicast(p, m)

    expect = violates(UniformAgreement, at={"workload": (1, 0, 0), "crashes": 2})
