# expect: holds distinct=10 transitions=20 depth=4
"""A constraint cuts successors: they count as transitions and are not stored."""

from checker.language import Int, Model, action, constraint, invariant, var


class Constrained(Model):
    n = var(Int(0, 9), 0)
    m = var(Int(0, 9), 0)

    @action
    def up(self):
        self.n += 1

    @action
    def across(self):
        self.m += 1

    @constraint
    def near(self) -> bool:
        return self.n + self.m < 4

    @invariant
    def bounded(self) -> bool:
        return self.n < 9
