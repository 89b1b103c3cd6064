# expect: invariant old_size distinct=2 transitions=1 depth=2

from checker.language import Int, Model, Seq, action, invariant, require, var


class M(Model):
    """[] + q is a list of its own."""
    q = var(Seq[Int(0, 3), 3], [1])
    n = var(Int(0, 3), 0)

    @action
    def step(self):
        require(self.n == 0)
        x = [] + self.q
        self.q.append(2)
        self.n = len(x)

    @invariant
    def old_size(self) -> bool:
        return self.n != 1
