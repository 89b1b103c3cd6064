# refused: Small.explain: q is no variable of holds

from checker.language import Ids, Int, Invariant, Model, action, require, var


class Small(Invariant):
    def holds(self) -> bool:
        return all(self.x < 4 for p in self.P)

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
