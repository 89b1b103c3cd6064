# expect: holds distinct=9 transitions=12 depth=5
"""A local collection that this configuration never fills is empty, whatever is done with it, and what stands behind that has its types."""

from checker.language import Ids, Int, Map, Model, Optional, action, choose, const, require, var


class NeverFilled(Model):
    noting = const(False, "whether anything is noted")
    P = Ids("p", 2)
    n = var(Map[P, Int(0, 2)], 0)
    last = var(Optional[P])

    @action
    def up(self, p: P):
        require(self.n[p] < 2)
        self.n[p] += 1
        noted = set()
        listed = []
        if self.noting:
            noted.add(p)
            listed.append(p)
        for q in noted:
            self.last = q
        if p in noted or any(q == p for q in listed) or sum(q.index for q in noted) > 0:
            self.last = p
        noted.discard(p)
        most = 0
        if not set():
            most = 5 + sum(q.index for q in noted)
        assert most == 5 and max(range(2), key=lambda k: k + len([q for q in listed])) == 1
        assert noted == set() and len(listed) == 0 and sorted(noted) == listed and noted <= {p}

    @action
    def pick(self):
        nobody = set()
        self.last = choose(nobody)
