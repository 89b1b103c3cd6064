# expect: reachable gets_to_three distinct=5 transitions=4 depth=5
"""A witness: shown where it is true."""

from checker.language import Int, Model, action, reachable, require, var


class Reachability(Model):
    n = var(Int(0, 4), 0)

    @action
    def up(self):
        require(self.n < 4)
        self.n += 1

    @reachable
    def gets_to_three(self) -> bool:
        return self.n == 3
