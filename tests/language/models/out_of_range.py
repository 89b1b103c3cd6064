# expect: error 12 distinct=4 transitions=4 depth=4
"""An assignment outside Int(lo, hi) is a model error at its line."""

from checker.language import Int, Model, action, var


class OutOfRange(Model):
    n = var(Int(0, 3), 0)

    @action
    def up(self):
        self.n = self.n + 1
