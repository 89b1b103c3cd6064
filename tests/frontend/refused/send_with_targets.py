# refused: self.net.send takes (source, target, body)

from checker.language import Distributed, Int, Network, Process, action, var


class Refusing(Distributed):
    """Only multicast has to=..."""

    net = var(Network[Process, Int(0, 3)])

    @action
    def step(self, p: Process):
        self.net.send(p, p, 1, to=[p])  # here
