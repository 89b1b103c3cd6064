# expect: step by_one distinct=6 transitions=10 depth=3
"""A rule can be asked about the state before the step."""

from checker.language import Ids, Int, Map, Model, action, require, rule, step_invariant, var


class BeforeInRules(Model):
    P = Ids("p", 2)
    n = var(Map[P, Int(0, 2)], 0)

    @rule
    def total(self):
        return sum(self.n[p] for p in self.P)

    @action
    def up(self, p: P):
        require(self.n[p] < 2)
        self.n[p] += 1
        if self.total() == 3:
            self.n[self.P[0]] = 0

    @step_invariant
    def by_one(self) -> bool:
        return self.total() == self.before.total() + 1
