# refused: go has two decorators of the language

from checker.language import action, Bool, Distributed, Int, Network, on, Process, var


class A(Distributed):
    net = var(Network[Process, Bool])
    x = var(Int(0, 3), 0)
    @action  # here
    @on(net)
    def go(self, p: Process, q: Process, m: Bool):
        self.x = 1
