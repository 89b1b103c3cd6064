# refused: self.some() is a set made here, which Python walks in no particular order

from checker.language import Int, Model, action, invariant, require, rule, var


class Refusing(Model):
    """A set that a rule made has no order of its own."""
    n = var(Int(0, 40), 0)

    @rule
    def some(self):
        return {9, 1, 17}

    @action
    def step(self):
        require(self.n == 0)
        for x in self.some():  # here
            if self.n == 0:
                self.n = x

    @invariant
    def fine(self) -> bool:
        return self.n != 9
