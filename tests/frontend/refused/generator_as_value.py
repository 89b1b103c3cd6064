# refused: a generator is used as a value: it can be walked once, has no items and is always true

from checker.language import Int, Model, action, const, invariant, require, var


class Refusing(Model):
    """A generator has no length, no items and equals no list."""
    weights = const((1, 5, 2), "weights")
    n = var(Int(0, 5), 0)

    @action
    def step(self):
        require(self.n == 0)
        self.n = 1

    @invariant
    def equal(self) -> bool:
        return self.n == 0 or (w for w in self.weights if w > 4) == [5]  # here
