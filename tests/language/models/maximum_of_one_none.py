# expect: holds distinct=2 transitions=1 depth=2

from checker.language import Int, Model, Optional, Seq, action, invariant, require, var


class M(Model):
    """max of one item, None, is None."""
    q = var(Seq[Optional[Int(0, 3)], 3])
    o = var(Optional[Int(0, 3)])

    @action
    def step(self):
        require(len(self.q) == 0)
        self.q.append(None)
        self.o = max(self.q)

    @invariant
    def fine(self) -> bool:
        return len(self.q) < 2
