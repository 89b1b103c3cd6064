# refused: x may be a collection that was changed since it got this name

from checker.language import Int, Model, Seq, action, invariant, require, rule, var


class Refusing(Model):
    """What a rule returned is the state itself; clear() (and -=, &=, |= other) on it is not noticed."""
    q = var(Seq[Int(0, 3), 3], [1])
    n = var(Int(0, 4), 2)

    @rule
    def held(self):
        return self.q

    @action
    def step(self):
        require(self.n == 2)
        x = self.held()
        self.q.clear()
        self.n = len(x)  # here

    @invariant
    def fine(self) -> bool:
        return self.n != 0
