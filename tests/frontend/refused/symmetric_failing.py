# refused: P is symmetric, and any(...) may fail for one member, or be decided by another before that: n[q] may be None

from checker.language import Ids, Int, Map, Model, Optional, action, require, var


class Refusing(Model):
    P = Ids("p", 3, symmetric=True)
    n = var(Map[P, Optional[Int(0, 3)]])

    @action
    def go(self, p: P):
        require(any(self.n[q] > 2 for q in self.P))  # here
        self.n[p] = 1
