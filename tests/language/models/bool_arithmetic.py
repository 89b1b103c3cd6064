# expect: holds distinct=14 transitions=42 depth=5
"""A truth value counts as 0 or 1."""

from checker.language import Bool, Ids, Int, Map, Model, action, invariant, var


class BoolArithmetic(Model):
    P = Ids("p", 3)
    up = var(Map[P, Bool])
    n = var(Int(0, 9), 0)

    @action
    def flip(self, p: P):
        self.up[p] = not self.up[p]
        self.n = sum(self.up[q] for q in self.P) + 2 * self.up[p] + (1 if self.up[p] else 0)

    @invariant
    def parity(self) -> bool:
        return self.n % 2 in (0, 1) and -1 < self.n <= 6
