# expect: holds distinct=90 transitions=261 depth=8
"""Total maps as values: comprehension, display, comparison, nested update."""

from checker.language import Ids, Int, Map, Model, action, invariant, require, var


class Dictionaries(Model):
    P = Ids("p", 2)
    clock = var(Map[P, Map[P, Int(0, 2)]], 0)
    merged = var(Map[P, Int(0, 2)], 0)

    @action
    def tick(self, p: P):
        require(self.clock[p][p] < 2)
        self.clock[p][p] += 1

    @action
    def merge(self, p: P, q: P):
        require(p != q)
        self.clock[p] = {r: max(self.clock[p][r], self.clock[q][r]) for r in self.P}
        self.merged = self.clock[p]

    @action
    def reset(self):
        require(self.merged == self.clock[self.P[0]] and self.merged[self.P[1]] == 2)
        self.merged = {self.P[0]: 1, self.P[1]: 0}

    @invariant
    def own_is_newest(self) -> bool:
        return all(self.clock[q][p] <= self.clock[p][p] for p in self.P for q in self.P)
