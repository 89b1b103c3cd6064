"""Broadcast with crashes: a process that crashes while it sends may reach some processes and not others."""

from checker.language import Network, Process, holds, on, var, violates
from checker.language.multicast import Message, Multicast
from properties.multicast import Agreement, NoDuplication, Termination


class Broadcast(Multicast):
    """Send the message to everybody; deliver it when it arrives."""

    net = var(Network[Process, Message])

    def send(self, p, m):  # p multicasts m
        self.net.multicast(p, m)

    @on(net)
    def receive(self, p, q, m):  # p receives m from q
        self.deliver(p, m)

    properties = [NoDuplication, Agreement, Termination]
    expect = [holds(at={"workload": (1, 0, 0)}), violates(Agreement, at={"workload": (1, 0, 0), "crashes": 1})]
