# expect: holds distinct=4 transitions=3 depth=4
"""A rule is a named function of the state; an edit overrides it and may call the original."""

from checker.language import Int, Model, action, require, rule, var


class Base(Model):
    n = var(Int(0, 6), 0)

    @rule
    def step(self, k: Int(0, 6)) -> Int(1, 3):
        """How far."""
        return 1 if k < 3 else 2

    @action
    def go(self):
        require(self.n + self.step(self.n) <= 6)
        self.n += self.step(self.n)


class RulesAndEdits(Base):
    """EDIT: one more."""

    @rule
    def step(self, k):
        return super().step(k) + (1 if self.n == 1 else 0)
