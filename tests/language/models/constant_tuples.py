# expect: holds distinct=6 transitions=7 depth=4
"""A tuple constant is indexed, summed, iterated, and measured."""

from checker.language import Ids, Int, Map, Model, action, const, derived, invariant, require, var


class ConstantTuples(Model):
    sizes = const((2, 0, 1), "sizes")
    P = Ids("p", derived(lambda c: len(c.sizes)))
    n = var(Map[P, Int(0, sizes.max())], 0)

    @action
    def up(self, p: P):
        require(self.n[p] < self.sizes[p.index] and len(self.sizes) == 3)
        self.n[p] += 1
        if self.sizes[0] > max(self.sizes):
            self.n[p] = 0

    @invariant
    def bounded(self) -> bool:
        return sum(self.n[p] for p in self.P) <= sum(self.sizes) and all(
            self.n[self.P[i]] <= s for i, s in enumerate(self.sizes)
        )
