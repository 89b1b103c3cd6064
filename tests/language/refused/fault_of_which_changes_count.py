# refused: @action(fault=True, fair="change")

from checker.language import Bool, Ids, Int, LeadsTo, Model, Seq, Set, action, of, require, var


class Small(LeadsTo):
    def then(self) -> bool:
        return self.x == 3


class M(Model):
    P = Ids("p", 3)
    x = var(Int(0, 3), 0)
    properties = [Small]

    @action(fault=True, fair="change")  # here
    def step(self):
        require(self.x < 3)
        self.x += 1
