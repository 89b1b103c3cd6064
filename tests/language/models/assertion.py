# expect: assert 14 distinct=6 transitions=10 depth=4
"""assert is a property: the step that breaks it is the violation."""

from checker.language import Int, Model, action, require, var


class Assertion(Model):
    n = var(Int(0, 9), 0)

    @action
    def up(self, by: Int(1, 2)):
        require(self.n < 6)
        self.n += by
        assert self.n != 5, "never five"
