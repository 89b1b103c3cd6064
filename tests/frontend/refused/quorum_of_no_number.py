# refused: enough gives no number

from checker.language import Bool, Distributed, Network, Process, on, rule, var


class Refusing(Distributed):
    net = var(Network[Process, Bool])
    ok = var(Bool)

    @rule
    def enough(self):
        return self.ok

    @on(net, at_least=enough)
    def down(self, p, qs, m):  # here
        self.ok = False
