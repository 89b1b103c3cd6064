# expect: holds distinct=4 transitions=12 depth=2
"""Names are local to their comprehension, loop or method."""

from checker.language import Ids, Int, Model, action, var


class ShadowedNames(Model):
    P = Ids("p", 3)
    n = var(Int(0, 9), 0)

    @action
    def go(self, p: P):
        x = p.index
        ys = [x for x in range(3) if x > 0]
        for q in [r for r in self.P if r != p]:
            x += len([p for p in self.P if p > q])
        p = self.P[0]
        self.n = min(9, self.twice(x) + len(ys) + p.index)

    def twice(self, p):
        x = p
        p = p + x
        return p
