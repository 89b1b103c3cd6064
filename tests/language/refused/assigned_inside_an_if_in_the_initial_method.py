# refused: variable M.holder of type P needs an initial value

from checker.language import Ids, Int, Model, action, initial, var


class M(Model):
    P = Ids("p", 3)
    holder = var(P)  # here
    n = var(Int(0, 2), 0)

    @initial
    def start(self):
        if self.n == 0:
            self.holder = self.P[0]

    def prepare(self):
        self.n = self.holder.index

    @action
    def step(self):
        self.holder = self.P[self.n]
