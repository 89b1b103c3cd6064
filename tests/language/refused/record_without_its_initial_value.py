# refused: variable M.x of type R needs an initial value

from checker.language import Bool, Ids, Int, Map, Model, Record, Set, action, var


class M(Model):
    P = Ids("p", 3)
    R = Record(n=Int(1, 3), votes=Map[P, Bool], s=Set[P])
    x = var(R)  # here

    @action
    def go(self):
        pass
