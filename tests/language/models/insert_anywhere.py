# expect: holds distinct=2 transitions=1 depth=2

from checker.language import Int, Model, action, invariant, require, var


class M(Model):
    """A list's insert takes any index."""
    n = var(Int(0, 3), 0)

    @action
    def step(self):
        require(self.n == 0)
        x = [1, 2]
        x.insert(-1, 3)
        self.n = x[1]

    @invariant
    def fine(self) -> bool:
        return self.n < 4
