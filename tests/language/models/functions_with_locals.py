# expect: holds distinct=36 transitions=69 depth=7
"""Functions with locals, loops, early returns, tuples, defaults and keywords."""

from checker.language import Ids, Int, Map, Model, Optional, action, invariant, require, var

LIMIT = 2
STEPS = (1, 2)


class FunctionsWithLocals(Model):
    P = Ids("p", 3)
    n = var(Map[P, Int(0, 2)], 0)
    best = var(Optional[P])

    def leader(self, least=0, besides=None):
        found = None
        most = least
        for p in self.P:
            if p == besides:
                continue
            if self.n[p] > most:
                found = p
                most = self.n[p]
        return found

    def busy(self, k: Int(0, 2)):
        result = set()
        i = 0
        while i < len(self.P):
            if self.n[self.P[i]] >= k:
                result.add(self.P[i])
            i += 1
        return result

    def extremes(self):
        return min(self.n[p] for p in self.P), max(self.n[p] for p in self.P)

    def first(self, k):
        for p in self.P:
            if self.n[p] == k:
                return p
        return None

    @action
    def up(self, p: P):
        require(self.n[p] < LIMIT)
        self.n[p] += STEPS[0]
        low, high = self.extremes()
        self.best = self.leader(low, besides=p) if high - low > 1 else self.first(k=high)

    @invariant
    def busy_is_monotone(self) -> bool:
        return self.busy(2) <= self.busy(1) <= self.busy(0) and len(self.busy(0)) == 3
