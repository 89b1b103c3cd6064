# expect: holds distinct=5 transitions=4 depth=5
"""return leaves an action early; what was done stays."""

from checker.language import Bool, Int, Model, action, invariant, require, var


class EarlyReturn(Model):
    n = var(Int(0, 4), 0)
    odd = var(Bool)

    @action
    def step(self):
        require(self.n < 4)
        self.n += 1
        if self.n % 2 == 0:
            self.odd = False
            return
        self.odd = True

    @invariant
    def right(self) -> bool:
        return self.odd == (self.n % 2 == 1)
