# expect: holds distinct=24 transitions=42 depth=8
"""What an error hides: guards are evaluated left to right."""

from checker.language import Ids, Int, Map, Model, Optional, action, invariant, require, var


class UnwrapOrder(Model):
    P = Ids("p", 2)
    who = var(Optional[P])
    n = var(Map[P, Int(0, 2)], 0)

    @action
    def set(self, p: P):
        require(self.who != p)
        self.who = p

    @action
    def use(self):
        require(self.who is not None and self.n[self.who] < 2)
        self.n[self.who] += 1
        if self.n[self.who] == 2:
            self.who = None

    @invariant
    def fine(self) -> bool:
        return not (self.who is not None and self.n[self.who] > 2) and all(
            self.n[q] < 3 or self.who == q for q in self.P
        )
