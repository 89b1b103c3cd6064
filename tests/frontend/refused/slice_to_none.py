# refused: self.o may be None, which a slice takes for its end

from checker.language import Int, Model, Optional, Seq, action, invariant, require, var


class Refusing(Model):
    """q[None:] is q[:]."""
    q = var(Seq[Int(0, 3), 3], [1, 2])
    o = var(Optional[Int(0, 3)])

    @action
    def step(self):
        require(self.o is None)
        self.o = 1

    @invariant
    def fine(self) -> bool:
        return len(self.q[self.o:]) > 0  # here
