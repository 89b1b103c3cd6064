# refused: Small.explain: q is no parameter of when or then

from checker.language import Bool, Ids, Int, LeadsTo, Model, Seq, Set, action, of, require, var


class Small(LeadsTo):
    def then(self, p: of("P")) -> bool:
        return self.x == p.index

    def explain(self, q) -> str:  # here
        return f"{q}"


class M(Model):
    P = Ids("p", 3)
    x = var(Int(0, 3), 0)
    properties = [Small]

    @action
    def step(self):
        require(self.x < 3)
        self.x += 1
