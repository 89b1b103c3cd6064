# expect: holds distinct=64 transitions=186 depth=8
"""sorted: by canonical order, by keys, descending, stably; of sets, of records."""

from checker.language import Ids, Int, Map, Model, Record, Seq, Set, action, require, var


class SortOrders(Model):
    P = Ids("p", 3)
    Pair = Record(n=Int(0, 2), p=P)
    n = var(Map[P, Int(0, 2)], 0)
    order = var(Seq[P, 3])
    pairs = var(Set[Pair])

    @action
    def up(self, p: P):
        require(self.n[p] < 2)
        self.n[p] += 1
        self.order = (
            sorted(self.P, key=lambda q: -self.n[q])
            if p.index == 0
            else sorted([q for q in self.P], key=lambda q: self.n[q] % 2, reverse=True)
        )
        self.pairs = {(self.n[q], q) for q in self.P}

    @action
    def rank(self):
        ranked = sorted(self.pairs, reverse=True)
        require(len(ranked) == 3)
        self.order = [pair.p for pair in ranked[:2]]
        best = max(self.pairs, key=lambda pair: pair.n)
        worst = min((self.n[q], q) for q in self.P)
        assert best.n == ranked[0].n and worst == sorted(self.pairs)[0]
