# expect: holds distinct=4810 transitions=22375 depth=13
"""sum, max, min, any over collections themselves, slices, negative indices."""

from checker.language import Bool, Int, Model, Seq, Set, action, require, var


class SumsOfCollections(Model):
    q = var(Seq[Int(0, 3), 3])
    s = var(Set[Int(0, 3)])
    f = var(Seq[Bool, 2])
    n = var(Int(0, 20), 0)

    @action
    def push(self, x: Int(0, 3)):
        require(len(self.q) < 3)
        self.q.append(x)
        self.s.add(x)

    @action
    def weigh(self):
        require(self.q)
        self.n = sum(self.q) + max(self.s) + min(self.q[1:], default=3) + self.q[-1]
        require(self.n not in self.q[:-1] and self.n < 13)
        self.f = [self.n > 6, any(self.f), all(self.f)][:2]

    @action
    def cut(self, k: Int(0, 2)):
        require(2 <= len(self.q) <= 3 and any(self.f))
        self.q = self.q[k:2] + self.q[:0]
