# expect: holds distinct=189 transitions=519 depth=5
"""Local lists of tuples and of sets."""

from checker.language import Ids, Int, Map, Model, Set, action, require, var


class ListsOfLists(Model):
    P = Ids("p", 3)
    edges = var(Map[P, Set[P]])
    n = var(Int(0, 9), 0)

    @action
    def link(self, p: P, q: P):
        require(p != q and q not in self.edges[p] and sum(len(self.edges[r]) for r in self.P) < 3)
        self.edges[p].add(q)

    @action
    def measure(self):
        pairs = [(p, q) for p in self.P for q in self.edges[p]]
        groups = [self.edges[p] | {p} for p in self.P]
        paths = []
        for p, q in pairs:
            for r in self.edges[q]:
                if (p, r) not in paths:
                    paths.append((p, r))
        self.n = len(paths) + max(len(g) for g in groups)
        assert all(a in self.P and b in self.P for a, b in paths) and len(pairs) < 4
