# refused: `reversed(c)` is not in the language for a Set

from checker.language import Int, Model, Set, action, invariant, require, var


class Refusing(Model):
    """A set cannot be reversed."""
    s = var(Set[Int(0, 3)], {1, 2})
    n = var(Int(0, 3), 0)

    @action
    def step(self):
        require(self.n == 0)
        for x in reversed(self.s):  # here
            self.n = x

    @invariant
    def fine(self) -> bool:
        return self.n < 3
