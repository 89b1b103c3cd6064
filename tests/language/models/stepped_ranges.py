# expect: holds distinct=6 transitions=30 depth=2
"""Ranges that count down or by twos."""

from checker.language import Int, Model, Seq, action, var


class SteppedRanges(Model):
    q = var(Seq[Int(0, 6), 4])
    n = var(Int(0, 40), 0)

    @action
    def fill(self, k: Int(0, 4)):
        self.q = [x for x in range(k, 7, 3)]
        total = 0
        for i in range(len(self.q) - 1, -1, -1):
            total = total * 2 + self.q[i]
        self.n = total + sum(range(0, k, 2)) + sum(list(range(k, 0, -2)))
