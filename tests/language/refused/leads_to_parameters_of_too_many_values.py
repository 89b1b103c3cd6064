# refused: the parameters of Small have more than 1,000 values together

from checker.language import Bool, Ids, Int, LeadsTo, Model, Seq, Set, action, of, require, var


class Small(LeadsTo):  # here
    def when(self, p: Int(0, 99)) -> bool:
        return self.x == p

    def then(self, q: Int(0, 99)) -> bool:
        return self.x == q


class M(Model):
    P = Ids("p", 3)
    x = var(Int(0, 3), 0)
    properties = [Small]

    @action
    def step(self):
        require(self.x < 3)
        self.x += 1
