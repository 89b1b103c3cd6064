# expect: holds distinct=2 transitions=1 depth=2

from checker.language import Int, Model, Seq, action, invariant, require, var


class M(Model):
    """x = x + [y] in a loop."""
    q = var(Seq[Int(0, 3), 3], [1, 2])
    n = var(Int(0, 9), 0)

    @action
    def step(self):
        require(self.n == 0)
        x = [1]
        for y in self.q:
            x = x + [y]
        self.n = len(x)

    @invariant
    def fine(self) -> bool:
        return self.n < 4
