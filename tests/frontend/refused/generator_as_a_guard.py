# refused: a generator is used as a value: it can be walked once, has no items and is always true

from checker.language import Int, Model, Seq, action, invariant, require, var


class Refusing(Model):
    """A generator is always true."""
    q = var(Seq[Int(0, 3), 3])

    @action
    def step(self):
        require(len(self.q) < 2)
        require((x for x in self.q if x > 5))  # here
        self.q.append(1)

    @invariant
    def fine(self) -> bool:
        return len(self.q) < 2
