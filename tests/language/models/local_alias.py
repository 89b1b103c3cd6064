# expect: holds distinct=3 transitions=9 depth=2
"""Two names for one local collection."""

from checker.language import Int, Model, action, var


class LocalAlias(Model):
    n = var(Int(0, 3), 0)

    @action
    def go(self, x: Int(0, 2)):
        a = {x}
        b = a
        b.add(self.n)
        xs = []
        ys = xs
        ys.append(1)
        xs.append(2)
        assert ys == [1, 2]
        self.n = len(a) + len(ys) - 1
