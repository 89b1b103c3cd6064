# refused: Small.then: parameter p is of another type than in Small.when

from checker.language import Bool, Ids, Int, LeadsTo, Model, Seq, Set, action, of, require, var


class Small(LeadsTo):
    def when(self, p: Bool) -> bool:
        return p

    def then(self, p: Int(0, 3)) -> bool:  # here
        return self.x == p


class M(Model):
    P = Ids("p", 3)
    x = var(Int(0, 3), 0)
    properties = [Small]

    @action
    def step(self):
        require(self.x < 3)
        self.x += 1
