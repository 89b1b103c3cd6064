# expect: error 12 distinct=2 transitions=2 depth=2
"""Dividing by zero is a model error."""

from checker.language import Int, Model, action, var


class DivisionByZero(Model):
    n = var(Int(0, 2), 2)

    @action
    def step(self):
        self.n = min(2, 2 // self.n) - 1
