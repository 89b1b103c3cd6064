# expect: assert 19 distinct=3 transitions=3 depth=3
"""An assertion in a procedure shows at its own line."""

from checker.language import Int, Model, action, require, var


class AssertInHelper(Model):
    n = var(Int(0, 4), 0)

    @action
    def up(self):
        require(self.n < 4)
        self.n += 1
        self.check()

    def check(self):
        if self.n == 2:
            return
        assert self.n != 3
