# expect: holds distinct=132 transitions=228 depth=5
"""Loops over places: enumerate, zip, reversed, range with two bounds."""

from checker.language import Int, Model, Seq, action, require, var


class EnumerateAndZip(Model):
    q = var(Seq[Int(0, 2), 3])
    n = var(Int(0, 30), 0)

    @action
    def push(self, x: Int(0, 2)):
        require(len(self.q) < 3)
        self.q.append(x)

    @action
    def weigh(self):
        total = 0
        for i, x in enumerate(self.q):
            total += i * x
        for i in range(1, len(self.q)):
            total += self.q[i] - min(self.q[i - 1], self.q[i])
        back = [x for x in reversed(self.q)]
        total += len([a for a, b in zip(self.q, back) if a == b])
        total += sum(k for k, x in enumerate(self.q, 1) if x == 2)
        self.n = total
