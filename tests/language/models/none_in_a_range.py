# expect: holds distinct=2 transitions=1 depth=2

from checker.language import Int, Model, Optional, action, invariant, require, var


class M(Model):
    """None in range(3) is False."""
    o = var(Optional[Int(0, 3)])

    @action
    def step(self):
        require(self.o is None)
        self.o = 1

    @invariant
    def fine(self) -> bool:
        return self.o not in range(1)
