# expect: holds distinct=27 transitions=54 depth=7
"""Local sets, lists and counters grow as the loop goes."""

from checker.language import Ids, Int, Map, Model, Set, action, require, var


class LocalCollections(Model):
    P = Ids("p", 3)
    n = var(Map[P, Int(0, 2)], 0)
    big = var(Set[P])
    total = var(Int(0, 6), 0)

    @action
    def count(self, p: P):
        require(self.n[p] < 2)
        self.n[p] += 1
        found = set()
        listed = []
        total = 0
        for q in self.P:
            total += self.n[q]
            if self.n[q] == 2:
                found.add(q)
                listed += [q]
        assert len(found) == len(listed) and set(listed) == found
        self.big = found
        self.total = total
