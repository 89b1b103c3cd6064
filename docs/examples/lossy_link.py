"""Loss without a number: a link that may lose every message, and a sender that repeats until it has an answer."""

from enum import Enum

from checker.language import Bag, Bool, LeadsTo, Model, action, choose, quiescent, require, var, violates


class Packet(Enum):
    """What is on the link."""

    data = 1
    ack = 2


class Arrives(LeadsTo):
    """The data arrive sooner or later."""

    def then(self) -> bool:
        return self.arrived


class LossyLink(Model):
    """A link for two packets, each of which may be lost, as often as you like."""

    link = var(Bag[Packet, 2])
    arrived = var(Bool)
    answered = var(Bool)

    @action
    def send(self):  # again and again, while there is room on the link
        require(not self.answered and len(self.link) < 2)
        self.link.add(Packet.data)

    @action(fault=True)
    def lose(self):  # no budget: a packet can always be lost
        self.link.remove(choose(self.link))

    @action
    def receive(self, packet: Packet):
        require(packet in self.link)
        self.link.remove(packet)
        if packet == Packet.ack:
            self.answered = True
        else:
            self.arrived = True
            self.link.add(Packet.ack)

    @quiescent
    def only_ends_with_an_answer(self) -> bool:
        return self.arrived and self.answered

    properties = [Arrives]
    expect = violates(Arrives, distinct=12)
