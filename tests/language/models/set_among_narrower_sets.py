# expect: holds distinct=2 transitions=1 depth=2

from checker.language import Int, Model, Seq, Set, action, invariant, require, var


class M(Model):
    """A set with a member that the items cannot have is not among them."""
    s = var(Set[Int(0, 5)], {1})
    qs = var(Seq[Set[Int(0, 3)], 2])

    @action
    def step(self):
        require(len(self.s) < 2)
        self.s.add(5)

    @invariant
    def fine(self) -> bool:
        return self.s not in self.qs
