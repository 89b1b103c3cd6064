# refused: A.net: a network type is no variable

from checker.language import Bool, Distributed, Network, Process, action, var


class A(Distributed):
    net = Network[Process, Bool]  # here
    done = var(Bool)

    @action
    def tell(self, p: Process):
        self.net.multicast(p, True)
