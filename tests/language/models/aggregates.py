# expect: holds distinct=62 transitions=165 depth=6
"""sum, min, max with default, any, all, len of comprehensions, sorted with key."""

from checker.language import Ids, Int, Map, Model, Seq, action, invariant, require, var


class Aggregates(Model):
    P = Ids("p", 3)
    n = var(Map[P, Int(0, 2)], 0)
    order = var(Seq[P, 3])

    @action
    def add(self, p: P):
        require(self.n[p] < 2 and sum(self.n[q] for q in self.P) < 4)
        self.n[p] += 1

    @action
    def sort(self):
        require(max((self.n[p] for p in self.P), default=0) == 2)
        self.order = sorted([p for p in self.P if self.n[p] > 0], key=lambda p: (self.n[p], p), reverse=True)

    @action
    def clear(self):
        require(self.order)
        first = min(self.order, key=lambda p: self.n[p])
        self.n[first] = 0
        self.order.clear()

    @invariant
    def consistent(self) -> bool:
        busy = len({p for p in self.P if self.n[p] > 0})
        return busy <= sum(self.n[p] for p in self.P) and (
            any(self.n[p] > 1 for p in self.P)
            or sum(self.n[p] > 0 for p in self.P) == sum(self.n[p] for p in self.P)
        )
