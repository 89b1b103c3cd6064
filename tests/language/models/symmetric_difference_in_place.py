# expect: holds distinct=2 transitions=1 depth=2

from checker.language import Int, Model, Set, action, invariant, require, var


class M(Model):
    """x ^= y changes the set of the state that x names."""
    s = var(Set[Int(0, 3)], {1})
    n = var(Int(0, 4), 0)

    @action
    def step(self):
        require(self.n == 0)
        x = self.s
        x ^= {2}
        self.n = len(self.s)

    @invariant
    def changed(self) -> bool:
        return self.n != 1
