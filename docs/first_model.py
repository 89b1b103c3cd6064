"""A sequencer: one process numbers the messages, everybody delivers in the order of the numbers."""

from checker.language import Int, Network, Process, Record, Union, holds, on, require, rule, var, violates
from checker.language.multicast import Message, Multicast, total
from checker.properties.multicast import Termination, TotalOrder


class Sequencer(Multicast):
    """p1 numbers what is multicast."""

    Wire = Union(Plain=Record(m=Message), Numbered=Record(m=Message, n=Int(0, total)))
    net = var(Network[Process, Wire])  # unordered, reliable
    count = var(Int(0, total), 0)

    def send(self, p, m):  # p multicasts m
        self.net.send(p, self.Process[0], self.Wire.Plain(m))

    @on(net, Wire.Plain)
    def assign(self, p, q, m):  # p receives m from q
        self.net.multicast(p, self.Wire.Numbered(m, self.count))
        self.count += 1

    @on(net, Wire.Numbered)
    def receive(self, p, q, m, n):
        require(self.in_turn(p, n))  # else the message waits
        self.deliver(p, m)

    @rule
    def in_turn(self, p: Process, n):
        return n == len(self.delivered[p])

    properties = [TotalOrder, Termination]
    expect = holds()


class AsTheyCome(Sequencer):
    """EDIT: deliver a numbered message when it arrives."""

    @rule
    def in_turn(self, p, n):
        return True

    expect = violates(TotalOrder)
