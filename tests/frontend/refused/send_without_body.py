# refused: self.net.send takes (source, target, body)

from checker.language import Distributed, Int, Network, Process, action, var


class Refusing(Distributed):
    net = var(Network[Process, Int(0, 3)])
    n = var(Int(0, 3), 0)


    @action
    def go(self, p: Process):
        self.net.send(p, 1)  # here
