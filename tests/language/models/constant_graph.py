# expect: invariant closed distinct=13 transitions=17 depth=4
"""A constant that is a graph: nested tuples, unpacked in loops, quantifiers and sums, and looked for with `in`; rows of different lengths are sequences."""

from checker.language import Ids, Int, Model, Set, action, const, derived, invariant, require, var


class ConstantGraph(Model):
    edges = const(((0, 1), (1, 2), (2, 0)), "which node has an edge to which")
    neighbours = const(((1,), (2, 0), ()), "the nodes beside each")
    N = Ids("n", derived(lambda c: 1 + max(max(e) for e in c.edges)))
    marked = var(Set[N])
    sum = var(Int(0, 9), 0)

    @action
    def start(self, p: N):
        require(len(self.marked) == 0)
        self.marked.add(p)

    @action
    def spread(self):
        require(len(self.marked) < 3)
        before = set(self.marked)
        for i, j in self.edges:
            if self.N[i] in before:
                self.marked.add(self.N[j])
                self.sum = 3 * i + j

    @action
    def step(self, p: N, q: N):
        require(p in self.marked and (p.index, q.index) in self.edges and q not in self.marked and self.sum == 0)
        self.marked.add(q)
        for j in self.neighbours[p.index]:
            self.sum = max(self.sum, j + 1)

    @invariant
    def fixed(self) -> bool:
        return sum(1 for i, j in self.edges if i < j) == 2 and (0, 2) not in self.edges and self.edges[1][1] == 2 and len(self.neighbours[1]) == 2

    @invariant
    def closed(self) -> bool:
        return len(self.marked) < 2 or all(self.N[j] in self.marked or self.N[i] not in self.marked for i, j in self.edges)
