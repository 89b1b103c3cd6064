# refused: may be a collection that was changed since it got this name

from checker.language import Bool, Ids, Int, Map, Model, Optional, Record, Seq, Set, Union, action, rule, var


class Refusing(Model):
    P = Ids("p", 3)
    n = var(Int(0, 3), 0)
    held = var(Map[P, Set[Int(0, 3)]])
    queue = var(Seq[Int(0, 3), 3])

    @action
    def go(self, p: P, q: P):
        one = self.held[p] if self.n > 0 else self.held[q]
        self.held[p].add(1)
        self.n = len(one)  # here
