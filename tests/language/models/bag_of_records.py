# expect: holds distinct=175 transitions=475 depth=10
"""Bags of records: distinct items in loops, counts, emptiness."""

from checker.language import Bag, Ids, Int, Model, Record, action, require, var


class BagOfRecords(Model):
    P = Ids("p", 2)
    Item = Record(to=P, n=Int(0, 1))
    b = var(Bag[Item, 3])
    n = var(Int(0, 6), 0)

    @action
    def put(self, p: P, n: Int(0, 1)):
        require(len(self.b) < 3)
        self.b.add((p, n))

    @action
    def tally(self):
        require(self.b and (self.P[0], 1) in self.b)
        total = 0
        for item in self.b:
            total += self.b.count(item) * item.n
        self.n = total + len({item.to for item in self.b})
        self.b.remove(self.Item(self.P[0], 1))
        self.b.discard((self.P[1], 0))

    @action
    def empty(self):
        require(len(self.b) == 3)
        self.b.clear()
