# refused: Small.then: parameter p ranges over Seq[P, 2], which cannot be enumerated

from checker.language import Bool, Ids, Int, LeadsTo, Model, Seq, Set, action, of, require, var


class Small(LeadsTo):
    def then(self, p: Seq[of("P"), 2]) -> bool:  # here
        return self.x == len(p)


class M(Model):
    P = Ids("p", 3)
    x = var(Int(0, 3), 0)
    properties = [Small]

    @action
    def step(self):
        require(self.x < 3)
        self.x += 1
