# expect: holds distinct=9 transitions=12 depth=5

from checker.language import Ids, Int, Map, Model, Seq, action, invariant, require, var


class Numbered(Model):
    """A comprehension counts the items of a list that it comes to in each round of an outer one."""

    P = Ids("p", 2)
    lists = var(Map[P, Seq[Int(0, 3), 3]])
    total = var(Int(0, 99), 0)

    @action
    def go(self, p: P):
        require(len(self.lists[p]) < 2)
        self.lists[p].append(len(self.lists[p]) + 1)
        self.total = sum(10 * i + x for q in self.P for i, x in enumerate(self.lists[q]))

    @invariant
    def in_order(self):
        return all(x == i + 1 for q in self.P for i, x in enumerate(self.lists[q]))

    @invariant
    def one_way(self):
        return self.total == sum(11 * i + 1 for q in self.P for i in range(len(self.lists[q])))
