# expect: holds distinct=9 transitions=36 depth=3
"""A property with its own variables watches events, in the order of the list."""

from checker.language import Ids, Int, Invariant, Map, Model, action, of, require, var


class Counted(Invariant):
    seen = var(Map[of("P"), Int(0, 9)], 0)
    total = var(Int(0, 9), 0)

    def on_tick(self, p, k):
        if k == 0:
            return
        self.seen[p] += k
        self.total = sum(self.seen[q] for q in self.P)

    def holds(self) -> bool:
        return self.total == sum(self.n[p] for p in self.P)


class Observed(Model):
    P = Ids("p", 2)
    n = var(Map[P, Int(0, 2)], 0)

    @action
    def tick(self, p: P, k: Int(0, 2)):
        require(self.n[p] + k <= 2)
        self.n[p] += k
        self.emit.tick(p, k)

    properties = [Counted]
