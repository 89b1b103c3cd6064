# expect: holds distinct=34 transitions=60 depth=6
"""A local name for a container of the state is the state; its index is taken when the name is bound."""

from checker.language import Ids, Int, Map, Model, Set, action, invariant, require, var


class AliasOfState(Model):
    P = Ids("p", 2)
    held = var(Map[P, Set[Int(0, 2)]])
    turn = var(Int(0, 1), 0)

    @action
    def put(self, x: Int(0, 2)):
        mine = self.held[self.P[self.turn]]
        self.turn = 1 - self.turn
        require(x not in mine)
        mine.add(x)
        if len(mine) == 3:
            mine.clear()

    @invariant
    def never_full(self) -> bool:
        return all(len(self.held[p]) < 3 for p in self.P)
