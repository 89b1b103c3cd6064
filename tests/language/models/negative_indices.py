# expect: error 20 distinct=97 transitions=540 depth=5
"""Negative indices count from the end of sequences and constant tuples; beyond the other end is an error."""

from checker.language import Int, Model, Seq, action, const, require, var


class NegativeIndices(Model):
    sizes = const((1, 2, 3), "sizes")
    q = var(Seq[Int(0, 3), 3])
    n = var(Int(0, 3), 0)

    @action
    def push(self, k: Int(0, 2)):
        require(len(self.q) < 3)
        self.q.append(self.sizes[k - 1])

    @action
    def pick(self, k: Int(-3, 1)):
        require(len(self.q) > 1)
        self.n = self.q[k] + self.q[-2] - self.q[-1] + 1 - self.q[0] if self.q[k] > 2 else len(self.q[-2:])
