# expect: holds distinct=2 transitions=1 depth=2

from checker.language import Int, Model, Seq, action, invariant, require, var


class M(Model):
    """A copy passed to a procedure has no room to grow."""
    q = var(Seq[Int(0, 3), 2], [1, 2])
    n = var(Int(0, 9), 0)

    def put(self, xs):
        xs.append(3)
        self.n = len(xs)

    @action
    def step(self):
        require(self.n == 0)
        self.put(list(self.q))

    @invariant
    def fine(self) -> bool:
        return self.n < 4
