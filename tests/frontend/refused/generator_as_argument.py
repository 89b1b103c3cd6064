# refused: a generator is used as a value: it can be walked once, has no items and is always true

from checker.language import Int, Model, Seq, action, invariant, require, rule, var


class Refusing(Model):
    """A generator can be walked once."""
    q = var(Seq[Int(0, 3), 3])

    @rule
    def both(self, xs):
        return 1 in xs and 0 in xs

    @action
    def step(self):
        require(len(self.q) < 2)
        self.q.append(len(self.q))

    @invariant
    def fine(self) -> bool:
        return len(self.q) < 2 or self.both(x for x in self.q)  # here
