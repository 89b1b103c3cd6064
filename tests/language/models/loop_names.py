# expect: holds distinct=4 transitions=16 depth=3
"""A name that a loop binds anew may be read after that, and a comprehension's name is its own."""

from checker.language import Ids, Int, Map, Model, Optional, action, invariant, var


class LoopNames(Model):
    P = Ids("p", 3)
    who = var(Map[Int(0, 1), Optional[P]])

    @action
    def go(self, p: P):
        for n in range(2):
            self.who[n] = p if any(p == self.who[n] for p in self.P) else self.P[0]

    @action
    def again(self):
        q = self.P[2]
        for n in range(2):
            for q in self.P:
                self.who[n] = q

    @invariant
    def known(self) -> bool:
        return len(self.who) == 2
