# expect: invariant old_size distinct=2 transitions=1 depth=2

from checker.language import Int, Model, Set, action, invariant, require, var


class M(Model):
    """{e for e in s} is a set of its own."""
    s = var(Set[Int(0, 3)], {1})
    n = var(Int(0, 3), 0)

    @action
    def step(self):
        require(self.n == 0)
        x = {e for e in self.s}
        self.s.add(2)
        self.n = len(x)

    @invariant
    def old_size(self) -> bool:
        return self.n != 1
