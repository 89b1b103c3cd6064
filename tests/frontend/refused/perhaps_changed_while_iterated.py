# refused: is changed while the loop runs over it

from checker.language import Bool, Ids, Int, Map, Model, Optional, Record, Seq, Set, Union, action, rule, var


class Refusing(Model):
    P = Ids("p", 3)
    n = var(Int(0, 3), 0)
    held = var(Map[P, Set[Int(0, 3)]])
    queue = var(Seq[Int(0, 3), 3])

    @action
    def go(self, p: P, q: P):
        for item in self.held[p]:  # here
            self.held[q].discard(item)
