# expect: holds distinct=41 transitions=223 depth=6
"""What a collection's type cannot hold is not in it, and occurs no times."""

from checker.language import Bag, Int, Model, Seq, Set, action, require, var


class CountingWhatCannotOccur(Model):
    q = var(Seq[Int(0, 1), 2])
    b = var(Bag[Int(0, 1), 2])
    s = var(Set[Int(0, 1)])
    n = var(Int(0, 10), 0)

    @action
    def put(self, x: Int(0, 1)):
        require(len(self.q) < 2)
        self.q.append(x)
        self.b.add(x)
        self.s.add(x)

    @action
    def look(self, x: Int(-1, 3)):
        self.n = self.q.count(x) + 2 * self.b.count(x) + 4 * (x in self.s)
        self.s.discard(x)
        if x > 1:
            self.b.discard(x)
