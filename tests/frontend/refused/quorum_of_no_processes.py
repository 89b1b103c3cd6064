# refused: members gives a set of Int(1, 2), and no set of processes

from checker.language import Bool, Distributed, Network, Process, on, rule, var


class Refusing(Distributed):
    net = var(Network[Process, Bool])
    ok = var(Bool)

    @rule
    def members(self):
        return {1, 2}

    @on(net, each=members)
    def down(self, p, qs, m):  # here
        self.ok = False
