# expect: holds distinct=50 transitions=2750 depth=2
"""Floor division and remainder are Python's, below zero too."""

from checker.language import Int, Model, action, require, var


class NegativeNumbers(Model):
    a = var(Int(-5, 5), 0)
    q = var(Int(-9, 9), 0)
    r = var(Int(-9, 9), 0)

    @action
    def divide(self, x: Int(-5, 5), by: Int(-2, 3)):
        require(by != 0)
        self.a = x
        self.q = x // by
        self.r = x % by
        assert self.q * by + self.r == x and abs(x) == max(x, -x)
