# expect: holds distinct=8 transitions=21 depth=4
"""Tuples as set members, in comparisons, unpacked in loops."""

from checker.language import Ids, Model, Record, Set, action, choose, invariant, require, var


class Tuples(Model):
    P = Ids("p", 3)
    Pair = Record(left=P, right=P)
    edges = var(Set[Pair])

    @action
    def link(self, p: P, q: P):
        require(p < q and (p, q) not in self.edges and len(self.edges) < 3)
        self.edges.add((p, q))

    @action
    def close(self):
        more = {(a, d) for a, b in self.edges for c, d in self.edges if b == c}
        require(not more <= self.edges)
        self.edges |= more

    @action
    def cut(self):
        pair = choose(self.edges)
        left, right = pair
        require((left, right) == pair and pair > (self.P[0], self.P[1]))
        self.edges.remove(pair)

    @invariant
    def forward(self) -> bool:
        return all(e.left < e.right for e in self.edges)
