# refused: send

from checker.language import Ids, Int, Model, Network, action, on, var


class Refusing(Model):
    P = Ids("p", 2)
    n = var(Int(0, 3), 1)
    net = var(Network[P, Int(0, 3)])

    @action
    def go(self, p: P, q: P):
        self.net.send(p, q, 1, 2)  # here

    @on(net)
    def come(self, p, q, n):
        self.n = n
