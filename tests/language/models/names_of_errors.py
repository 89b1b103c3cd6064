# expect: error 19, error 23, error 27, error 31, error 35, error 39, error 43, error 47, error 51, error 55, error 59, error 63, error 68, error 72, assert 76 distinct=1 transitions=56 depth=1
"""An error has one name for all values that make it, and the same in every engine."""

from checker.language import Bag, Ids, Int, Map, Model, Optional, Seq, Set, action, var


class NamesOfErrors(Model):
    P = Ids("p", 3)
    n = var(Int(0, 3), 0)
    s = var(Set[Int(0, 3)])
    q = var(Seq[Int(0, 3), 2])
    b = var(Bag[Int(0, 3), 2])
    o = var(Optional[Int(1, 3)])
    m = var(Map[Int(1, 3), Int(0, 3)], 0)
    p = var(Optional[P])

    @action
    def assign(self, k: Int(4, 6)):
        self.n = k

    @action
    def take_from_a_set(self, k: Int(-1, 4)):
        self.s.remove(k)

    @action
    def take_from_a_sequence(self, k: Int(-1, 4)):
        self.q.remove(k)

    @action
    def take_from_a_bag(self, k: Int(-1, 4)):
        self.b.remove(k)

    @action
    def look_up(self, k: Int(-1, 4)):
        self.n = self.q.index(k)

    @action
    def read_an_entry(self, k: Int(4, 6)):
        self.n = self.m[k]

    @action
    def read_an_item(self, k: Int(0, 3)):
        self.n = self.q[k]

    @action
    def read_at_none(self):
        self.n = self.m[self.o]

    @action
    def member(self, k: Int(3, 5)):
        self.p = self.P[k]

    @action
    def insert(self, k: Int(1, 5)):
        self.q.insert(k, k)

    @action
    def fill(self, k: Int(3, 5)):
        self.q = ([0, 0] + [0])[:k]

    @action
    def take_the_least(self, k: Int(0, 3)):
        self.n = min(x for x in self.q if x > k)

    @action
    def take_from_a_local(self, k: Int(2, 3)):
        x = [0, 1]
        x.remove(k)

    @action
    def divide(self, k: Int(0, 0)):
        self.n = 3 // k

    @action
    def state(self, k: Int(1, 3)):
        assert k == 0
