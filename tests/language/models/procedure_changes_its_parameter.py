# expect: holds distinct=8 transitions=24 depth=4
"""A procedure that is given a container of the state changes the state."""

from checker.language import Ids, Int, Map, Model, Set, action, var


class ProcedureChangesItsParameter(Model):
    P = Ids("p", 2)
    held = var(Map[P, Set[Int(0, 2)]])
    i = var(Int(0, 1), 0)

    @action
    def go(self, x: Int(0, 2)):
        self.put(self.held[self.P[self.i]], x)
        mine = set(self.held[self.P[0]])
        self.put(mine, 0)
        assert (0 in mine) != (0 in self.held[self.P[0]])

    def put(self, where, x):
        self.i = 1 - self.i
        if x in where:
            where.remove(x)
            return
        where.add(x)
