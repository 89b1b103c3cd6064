# refused: x is changed while the loop runs over it

from checker.language import Int, Model, action, invariant, require, var


class Refusing(Model):
    """A loop over a local set that its body changes: RuntimeError in Python."""
    n = var(Int(0, 4), 0)

    @action
    def step(self):
        require(self.n == 0)
        x = {1, 3}
        for y in x:  # here
            x -= {y}
            self.n += 1

    @invariant
    def fine(self) -> bool:
        return self.n < 5
