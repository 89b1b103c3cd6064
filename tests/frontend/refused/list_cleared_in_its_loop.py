# refused: x is changed while the loop runs over it

from checker.language import Int, Model, action, invariant, require, var


class Refusing(Model):
    """A loop over a local list that its body clears."""
    n = var(Int(0, 4), 0)

    @action
    def step(self):
        require(self.n == 0)
        x = [1, 3, 2]
        for _ in x:  # here
            x.clear()
            self.n += 1

    @invariant
    def fine(self) -> bool:
        return self.n != 1
