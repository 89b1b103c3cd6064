# expect: holds distinct=2 transitions=1 depth=2

from checker.language import Int, Model, Set, action, invariant, require, var


class M(Model):
    """A set of the state is not hashable."""
    s = var(Set[Int(0, 2)], {1})
    ss = var(Set[Set[Int(0, 2)]])

    @action
    def step(self):
        require(len(self.s) < 2)
        self.s.add(2)

    @invariant
    def fine(self) -> bool:
        return self.s not in self.ss
