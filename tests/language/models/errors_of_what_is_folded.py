# expect: error 14, error 19 distinct=1 transitions=2 depth=1

from checker.language import Int, Model, Seq, action, invariant, require, var


class M(Model):
    """Errors in what is folded away."""
    q = var(Seq[Int(0, 3), 3])
    n = var(Int(0, 3), 0)

    @action
    def one(self):
        require(self.n == 0)
        self.n = len({k: 6 // k for k in range(3)})

    @action
    def two(self):
        require(self.n == 0)
        self.n = 2 if self.q[1] in [] else 1

    @invariant
    def fine(self) -> bool:
        return self.n < 4
