# expect: holds distinct=6 transitions=11 depth=6
"""A bounded counter: arithmetic in assignments, a guard keeps it in range."""

from checker.language import Int, Model, action, invariant, require, var


class Counter(Model):
    n = var(Int(0, 5), 0)

    @action
    def up(self):
        require(self.n < 5)
        self.n += 1

    @action
    def half(self):
        self.n = self.n // 2

    @invariant
    def small(self) -> bool:
        return 0 <= self.n <= 5
