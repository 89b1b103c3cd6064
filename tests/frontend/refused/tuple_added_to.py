# refused: `c += d` is not in the language for a tuple

from checker.language import Int, Model, action, const, invariant, require, var


class Refusing(Model):
    """y += on a tuple (y |= on a frozenset) makes a new one."""
    weights = const((1, 2), "weights")
    n = var(Int(0, 9), 0)

    @action
    def step(self):
        require(self.n == 0)
        x = self.weights
        y = x
        y += self.weights  # here
        self.n = len(x)

    @invariant
    def fine(self) -> bool:
        return self.n != 2
