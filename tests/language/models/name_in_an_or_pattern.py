# expect: invariant never_two distinct=2 transitions=1 depth=2

from checker.language import Int, Model, Record, action, invariant, require, var


class M(Model):
    """x is what the first alternative that matches binds."""
    Pair = Record(a=Int(0, 3), b=Int(0, 3))
    r = var(Pair, (1, 2))
    n = var(Int(0, 3), 0)

    @action
    def step(self):
        require(self.n == 0)
        match self.r:
            case (1, x) | (x, 1):
                self.n = x

    @invariant
    def never_two(self) -> bool:
        return self.n != 2
