# refused: `c == d` is not in the language for a range and a Seq

from checker.language import Int, Model, Seq, action, invariant, require, var


class Refusing(Model):
    """A range is no list."""
    q = var(Seq[Int(0, 3), 3])

    @action
    def step(self):
        require(len(self.q) < 2)
        self.q.append(len(self.q))

    @invariant
    def fine(self) -> bool:
        return len(self.q) == 0 or range(len(self.q)) == self.q  # here
