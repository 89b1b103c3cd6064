# expect: holds distinct=3 transitions=4 depth=3
"""A guard wherever it stands: a require that fails late undoes everything."""

from checker.language import Int, Model, action, require, var


class RequireAfterEffect(Model):
    a = var(Int(0, 3), 0)
    b = var(Int(0, 3), 0)

    @action
    def both(self, by: Int(1, 2)):
        self.a = min(3, self.a + by)
        require(self.a != 2)
        self.b = max(self.a - 1, self.b)
        require(self.b < 3)
