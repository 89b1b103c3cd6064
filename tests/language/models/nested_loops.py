# expect: holds distinct=8 transitions=24 depth=3
"""break and continue leave the innermost loop only; names bound inside are used inside."""

from checker.language import Ids, Int, Map, Model, action, var


class NestedLoops(Model):
    P = Ids("p", 3)
    n = var(Map[P, Int(0, 5)], 0)

    @action
    def run(self, limit: Int(0, 2)):
        for p in self.P:
            if p.index == limit:
                continue
            for q in self.P:
                if q > p:
                    break
                if self.n[p] < 2:
                    self.n[p] += 1
