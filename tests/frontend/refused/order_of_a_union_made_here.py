# refused: {33, 9} | {17} is a set made here, which Python walks in no particular order

from checker.language import Int, Model, action, invariant, require, var


class Refusing(Model):
    """| of two sets made here is made here."""
    n = var(Int(0, 40), 0)

    @action
    def step(self):
        require(self.n == 0)
        self.n = [x for x in {33, 9} | {17}][0]  # here

    @invariant
    def fine(self) -> bool:
        return self.n == 0 or self.n == 9
