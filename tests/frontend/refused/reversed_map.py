# refused: `reversed(c)` is not in the language for a Map

from checker.language import Int, Map, Model, action, invariant, require, var


class Refusing(Model):
    """A map has no order."""
    m = var(Map[Int(0, 2), Int(0, 9)], 7)
    n = var(Int(0, 9), 0)

    @action
    def step(self):
        require(self.n == 0)
        for x in reversed(self.m):  # here
            self.n = max(self.n, x)

    @invariant
    def fine(self) -> bool:
        return self.n < 7
