# expect: holds distinct=2 transitions=1 depth=2

from checker.language import Int, Model, Set, action, invariant, require, var


class M(Model):
    """A loop over a copy."""
    s = var(Set[Int(0, 3)], {1, 2})

    @action
    def step(self):
        require(len(self.s) > 0)
        for x in {e for e in self.s}:
            self.s.discard(x)

    @invariant
    def fine(self) -> bool:
        return len(self.s) < 3
